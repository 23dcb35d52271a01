// The extension starts the server and lets it speak: under a stub of the editor, with the real
// server if ORBIT_PROGRAM names it or it was built in this checkout.

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const test = require("node:test");

const built = path.join(__dirname, "../../../target/debug/orbit");
const program = process.env.ORBIT_PROGRAM ?? built;

/** Anything that the client asks of the editor and that does not matter here. */
function anything(name) {
  const target = function () {};
  return new Proxy(target, {
    get(_, key) {
      if (key === Symbol.toPrimitive) return () => name;
      if (key === Symbol.iterator) return function* () {};
      if (key === "then") return undefined;
      if (key === "prototype") return target.prototype;
      return anything(`${name}.${String(key)}`);
    },
    apply: () => anything(`${name}()`),
    construct: () => anything(`new ${name}`),
  });
}

const disposable = { dispose() {} };

/** A stub of the module `vscode` with these settings; it notes what is registered and shown. */
function editor(settings) {
  const noted = { commands: new Map(), shown: [], published: [] };
  class Emitter {
    event = () => disposable;
    fire() {}
    dispose() {}
  }
  class Uri {
    constructor(text) {
      this.text = text;
      this.scheme = text.split(":")[0];
    }
    static parse = (text) => new Uri(text);
    toString = () => this.text;
  }
  class Plain {
    constructor(...parts) {
      this.parts = parts;
    }
  }
  class CancellationTokenSource {
    token = { isCancellationRequested: false, onCancellationRequested: () => disposable };
    cancel() {}
    dispose() {}
  }
  const document = {
    uri: new Uri("file:///orbit/model.pml"),
    languageId: "promela",
    version: 1,
    isDirty: true,
    isClosed: false,
    getText: () => "active proctype P() { x = 1 }\n",
    save: async () => {
      document.isDirty = false;
      return true;
    },
  };
  const known = {
    version: "1.90.0",
    Uri,
    EventEmitter: Emitter,
    CancellationTokenSource,
    Disposable: class {
      dispose() {}
    },
    CancellationError: class extends Error {},
    env: { language: "en", appName: "stub", uriScheme: "stub" },
    extensions: { getExtension: () => undefined, all: [] },
    commands: {
      registerCommand(name, work) {
        noted.commands.set(name, work);
        return disposable;
      },
      executeCommand: async () => undefined,
    },
    workspace: new Proxy(
      {
        textDocuments: [document],
        notebookDocuments: [],
        workspaceFolders: undefined,
        getConfiguration: () => ({ get: (name) => settings[name] }),
        createFileSystemWatcher: () => ({
          onDidCreate: () => disposable,
          onDidChange: () => disposable,
          onDidDelete: () => disposable,
          dispose() {},
        }),
      },
      { get: (own, key) => (key in own ? own[key] : () => disposable) },
    ),
    window: new Proxy(
      {
        visibleTextEditors: [],
        tabGroups: { all: [], onDidChangeTabs: () => disposable },
        createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {} }),
        showErrorMessage: async (words) => void noted.shown.push(words),
      },
      { get: (own, key) => (key in own ? own[key] : () => disposable) },
    ),
    languages: new Proxy(
      {
        match: () => 10,
        createDiagnosticCollection: () => ({
          set: (uri, all) => noted.published.push([String(uri), all]),
          delete() {},
          clear() {},
          dispose() {},
        }),
      },
      { get: (own, key) => (key in own ? own[key] : () => disposable) },
    ),
  };
  for (const name of ["CodeLens", "CompletionItem", "Diagnostic", "DocumentLink", "InlayHint",
    "CodeAction", "SymbolInformation", "CallHierarchyItem", "TypeHierarchyItem", "Position",
    "Range", "Location", "DiagnosticRelatedInformation"]) {
    known[name] = Plain;
  }
  const stub = new Proxy(known, {
    get: (own, key) => (key in own ? own[key] : anything(`vscode.${String(key)}`)),
  });
  return { stub, noted, document };
}

/** The extension, loaded anew beside this editor. */
function extension(stub) {
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? stub : load(name, ...rest));
  try {
    const file = path.join(__dirname, "../out/extension.js");
    delete require.cache[require.resolve(file)];
    return require(file);
  } finally {
    Module._load = load;
  }
}

async function until(what, is) {
  for (let n = 0; n < 600; n += 1) {
    if (is()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`${what}: it does not come about`);
}

test("the server is started, hears of documents, and its messages are shown", async (t) => {
  if (!fs.existsSync(program)) return t.skip(`there is no ${program}`);
  const { stub, noted } = editor({ path: program, checkFlags: [], symmetry: false });
  const { activate, deactivate } = extension(stub);
  await activate({ subscriptions: [] });
  assert.deepEqual(noted.shown, []);
  for (const command of ["orbit.restart", "orbit.check", "orbit.stop"]) {
    assert.ok(noted.commands.has(command), `${command} is registered`);
  }
  await until("a message", () => noted.published.some(([, all]) => all.length > 0));
  const [uri, all] = noted.published.find(([, all]) => all.length > 0);
  assert.equal(uri, "file:///orbit/model.pml");
  assert.match(JSON.stringify(all[0]), /`x` is not declared/);
  await deactivate();
});

test("a text that has changed is saved before it is checked", async (t) => {
  if (!fs.existsSync(program)) return t.skip(`there is no ${program}`);
  const { stub, noted, document } = editor({ path: program, checkFlags: [], symmetry: false });
  const { activate, deactivate } = extension(stub);
  await activate({ subscriptions: [] });
  await noted.commands.get("orbit.check")("file:///orbit/model.pml");
  assert.equal(document.isDirty, false);
  await deactivate();
});

test("a program that is not there is told", async () => {
  const { stub, noted } = editor({ path: "/orbit/nothing", checkFlags: [], symmetry: false });
  const { activate, deactivate } = extension(stub);
  await activate({ subscriptions: [] });
  assert.match(noted.shown.join("\n"), /cannot be started/);
  await deactivate();
});

test("every language has a grammar and a configuration that are there", () => {
  const root = path.join(__dirname, "..");
  const { contributes } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const grammars = contributes.grammars.map((grammar) => grammar.language);
  assert.deepEqual(grammars, contributes.languages.map((language) => language.id));
  const files = [...contributes.grammars.map((one) => one.path),
    ...contributes.languages.map((one) => one.configuration)];
  for (const file of files) {
    JSON.parse(fs.readFileSync(path.join(root, file), "utf8"));
  }
});
