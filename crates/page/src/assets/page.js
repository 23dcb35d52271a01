"use strict";
// The page of a result, and the explorer if a server is behind it. Everything that is shown is put in
// as text; pictures are SVG that was made by the checker, and scripts in them do not run.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const live = data.live;
  const $ = (id) => document.getElementById(id);

  // ---- elements ----------------------------------------------------------------------------------
  function h(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "class") node.className = value;
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat(3)) {
      if (child === null || child === undefined || child === false) continue;
      node.append(child instanceof Node ? child : String(child));
    }
    return node;
  }
  function picture(svg) {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    const root = parsed.documentElement;
    if (root.nodeName !== "svg") return h("p", { class: "bad" }, "The picture cannot be shown.");
    root.querySelectorAll("script").forEach((node) => node.remove());
    return document.importNode(root, true);
  }
  const pill = (verdict) => h("span", { class: "pill " + verdict }, words(verdict));
  const words = (word) => String(word).replaceAll("_", " ");
  const plural = (n, one, many) => `${Number(n).toLocaleString("en")} ${n === 1 ? one : many}`;
  const number = (n) => (n === null || n === undefined ? "" : Number(n).toLocaleString("en"));
  const entries = (named) => (Array.isArray(named) ? named : Object.entries(named || {}));

  // ---- what is known -----------------------------------------------------------------------------
  const known = {
    check: data.check, symmetry: data.symmetry, simulation: data.simulation,
    views: data.views || [], charts: data.charts || {},
    sources: data.sources || [], model: data.model || {}, questions: data.questions || [],
  };
  let tab = null;
  let run = null;          // the run that is shown: { title, key, witness, atoms, why }
  let at = 0;              // the step of it
  let playing = null;
  let whole = false;       // whole states rather than changes

  // ---- light and dark ----------------------------------------------------------------------------
  const root = document.documentElement;
  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  $("theme").addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; });

  // ---- source ------------------------------------------------------------------------------------
  let shownSource = 0;
  let marks = [];          // { file, line, kind, who }
  const KEYWORDS = {
    promela: "active assert atomic bit bool break byte chan d_step do else empty enabled eval false fi for full goto hidden if in init inline int len ltl mtype nempty never nfull notrace np_ od of pid printf priority proctype provided return run select short show skip timeout trace true typedef unless unsigned xr xs",
    b: "MACHINE REFINEMENT IMPLEMENTATION SETS CONSTANTS ABSTRACT_CONSTANTS CONCRETE_CONSTANTS PROPERTIES VARIABLES ABSTRACT_VARIABLES CONCRETE_VARIABLES INVARIANT ASSERTIONS INITIALISATION INITIALIZATION OPERATIONS DEFINITIONS INCLUDES SEES USES EXTENDS PROMOTES REFINES PRE THEN ELSE ELSIF IF END ANY WHERE LET BE IN SELECT WHEN CHOICE OR CASE OF EITHER VAR BEGIN skip not or dom ran card POW INT NAT NAT1 BOOL TRUE FALSE bool",
    cspm: "channel datatype nametype subtype assert let within if then else STOP SKIP CHAOS DIV Inter Union diff inter union member card module exports endmodule include transparent external not and or true false Int Bool Proc Events",
  };
  const COMMENTS = { promela: /\/\*[^]*?\*\/|\/\/.*/y, b: /\/\*[^]*?\*\/|\/\/.*/y, cspm: /\{-[^]*?-\}|--.*/y };
  function coloured(text, language) {
    const keywords = new Set((KEYWORDS[language] || "").split(" "));
    const comment = COMMENTS[language];
    const lines = [[]];
    const push = (piece, kind) => {
      piece.split("\n").forEach((part, n) => {
        if (n) lines.push([]);
        if (part) lines[lines.length - 1].push(kind ? h("span", { class: kind }, part) : part);
      });
    };
    const word = /[A-Za-z_][A-Za-z_0-9]*/y, string = /"(?:[^"\\\n]|\\.)*"/y, rest = /[^A-Za-z_"]/y;
    let i = 0;
    while (i < text.length) {
      let found = false;
      for (const [pattern, kind] of [[comment, "cm"], [string, "st"], [word, "kw"], [rest, null]]) {
        if (!pattern) continue;
        pattern.lastIndex = i;
        const match = pattern.exec(text);
        if (!match) continue;
        push(match[0], kind === "kw" && !keywords.has(match[0]) ? null : kind);
        i += match[0].length;
        found = true;
        break;
      }
      if (!found) { push(text[i], null); i += 1; }
    }
    return lines;
  }
  function drawSource() {
    const aside = $("source");
    const kept = aside.scrollTop;
    aside.replaceChildren();
    const source = known.sources[shownSource];
    if (!source) { aside.append(h("p", { class: "soft" }, "There is no source.")); return; }
    if (known.sources.length > 1) {
      aside.append(h("select", {
        "aria-label": "File",
        onchange: (event) => { shownSource = Number(event.target.value); drawSource(); },
      }, known.sources.map((other, n) => h("option", { value: n, selected: n === shownSource }, other.name))));
    }
    const body = h("tbody");
    coloured(source.text.replaceAll("\r\n", "\n"), known.model.language).forEach((pieces, n) => {
      const line = n + 1;
      const here = marks.filter((mark) => mark.line === line && (mark.file || known.sources[0].name) === source.name);
      const kinds = [...new Set(here.map((mark) => mark.kind))].join(" ");
      const who = here.map((mark) => mark.who).filter(Boolean);
      body.append(h("tr", { class: kinds, "data-line": line, title: here.map((mark) => mark.title).filter(Boolean).join("\n") || null },
        h("td", { class: "n" }, line),
        h("td", {}, who.length ? h("span", { class: "who" }, who.join(" ")) : null, pieces)));
    });
    aside.append(h("table", { "aria-label": source.name }, body));
    aside.scrollTop = kept;
  }
  function mark(list, show) {
    marks = list;
    const first = show && list.find((one) => one.line);
    if (first) {
      const n = known.sources.findIndex((source) => source.name === first.file);
      if (first.file && n >= 0) shownSource = n;
      if (!first.file) shownSource = 0;
    }
    drawSource();
    if (first) {
      const row = $("source").querySelector(`tr[data-line="${Number(first.line)}"]`);
      if (row) row.scrollIntoView({ block: "nearest" });
    }
  }
  function restingMarks() {
    const list = [];
    for (const place of (known.check && known.check.unreached) || []) {
      list.push({ line: place.line, file: place.file, kind: "unreached", title: "never reached: " + place.step });
    }
    for (const blocker of (known.symmetry && known.symmetry.blockers) || []) {
      if (blocker.line) list.push({ line: blocker.line, kind: "breaks", title: "breaks symmetry: " + blocker.reason });
    }
    return list;
  }
  const toLine = (line, file) => line
    ? h("button", { type: "button", onclick: () => mark([...restingMarks(), { line, file, kind: "at" }].reverse(), true) }, `${file ? file + ":" : "line "}${line}`)
    : null;

  // ---- talking to the server ---------------------------------------------------------------------
  async function ask(path, body) {
    const options = { headers: { "X-Orbit-Token": live.token } };
    if (body !== undefined) {
      options.method = "POST";
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    let answer;
    try { answer = await fetch("api/" + path, options); }
    catch (error) { throw new Error("the server does not answer: is `orbit serve` still running?"); }
    const text = await answer.text();
    let object = null;
    try { object = JSON.parse(text); } catch (error) { /* told below */ }
    if (!answer.ok) throw new Error((object && object.error) || text || answer.statusText);
    return object;
  }
  let job = null;
  function busy(text) { $("progress").textContent = text || ""; $("stop").hidden = !job; }
  $("stop").addEventListener("click", () => { if (job) ask(`job/${job}/stop`, {}).catch(fail); });
  function fail(error) { busy(""); complaint = error.message; draw(); }
  let complaint = null;
  /// Starts something that takes a while, and waits for it.
  async function perform(path, body) {
    complaint = null;
    const started = await ask(path, body);
    job = started.job;
    busy("started");
    try {
      for (;;) {
        const now = await ask(`job/${started.job}`);
        if (now.state !== "running") {
          if (now.error) throw new Error(now.error);
          return now;
        }
        busy(now.progress || `${now.seconds} s`);
        await new Promise((done) => setTimeout(done, 200));
      }
    } finally { job = null; busy(""); }
  }

  // ---- results -----------------------------------------------------------------------------------
  function runs() {
    const list = [];
    for (const property of (known.check && known.check.properties) || []) {
      const each = [property, ...(property.others || [])].filter((one) => one.witness);
      each.forEach((one, n) => {
        const more = each.length > 1 ? ` (${n + 1})` : "";
        list.push({
          title: `${property.name}${more}`, key: `${property.name}#${n}`, kind: property.kind, witness: one.witness,
          atoms: property.atoms || [], why: one.why || [], message: one.message, line: one.line, file: one.file,
          verdict: property.verdict,
        });
        if (one.witness.other) {
          list.push({
            title: `${property.name}${more}, the other run`, key: `${property.name}#${n}/other`,
            witness: { ...one.witness, steps: one.witness.other, loop_from: null }, atoms: [], why: [], message: null,
          });
        }
      });
    }
    if (known.simulation) {
      const simulated = known.simulation;
      const start = { step: "initial state", changes: simulated.initial_state, parts: [], atoms: [], called_from: [] };
      list.push({
        title: "simulated run", key: "simulation#0", atoms: [], why: [], message: simulated.message,
        witness: {
          steps: [start, ...simulated.steps], loop_from: simulated.loop_from === null ? null : simulated.loop_from + 1,
          end: simulated.state, locations: simulated.locations, because: {}, allowed: [],
        },
      });
    }
    return list;
  }
  function showRun(one) { run = one; at = 0; tab = "run"; draw(); }

  function facts(rows) {
    const told = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
    return h("table", { class: "facts" }, h("tbody", {}, told.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)))));
  }
  function diagnostics(list) {
    return (list || []).map((one) => h("div", { class: "message " + one.severity },
      `${one.severity}: ${one.message}`,
      (one.labels || []).map((label) => h("div", {}, toLine(label.line, label.file === (known.sources[0] || {}).name ? null : label.file), " ", label.words)),
      (one.notes || []).map((note) => h("div", { class: "soft" }, note))));
  }
  function resultTab() {
    const panel = [];
    if (live) panel.push(controls());
    const check = known.check;
    if (!check) {
      panel.push(h("p", {}, live ? "Nothing was checked yet." : "This page has no result of a check."));
      return panel;
    }
    panel.push(h("h2", {}, "Verdict ", pill(check.verdict)));
    const scope = { this_size: "for the model at this size", every_size: "for every size", up_to_depth: `for runs of at most ${check.scope.depth} moves`, probability: "with a probability", approximate: "approximately" };
    if (check.verdict !== "not_checked") panel.push(h("p", { class: "soft" }, `What it is about: ${scope[check.scope.kind] || check.scope.kind}.`, check.reason ? " " + check.reason : ""));
    if (check.stop_reason) panel.push(h("p", { class: "bad" }, `The search stopped: ${words(check.stop_reason)}.`));
    const all = runs();
    panel.push(h("table", { class: "list" },
      h("thead", {}, h("tr", {}, ["property", "verdict", "what was found", ""].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, check.properties.map((property) => {
        const own = all.filter((one) => one.key.startsWith(property.name + "#"));
        return h("tr", {},
          h("td", {}, h("code", {}, property.name)),
          h("td", {}, pill(property.verdict)),
          h("td", {}, property.message || property.reason || "", property.step ? [" ", h("code", {}, property.step)] : null,
            (property.notes || []).map((note) => h("div", { class: "soft" }, note))),
          h("td", {}, h("div", { class: "row" }, toLine(property.line, property.file), own.slice(0, 3).map((one) => h("button", { type: "button", class: "primary", onclick: () => showRun(one) }, one.title === property.name ? "Show the run" : one.title)))));
      }))));
    const group = check.symmetry;
    const counts = check.counts;
    panel.push(h("h2", {}, "Counts"), facts([
      ["states", number(counts.states)], ["transitions", number(counts.transitions)], ["depth", number(counts.depth)],
      ["without symmetry", counts.full_states === null ? null : String(counts.full_states)],
      ["pairs", counts.pairs === null ? null : number(counts.pairs)],
      ["symmetry", group ? `${group.structure || "a group"}, order ${group.group_order}` : null],
      ["representatives", group ? `${group.strategy} (${group.guarantee})` : null],
      ["time", `${check.time_s.total} s`], ["memory", check.memory.peak_bytes ? `${Math.ceil(check.memory.peak_bytes / 1024).toLocaleString("en")} KiB` : null],
      ["audit", check.audit], ["self-check", check.self_check],
    ]));
    if (check.unreached && check.unreached.length) {
      panel.push(h("h2", {}, "Never reached"), h("ul", { class: "plain" }, check.unreached.map((place) => h("li", {}, toLine(place.line, place.file), " ", h("code", {}, place.step), place.by ? ` of ${place.by}` : ""))));
    }
    const untaken = (check.operations || []).filter((operation) => !operation.taken);
    if (untaken.length) panel.push(h("h2", {}, "Operations that were never taken"), h("p", {}, h("code", {}, untaken.map((operation) => operation.name).join(", "))));
    for (const print of check.prints || []) panel.push(h("p", {}, h("code", {}, JSON.stringify(print))));
    if (check.notes.length) panel.push(h("h2", {}, "Notes"), check.notes.map((note) => h("p", {}, note)));
    panel.push(diagnostics(check.diagnostics));
    return panel;
  }
  let formula = "", logic = "ltl";
  function controls() {
    const check = (body) => async () => {
      try {
        const done = await perform("check", body);
        Object.assign(known.charts, done.charts || {});
        known.check = done.result;
        head();
        const found = body.formula ? runs().filter((one) => one.kind === body.logic).pop() : null;
        if (found) showRun(found); else { tab = "result"; draw(); }
      } catch (error) { fail(error); }
    };
    const text = h("input", {
      class: "formula", type: "text", value: formula, "aria-label": "Formula", placeholder: "a formula: " + (logic === "ltl" ? "[] (x < 3)" : "AG EF (x == 0)"), spellcheck: "false",
      oninput: (event) => { formula = event.target.value; },
    });
    return [
      h("div", { class: "row" },
        h("button", { type: "button", class: "primary", id: "check", onclick: check({}) }, "Check everything"),
        h("button", { type: "button", onclick: check({ all_errors: true }) }, "Find all errors"),
        h("button", { type: "button", onclick: check({ no_symmetry: true }) }, "Without symmetry"),
        known.questions.length ? h("select", { "aria-label": "Check one property", onchange: (event) => { if (event.target.value) check({ property: event.target.value })(); } },
          h("option", { value: "" }, "Check one property…"), known.questions.map((question) => h("option", { value: question.name }, `${question.name} (${question.kind})`))) : null),
      live.formulas ? h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); if (formula.trim()) check({ formula, logic })(); } },
        h("select", { "aria-label": "Logic", onchange: (event) => { logic = event.target.value; draw(); } },
          ["ltl", "ctl"].map((name) => h("option", { value: name, selected: name === logic }, name.toUpperCase()))),
        text, h("button", { type: "submit", id: "check-formula" }, "Check the formula")) : null,
    ];
  }

  // ---- runs --------------------------------------------------------------------------------------
  function valuesAfter(witness, n) {
    const values = new Map();
    for (const step of witness.steps.slice(0, n + 1)) {
      for (const [name, value] of entries(step.changes)) {
        if (value === null) values.delete(name); else values.set(name, value);
      }
    }
    return values;
  }
  const actor = (step) => step.by || (step.parts || []).map((part) => part.component).join(", ");
  const told = (changes) => entries(changes).map(([name, value]) => (value === null ? `${name} is gone` : `${name} = ${value}`)).join(", ");
  function asText(one) {
    return one.witness.steps.map((step, n) => {
      const loop = one.witness.loop_from === n ? "   … from here on again and again:\n" : "";
      return `${loop}${String(n).padStart(4)}  ${actor(step) ? actor(step) + ": " : ""}${step.step}${entries(step.changes).length ? "   [" + told(step.changes) + "]" : ""}`;
    }).join("\n") + "\n";
  }
  function asDot(one) {
    const quoted = (text) => `"${String(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
    const lines = one.witness.steps.map((step, n) => `  s${n} [label=${quoted(n === 0 ? "start" : told(step.changes) || n)}];`);
    one.witness.steps.forEach((step, n) => { if (n) lines.push(`  s${n - 1} -> s${n} [label=${quoted((actor(step) ? actor(step) + ": " : "") + step.step)}];`); });
    const from = one.witness.loop_from;
    if (from !== null && from !== undefined && from > 0 && from < one.witness.steps.length) lines.push(`  s${one.witness.steps.length - 1} -> s${from - 1} [style=dashed, label="again"];`);
    return `digraph run {\n${lines.join("\n")}\n}\n`;
  }
  async function copy(text, what) {
    try { await navigator.clipboard.writeText(text); busy(`${what} copied`); }
    catch (error) {
      const link = h("a", { href: "data:text/plain;charset=utf-8," + encodeURIComponent(text), download: `run.${what.toLowerCase()}` });
      link.click();
      busy(`${what} saved`);
    }
    setTimeout(() => busy(""), 2000);
  }
  function go(n) {
    at = Math.max(0, Math.min(run.witness.steps.length - 1, n));
    drawStep();
  }
  function play() {
    if (playing) { clearInterval(playing); playing = null; draw(); return; }
    if (at === run.witness.steps.length - 1) at = 0;
    playing = setInterval(() => {
      if (tab !== "run" || at >= run.witness.steps.length - 1) { clearInterval(playing); playing = null; draw(); } else go(at + 1);
    }, 700);
    draw();
  }
  function runTab() {
    const all = runs();
    if (!all.length) return [h("p", {}, "There is no run to show: nothing that was checked is violated.")];
    if (!run || !all.some((one) => one.key === run.key)) { run = all[0]; at = 0; }
    const witness = run.witness;
    const svg = known.charts[run.key];
    const panel = [h("div", { class: "row" },
      h("select", { "aria-label": "Run", onchange: (event) => { run = all[Number(event.target.value)]; at = 0; draw(); } },
        all.map((one, n) => h("option", { value: n, selected: one.key === run.key }, one.title))),
      h("button", { type: "button", "aria-label": "First step", onclick: () => go(0) }, "|◀"),
      h("button", { type: "button", "aria-label": "Step back", onclick: () => go(at - 1) }, "◀"),
      h("button", { type: "button", "aria-label": "Step forward", id: "forward", onclick: () => go(at + 1) }, "▶"),
      h("button", { type: "button", "aria-label": "Last step", onclick: () => go(Infinity) }, "▶|"),
      h("button", { type: "button", onclick: play }, playing ? "Pause" : "Play"),
      h("span", { id: "where", class: "soft", "aria-live": "polite" }),
      live ? h("button", { type: "button", onclick: () => follow(run) }, "Open in the explorer") : null)];
    if (run.message) panel.push(h("p", { class: run.verdict === "violated" ? "bad" : "" }, run.message));
    for (const reason of run.why || []) panel.push(h("p", { class: "soft" }, reason.text));
    if (svg) panel.push(h("div", { class: "frame", id: "chart", tabindex: "0", "aria-label": "Message-sequence chart" }, picture(svg)));
    panel.push(h("div", { class: "row" },
      h("label", {}, h("input", { type: "checkbox", checked: whole, onchange: (event) => { whole = event.target.checked; draw(); } }), " whole states"),
      ["Text", "JSON", "DOT", "SVG"].map((what) => h("button", {
        type: "button", disabled: what === "SVG" && !svg,
        onclick: () => copy({ Text: () => asText(run), JSON: () => JSON.stringify(witness, null, 1), DOT: () => asDot(run), SVG: () => svg }[what](), what),
      }, "Copy as " + what))));
    panel.push(h("div", { id: "state" }));
    panel.push(h("table", { class: "steps", id: "steps" }, h("tbody", {}, witness.steps.map((step, n) => h("tr", { "data-step": n, onclick: () => go(n) },
      h("td", { class: "soft" }, n), h("td", {}, actor(step)),
      h("td", { class: "soft" }, step.line ? `${step.file ? step.file + ":" : ""}${step.line}` : ""),
      h("td", {}, n === witness.loop_from ? h("div", { class: "soft" }, "… from here on again and again:") : null, step.step, step.printed ? h("div", { class: "soft" }, "prints " + step.printed) : null,
        (step.called_from || []).map((call) => h("div", { class: "soft" }, "in " + call))),
      h("td", {}, n === 0 ? "" : told(step.changes)),
      run.atoms.length ? h("td", {}, run.atoms.map((atom, k) => h("div", { class: step.atoms && step.atoms[k] ? "holds" : "soft" }, `${atom}: ${step.atoms && step.atoms.length ? (step.atoms[k] ? "true" : "false") : "?"}`))) : null)))));
    if (entries(witness.because).length) panel.push(h("h3", {}, "Because"), valueTable(new Map(entries(witness.because)), new Set()));
    if (witness.trace && witness.trace.length) panel.push(h("h3", {}, "Trace"), h("p", {}, h("code", {}, "⟨" + witness.trace.join(", ") + "⟩")));
    if (witness.event) panel.push(h("p", {}, "Then: ", h("code", { class: "bad" }, witness.event)));
    if (witness.offered) panel.push(h("p", {}, "Offered at its end: ", h("code", {}, "{" + witness.offered.join(", ") + "}")));
    if (witness.allowed && witness.allowed.length) panel.push(h("p", {}, "Right would have been one of: ", h("code", {}, witness.allowed.map((set) => "{" + set.join(", ") + "}").join("  "))));
    return panel;
  }
  function drawStep() {
    const witness = run.witness;
    const step = witness.steps[at];
    $("where").textContent = `step ${at} of ${witness.steps.length - 1}`;
    document.querySelectorAll("#steps tr").forEach((row) => row.classList.toggle("here", Number(row.dataset.step) === at));
    document.querySelectorAll("#chart g.step").forEach((one) => {
      const here = (one.dataset.step || "").split(" ").includes(String(at));
      one.classList.toggle("here", here);
      if (here) one.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    const changed = new Set(entries(step.changes).map(([name]) => name));
    const values = valuesAfter(witness, at);
    if (at === 0) changed.clear();
    const shown = whole || at === 0 ? values : new Map([...values].filter(([name]) => changed.has(name)));
    const parts = [h("h3", {}, at === 0 ? "Initial state" : whole ? "State after it" : "What it changed"),
      shown.size ? valueTable(shown, changed) : h("p", { class: "soft" }, "nothing")];
    const other = (witness.representatives || []).find((one) => one.step === at);
    if (other) {
      parts.push(h("details", {}, h("summary", {}, `The representative that the search stored${other.permutation ? ", by " + other.permutation : ""}`), valueTable(new Map(entries(other.values)), new Set())));
    }
    if (at === witness.steps.length - 1 && entries(witness.locations).length) {
      parts.push(h("h3", {}, "Where each is"), valueTable(new Map(entries(witness.locations)), new Set()));
    }
    $("state").replaceChildren(h("div", { class: "columns" }, parts.length > 2 ? [h("div", {}, parts.slice(0, 2)), h("div", {}, parts.slice(2))] : h("div", {}, parts)));
    const own = step.line ? [{ line: step.line, file: step.file, kind: at === witness.steps.length - 1 && run.verdict === "violated" ? "wrong" : "at", who: actor(step) }] : [];
    const more = (step.parts || []).filter((part) => part.line).map((part) => ({ line: part.line, file: part.file, kind: "at", who: part.component }));
    mark([...own, ...(own.length && more.length < 2 ? [] : more), ...restingMarks()], true);
  }

  // ---- values ------------------------------------------------------------------------------------
  /// The elements of a set as it is written, or null.
  function elements(text) {
    if (!/^\{.*\}$/s.test(text)) return null;
    const inner = text.slice(1, -1);
    const list = [];
    let depth = 0, from = 0;
    for (let i = 0; i < inner.length; i += 1) {
      if ("({[".includes(inner[i])) depth += 1;
      if (")}]".includes(inner[i])) depth -= 1;
      if (inner[i] === "," && depth === 0) { list.push(inner.slice(from, i)); from = i + 1; }
      if (depth < 0) return null;
    }
    if (inner.trim()) list.push(inner.slice(from));
    return list.map((one) => one.trim());
  }
  function value(text) {
    const list = elements(text);
    if (!list || list.length < 2) return text;
    const pairs = list.map((one) => { const found = /^\((.*)\|->(.*)\)$/s.exec(one); return found && [found[1], found[2]]; });
    if (pairs.every(Boolean)) return h("table", {}, h("tbody", {}, pairs.map(([key, result]) => h("tr", {}, h("td", {}, key), h("td", {}, "↦ " + result)))));
    return list.length > 6 ? h("details", {}, h("summary", {}, plural(list.length, "element", "elements")), list.map((one) => h("div", {}, one))) : text;
  }
  function valueTable(values, changed) {
    // What belongs to one process, or to one array, stands together.
    const groups = new Map();
    for (const [name, text] of values) {
      const owner = /^([^.[]+\(\d+\))\.(.+)$/.exec(name) || /^([A-Za-z_]\w*)(\[.*)$/.exec(name);
      const key = owner ? owner[1] : "";
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push([owner ? owner[2] : name, text, changed.has(name)]);
    }
    const table = (rows) => h("table", {}, h("tbody", {}, rows.map(([name, text, isNew]) => h("tr", { class: isNew ? "changed" : "" }, h("td", {}, name), h("td", {}, value(text))))));
    return h("div", { class: "tree" }, [...groups].map(([key, rows]) => (key === ""
      ? table(rows)
      : h("details", { open: rows.length <= 12 || rows.some((row) => row[2]) }, h("summary", { class: rows.some((row) => row[2]) ? "changed" : "" }, key), table(rows)))));
  }

  // ---- the explorer ------------------------------------------------------------------------------
  // A tree of visits: each has a state, the move that led there, and the visit before.
  const visits = [];
  let here = -1;
  let seen = null;
  async function begin() {
    try {
      const starts = (await ask("start")).starts;
      if (!starts.length) throw new Error("there is no initial state");
      visits.length = 0;
      starts.forEach((state) => visits.push({ state, move: null, before: -1 }));
      await visit(0);
    } catch (error) { fail(error); }
  }
  async function visit(n) {
    here = n;
    complaint = null;
    seen = null;
    draw();
    try {
      const state = visits[n].state.id;
      const answer = await ask("seen?current=" + encodeURIComponent(state));
      if (here === n && visits[n].state.id === state) { seen = answer; drawSeen(); }
    } catch (error) { fail(error); }
  }
  async function take(move) {
    if (move.to === null) { complaint = move.fault || "this move leaves no state"; draw(); return; }
    const known = visits.findIndex((one) => one.before === here && one.move && one.move.n === move.n);
    if (known >= 0) { await visit(known); return; }
    try {
      const state = await ask("state/" + move.to);
      visits.push({ state, move, before: here });
      await visit(visits.length - 1);
    } catch (error) { fail(error); }
  }
  async function follow(one) {
    try {
      const answer = await ask("follow", { steps: one.witness.steps.slice(1) });
      visits.length = 0;
      answer.path.forEach((each, n) => visits.push({ state: each.state, move: each.move, before: n - 1 }));
      tab = "explore";
      await visit(0);
      if (answer.missing) { complaint = answer.missing; draw(); }
    } catch (error) { fail(error); }
  }
  function pathTo(n) { const path = []; for (let i = n; i >= 0; i = visits[i].before) path.unshift(i); return path; }
  function exploreTab() {
    if (here < 0) { begin(); return [h("p", { class: "soft" }, "The initial states are worked out…")]; }
    const visited = visits[here];
    const state = visited.state;
    const before = visited.before >= 0 ? new Map(visits[visited.before].state.values) : null;
    const values = new Map(state.values);
    const changed = new Set(before ? [...values].filter(([name, text]) => before.get(name) !== text).map(([name]) => name) : []);
    const gone = before ? [...before.keys()].filter((name) => !values.has(name)) : [];
    const moves = state.moves.map((move, n) => h("li", {}, h("button", { type: "button", class: move.fault ? "bad" : "", "data-move": n, onclick: () => take(move) },
      n < 9 ? h("kbd", {}, n + 1) : null, " ", move.steps.map((step) => (actor(step) ? actor(step) + ": " : "") + step.step).join("; "), move.fault ? ` — ${move.fault}` : "", move.alike > 1 ? ` (${move.alike} alike)` : "")));
    const rest = { deadlock: "Deadlock: nothing can happen, and not everything may stop here.", end: "The end: everything is where it may stop.", unfinished: "The end, and a trace is unfinished." }[state.rest];
    const path = pathTo(here);
    const starts = visits.filter((one) => one.before < 0 && one.move === null);
    return [
      h("div", { class: "row" },
        h("button", { type: "button", id: "back", disabled: visited.before < 0, onclick: () => visit(visited.before) }, "Back"),
        h("button", { type: "button", onclick: begin }, "Start again"),
        h("button", { type: "button", disabled: !state.moves.length, onclick: () => take(state.moves[Math.floor(Math.random() * state.moves.length)]) }, "Random step"),
        starts.length > 1 && visited.before < 0 ? h("select", { "aria-label": "Initial state", onchange: (event) => visit(Number(event.target.value)) }, starts.map((one, n) => h("option", { value: n, selected: n === here }, `initial state ${n + 1}`))) : null,
        h("span", { class: "soft" }, `state ${state.id}, after ${plural(path.length - 1, "move", "moves")}`)),
      state.wrong.map((fault) => h("div", { class: "message error" }, fault)),
      rest ? h("div", { class: "message " + (state.rest === "deadlock" ? "error" : "") }, rest) : null,
      state.cut ? h("div", { class: "message" }, "Not all moves were looked for: that took too long.") : null,
      h("div", { class: "columns" },
        h("div", {}, h("h2", {}, "What can happen"), h("ul", { class: "plain moves", id: "moves" }, moves)),
        h("div", {}, h("h2", {}, "State"), valueTable(values, changed), gone.length ? h("p", { class: "soft" }, "gone: " + gone.join(", ")) : null,
          state.locations.length ? [h("h3", {}, "Where each is"), valueTable(new Map(state.locations), new Set())] : null),
        h("div", {}, h("h2", {}, "History"), h("ol", { class: "plain", id: "history" }, path.map((n) => h("li", {}, h("button", { type: "button", "aria-current": n === here ? "step" : null, onclick: () => visit(n) },
          visits[n].move ? visits[n].move.steps.map((step) => step.step).join("; ") : "start"))),
          visits.map((one, n) => [one, n]).filter(([one]) => one.before === here).map(([one, n]) => h("li", {}, h("button", { type: "button", class: "soft", onclick: () => visit(n) }, "↳ " + one.move.steps.map((step) => step.step).join("; "))))))),
      h("h2", {}, "States seen so far"), h("div", { class: "frame", id: "seen" }),
    ];
  }
  function drawSeen() {
    const frame = $("seen");
    if (!frame || !seen) return;
    frame.replaceChildren(picture(seen.svg));
    frame.querySelectorAll("g.node").forEach((node) => {
      const id = Number(node.dataset.node);
      const known = visits.findIndex((one) => one.state.id === id);
      const open = () => { if (known >= 0) visit(known); };
      node.addEventListener("click", open);
      node.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
    });
  }

  // ---- state spaces ------------------------------------------------------------------------------
  let wanted = { as: "", where: "", hide_self_loops: false };
  let shownView = 0;
  function viewsTab() {
    const panel = [];
    if (live) {
      const show = async (event) => {
        event.preventDefault();
        try {
          const done = await perform("view", wanted);
          known.views.unshift(done.view);
          shownView = 0;
          draw();
        } catch (error) { fail(error); }
      };
      const kinds = { "": "what fits a screen", signature: "merged by enabled operations", dfa: "deterministic", bisimulation: "bisimulation quotient", quotient: "one state an orbit", full: "all states" };
      panel.push(h("form", { class: "row", onsubmit: show },
        h("select", { "aria-label": "Abstraction", onchange: (event) => { wanted.as = event.target.value; } }, Object.entries(kinds).map(([word, label]) => h("option", { value: word, selected: word === wanted.as }, label))),
        h("label", {}, h("input", { type: "checkbox", checked: wanted.hide_self_loops, onchange: (event) => { wanted.hide_self_loops = event.target.checked; } }), " without self-loops"),
        h("button", { type: "submit", class: "primary", id: "draw" }, "Draw the state space")));
    }
    if (!known.views.length) { panel.push(h("p", { class: "soft" }, live ? "Nothing was drawn yet." : "This page has no picture of the state space: `orbit view MODEL --html FILE` makes one.")); return panel; }
    const view = known.views[Math.min(shownView, known.views.length - 1)];
    if (known.views.length > 1) panel.push(h("select", { "aria-label": "Picture", onchange: (event) => { shownView = Number(event.target.value); draw(); } }, known.views.map((one, n) => h("option", { value: n, selected: n === shownView }, one.title))));
    panel.push(h("h2", {}, view.title), (view.notes || []).map((note) => h("p", { class: "soft" }, note)));
    panel.push(h("div", { class: "row" }, [["−", 1 / 1.25], ["+", 1.25]].map(([sign, factor]) => h("button", { type: "button", "aria-label": factor > 1 ? "Larger" : "Smaller", onclick: () => zoom(factor) }, sign)),
      h("button", { type: "button", onclick: () => copy(view.svg, "SVG") }, "Copy as SVG"), view.dot ? h("button", { type: "button", onclick: () => copy(view.dot, "DOT") }, "Copy as DOT") : null));
    const frame = h("div", { class: "frame", id: "view", tabindex: "0", "aria-label": view.title }, picture(view.svg));
    const picked = h("div", { id: "picked", "aria-live": "polite" });
    frame.querySelectorAll("g.node").forEach((node) => {
      const show = () => {
        frame.querySelectorAll("g.node.picked").forEach((other) => other.classList.remove("picked"));
        node.classList.add("picked");
        const title = node.querySelector("title");
        const member = (view.members || [])[Number(node.dataset.node)];
        const expand = async () => {
          try {
            // States have numbers in the views that show each of them.
            const done = await perform("view", { as: view.kind === "full" ? "full" : "quotient", around: member });
            known.views.unshift(done.view);
            shownView = 0;
            draw();
          } catch (error) { fail(error); }
        };
        picked.replaceChildren(h("pre", {}, title ? title.textContent : "node " + node.dataset.node),
          live && member !== null && member !== undefined ? h("button", { type: "button", id: "expand", onclick: expand }, "Look around a state of it") : "");
      };
      node.addEventListener("click", show);
      node.addEventListener("keydown", (event) => { if (event.key === "Enter") show(); });
    });
    panel.push(frame, picked);
    return panel;
  }
  function zoom(factor) {
    const svg = $("view").querySelector("svg");
    const width = svg.getBoundingClientRect().width * factor;
    svg.setAttribute("width", width);
    svg.removeAttribute("height");
  }

  // ---- symmetry ----------------------------------------------------------------------------------
  function symmetryTab() {
    const panel = [];
    if (live) {
      panel.push(h("div", { class: "row" }, h("button", {
        type: "button", class: "primary", id: "find-symmetry",
        onclick: async () => { try { const done = await perform("symmetry", {}); known.symmetry = done.result; draw(); } catch (error) { fail(error); } },
      }, "Look for symmetry")));
    }
    const found = known.symmetry;
    const used = known.check && known.check.symmetry;
    if (!found && !used) { panel.push(h("p", { class: "soft" }, "Nothing was looked for yet.")); return panel; }
    const group = found || used;
    panel.push(h("h2", {}, "Group"), facts([["structure", group.structure], ["order", group.group_order], ["advice", group.advice], ["not known", group.reason]]));
    if (group.generators.length) panel.push(h("h3", {}, "Generated by"), h("ul", { class: "plain" }, group.generators.map((one) => h("li", {}, h("code", {}, one.cycles), one.sort ? ` of ${one.sort}` : ""))));
    if (found && found.orbits) {
      const orbits = [...found.orbits.processes.map((orbit) => ["processes", orbit]), ...found.orbits.channels.map((orbit) => ["channels", orbit])];
      panel.push(h("h3", {}, "Who can be exchanged with whom"), h("table", { class: "list" }, h("tbody", {}, orbits.map(([kind, orbit]) => h("tr", {}, h("td", { class: "soft" }, kind), h("td", {}, h("code", {}, orbit.join(" ↔ "))), h("td", { class: "soft" }, orbit.length > 1 ? "" : "alone"))))));
    }
    const sorts = (group.sorts || []).filter((sort) => sort.members.length > 1);
    if (sorts.length) panel.push(h("h3", {}, "Sorts"), h("table", { class: "list" }, h("tbody", {}, sorts.map((sort) => h("tr", {}, h("td", {}, h("code", {}, sort.name)), h("td", { class: "soft" }, sort.kind), h("td", {}, sort.members.join(", ")), h("td", { class: sort.moves ? "holds" : "soft" }, sort.moves === null ? "" : sort.moves ? "moved by a symmetry" : "moved by none"))))));
    for (const property of (found && found.properties) || []) {
      panel.push(h("h3", {}, h("code", {}, property.name)), facts([["structure", property.structure], ["order", property.group_order], ["not known", property.reason]]),
        h("ul", { class: "plain" }, property.generators.map((one) => h("li", {}, h("code", {}, one.cycles)))));
    }
    const blockers = [...((found && found.making) || []), ...((found && found.blockers) || [])];
    if (blockers.length) {
      panel.push(h("h2", {}, "What stands in the way of more"), h("table", { class: "list" }, h("tbody", {}, blockers.map((one) => h("tr", {},
        h("td", {}, toLine(one.line)), h("td", {}, h("code", {}, one.of.join(", "))), h("td", {}, one.reason, h("div", { class: "soft" }, one.advice, one.tried ? ` — tried: that gives ${one.tried}` : "")))))));
    }
    const rejected = [...((found && found.rejected) || []), ...((!found && used.rejected) || [])];
    if (rejected.length) panel.push(h("h2", {}, "Permutations that are no symmetries"), h("ul", { class: "plain" }, rejected.map((one) => h("li", {}, h("code", {}, one.cycles || one.generator || JSON.stringify(one)), " ", one.reason || ""))));
    for (const drawn of (found && found.drawings) || []) panel.push(h("h2", {}, drawn.title), (drawn.notes || []).map((note) => h("p", { class: "soft" }, note)), h("div", { class: "frame" }, picture(drawn.svg)));
    if (found) panel.push(diagnostics(found.diagnostics));
    return panel;
  }

  // ---- the whole ---------------------------------------------------------------------------------
  const TABS = [
    ["result", "Result", resultTab, () => live || known.check],
    ["run", "Run", runTab, () => live || runs().length],
    ["explore", "Explore", exploreTab, () => live],
    ["views", "State space", viewsTab, () => live || known.views.length],
    ["symmetry", "Symmetry", symmetryTab, () => live || known.symmetry || (known.check && known.check.symmetry)],
  ];
  function head() {
    $("name").textContent = known.model.path || "";
    const verdict = known.check && known.check.verdict;
    $("verdict").hidden = !verdict;
    if (verdict) { $("verdict").className = "pill " + verdict; $("verdict").textContent = words(verdict); }
  }
  function draw() {
    const open = TABS.filter(([, , , is]) => is());
    if (!open.some(([name]) => name === tab)) tab = open.length ? open[0][0] : null;
    const focused = document.activeElement && document.activeElement.id;
    $("tabs").replaceChildren(...open.map(([name, title]) => h("button", {
      type: "button", role: "tab", id: "tab-" + name, "aria-selected": String(name === tab), "aria-controls": "panel", tabindex: name === tab ? "0" : "-1",
      onclick: () => { tab = name; draw(); $("tab-" + name).focus(); },
    }, title)));
    const panel = $("panel");
    panel.setAttribute("aria-labelledby", "tab-" + tab);
    const shown = open.find(([name]) => name === tab);
    const content = shown ? shown[2]() : [h("p", {}, "There is nothing to show.")];
    panel.replaceChildren(...[complaint ? h("div", { class: "message error", role: "alert" }, complaint) : null, content].flat(4).filter((one) => one !== null && one !== undefined && one !== false));
    if (tab === "run" && run && runs().length) {
      document.querySelectorAll("#chart g.step").forEach((one) => one.addEventListener("click", () => go(Number(one.dataset.step.split(" ")[0]))));
      drawStep();
    } else if (tab === "explore" && here >= 0) {
      drawSeen();
      const at = visits[here].state.places.map((place) => ({ ...place, kind: "at" }));
      mark([...at, ...restingMarks()], true);
    } else mark(restingMarks(), false);
    if (focused && $(focused) && document.activeElement !== $(focused)) $(focused).focus();
  }
  $("tabs").addEventListener("keydown", (event) => {
    const open = [...$("tabs").children];
    const now = open.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    open[(next + open.length) % open.length].click();
  });
  document.addEventListener("keydown", (event) => {
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (tab === "run" && run) {
      if (event.key === "ArrowRight") { event.preventDefault(); go(at + 1); }
      if (event.key === "ArrowLeft") { event.preventDefault(); go(at - 1); }
    }
    if (tab === "explore" && here >= 0) {
      const move = visits[here].state.moves[Number(event.key) - 1];
      if (/^[1-9]$/.test(event.key) && move) take(move);
      if (event.key === "Backspace" && visits[here].before >= 0) { event.preventDefault(); visit(visits[here].before); }
    }
    if (event.key === "?") {
      const dialog = h("dialog", { "aria-label": "Keys" }, h("h2", {}, "Keys"),
        h("p", {}, h("kbd", {}, "←"), " ", h("kbd", {}, "→"), " one step of a run back or forward; between views where a view's name has the focus"),
        h("p", {}, h("kbd", {}, "1"), " … ", h("kbd", {}, "9"), " take that move in the explorer, ", h("kbd", {}, "Backspace"), " goes back"),
        h("form", { method: "dialog" }, h("button", {}, "Close")));
      dialog.addEventListener("close", () => dialog.remove());
      document.body.append(dialog);
      dialog.showModal();
    }
  });
  if (data.tab) tab = data.tab;
  else if (!live && known.check && known.check.verdict === "violated" && runs().length) tab = "run";
  head();
  draw();
})();
