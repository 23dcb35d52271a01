//! References, public variables and scalarsets: what is accepted, what it becomes, what is kept
//! beside the model. What is refused is in `models/promela/reject`.

use crate::lower::model;
use crate::run::{check, model as typed};
use model::processes::listing::listing;
use model::processes::program::{Action, DeclaredSort, KeyPart, Model};

/// The names of the fields in which a sort says that members are.
fn values(model: &Model, sort: &DeclaredSort) -> Vec<String> {
    let name = |(kind, field): &(_, model::processes::layout::FieldId)| {
        let kind = model.layout.kind(*kind);
        format!("{}.{}", kind.name, kind.fields[field.index()].name)
    };
    sort.values.iter().map(name).collect()
}

/// The names of the fields that members index, and at which dimension.
fn dimensions(model: &Model, sort: &DeclaredSort) -> Vec<(String, usize)> {
    let name = |(kind, field, at): &(_, model::processes::layout::FieldId, usize)| {
        let kind = model.layout.kind(*kind);
        (kind.fields[field.index()].name.clone(), *at)
    };
    sort.dimensions.iter().map(name).collect()
}

/// The messages that hold members, by the name of the channel.
fn messages(model: &Model, sort: &DeclaredSort) -> Vec<(String, usize)> {
    let name = |(kind, at): &(model::processes::layout::KindId, usize)| {
        (model.layout.kind(*kind).name.clone(), *at)
    };
    sort.messages.iter().map(name).collect()
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let said = check(text);
    assert_eq!(said.errors, [message], "{text}");
}

const CONNECT: &str = "mtype = { req };
    ref server favourite;
    active [3] proctype client() {
        ref server to;
        public chan answers = [1] of { mtype };
        byte n;
        to = anyRef(server);
        server[to].requests!req, _lid;
        answers?req; n++
    }
    active [2] proctype server() {
        byte _state;
        public chan requests = [4] of { mtype, ref client };
        public ref client who[2];
        ref client c;
        requests?req, c;
        client[c].answers!req;
        who[1] = c
    }";

#[test]
fn what_is_declared_is_kept_beside_the_model() {
    let model = model(CONNECT);
    let [server, client] = model.declared_sorts.as_slice() else {
        panic!("{:?}", model.declared_sorts);
    };
    assert_eq!(
        (&*server.name, server.n_members, server.undefined),
        ("server", 2, 255)
    );
    assert_eq!(
        (&*client.name, client.n_members, client.undefined),
        ("client", 3, 255)
    );
    assert_eq!(
        values(&model, server),
        [".favourite", "client.to", "server._lid"]
    );
    assert_eq!(
        values(&model, client),
        [".server[].who[]", "client._lid", "server.c"]
    );
    assert_eq!(
        dimensions(&model, server),
        [
            ("server[].requests".to_owned(), 0),
            ("server[].who[]".to_owned(), 0)
        ]
    );
    assert_eq!(
        dimensions(&model, client),
        [("client[].answers".to_owned(), 0)]
    );
    assert_eq!(messages(&model, server), []);
    assert_eq!(messages(&model, client), [("requests".to_owned(), 1)]);
}

#[test]
fn the_key_of_an_instance_is_in_the_order_of_the_text() {
    let model = model(CONNECT);
    let words = |sort: &DeclaredSort| {
        let instances = sort.instances.as_ref().expect("a process type");
        let own = &model
            .layout
            .kind(model.proctype(instances.proctype).kind)
            .fields;
        let word = |part: &KeyPart| match part {
            KeyPart::Location => "location".to_owned(),
            KeyPart::Own(field) => own[field.index()].name.clone(),
            KeyPart::Public(field) => model.layout.globals().fields[field.index()].name.clone(),
        };
        let lid = instances.own.map(|field| own[field.index()].name.clone());
        assert_eq!(lid.as_deref(), Some("_lid"));
        instances.key.iter().map(word).collect::<Vec<_>>()
    };
    assert_eq!(
        words(&model.declared_sorts[0]),
        ["location", "server[].requests", "server[].who[]", "c"]
    );
    assert_eq!(
        words(&model.declared_sorts[1]),
        ["to", "client[].answers", "n", "location"]
    );
}

#[test]
fn instances_are_numbered_from_the_first_of_their_type() {
    let text = "active [2] proctype a() { skip } init { skip }
        active [2] proctype b() { ref b me = _lid; me == _lid }";
    let model = model(text);
    let shown = listing(&model);
    assert!(shown.contains("_lid = (_pid - 3)"), "{shown}");
    assert!(shown.contains("me = _lid"), "{shown}");
    assert_eq!(model.declared_sorts[0].n_members, 2);
}

#[test]
fn choices_are_options() {
    let n_assignments = |body: &str| {
        let text = format!(
            "active [2] proctype p() {{ public byte x; ref p r; ref q s; {body} }}
             active [3] proctype q() {{ public ref p y; skip }}"
        );
        let model = model(&text);
        let start = &model.proctypes[0].locations[model.proctypes[0].start.index()];
        let steps = start.steps.iter().map(|s| &model.step(*s).action);
        let those = steps.filter(|a| !matches!(a, Action::Skip | Action::Else));
        those.count()
    };
    assert_eq!(n_assignments("r = anyRef(p)"), 2);
    assert_eq!(n_assignments("q[anyRef(q)].y = anyRef(p)"), 6);
    assert_eq!(n_assignments("p[q[anyRef(q)].y].x++"), 3);
    assert_eq!(
        n_assignments("if :: s = anyRef(q) :: r = anyRef(p) :: x = 1 fi"),
        6
    );
    assert_eq!(n_assignments("p[anyRef(p)].x == 1"), 2);
    assert_eq!(
        n_assignments("{ s = anyRef(q) } unless { r = anyRef(p) }"),
        5
    );
}

#[test]
fn too_many_choices_are_refused() {
    let text = "active [20] proctype p() { public ref p x;
        p[anyRef(p)].x = anyRef(p);
        p[p[p[anyRef(p)].x].x].x = anyRef(p);
        p[anyRef(p)].x == p[anyRef(p)].x && p[anyRef(p)].x != _undef_ref }";
    refused(text, "4:9: this is a choice of more than 4096 options");
}

#[test]
fn what_members_can_do_is_accepted() {
    typed(
        "scalarset P[3]; scalar Q[2];
        P p; byte st[P], cells[P]; P of_byte[4]; typedef T { P inside; byte a[P] }; T t[2];
        chan c = [2] of { P, byte };
        chan d = [1] of { chan };
        proctype user(P me; byte n) {
            P j, k = p;
            p = me; p = 3; of_byte[n] = me; t[1].inside = me; t[0].a[me] = 4;
            me == j; me != 3; j == p -> c!me, 2;
            c?j, n; c?eval(me), _; c??[3, n]; c?<j, n>;
            d!c; d?c;
            st[me] = st[p] + cells[of_byte[2]];
            p = anyRef(P); st[anyRef(P)]--;
            printf(\"%d\", me);
            P late; byte got = len(c)
        }
        init { P i; atomic { for (i in P) { run user(i, 3) } } }",
    );
    typed(
        "active [2] proctype a() {
            public ref b other = _undef_ref;
            public byte n = 3;
            ref a peer, list[3];
            peer = b[other].back;
            a[peer].n = a[b[b[other].next].back].n + n;
            a[b[b[other].next].back].other = b[b[other].next].next;
            list[n] = peer; peer = list[0];
            peer == _undef_ref || peer != list[2] || peer == _lid
        }
        active [2] proctype b() { public ref a back; public ref b next; skip }",
    );
}

#[test]
fn names_of_the_model_come_before_those_of_the_language() {
    // The instance is still found where its number has another name.
    let text = "byte _lid; active [2] proctype p() { public byte x; x = _lid; p[r].x = 1 }";
    let said = check(&text.replace("public byte x;", "public byte x; ref p r;"));
    assert_eq!(said.errors, [] as [&str; 0], "{}", said.drawn);
    refused(
        "byte _undef_ref; active [2] proctype p() { ref p r; r = _undef_ref }",
        "1:57: this is not a reference to `p`",
    );
}

#[test]
fn later_types_of_public_variables_are_known_in_their_own_process() {
    typed(
        "active proctype a() { skip }
        typedef T { byte f };
        active [2] proctype b() { public T t; public byte n; t.f = 1; b[_lid].t.f = n }
        active proctype c() { ref b r; b[r].t.f = 1 }",
    );
    let early = "active proctype a() { ref b r; b[r].t.f = 1 }
        typedef T { byte f };
        active [2] proctype b() { public T t; t.f = 1 }";
    refused(early, "1:37: `b` has no public variable `t` known here");
}

#[test]
fn rules_that_speak_alone_are_reported() {
    refused(
        "proctype p() { byte n; n = 1; _lid == _lid } init { run p() }",
        "1:31: no instances of `p` run from the start",
    );
    refused(
        "active [2] proctype p() provided (_lid != _undef_ref) { skip }",
        "1:35: `provided` can speak of global variables only",
    );
    refused(
        "active [2] proctype p() provided (x) { public bool x; skip }",
        "1:35: `x` is not declared",
    );
    refused(
        "active [2] proctype p() { public byte x; byte x; skip }",
        "1:47: `x` is declared already",
    );
    refused(
        "byte x; active [2] proctype p() { public byte x; skip }",
        "1:47: `x` is declared already",
    );
    refused(
        "active [2] proctype p() { skip; { public byte x; x = 1 } }",
        "1:35: a public variable is declared before the first statement of its process",
    );
    refused(
        "byte g; active [2] proctype p() { public byte x = g; skip }",
        "1:47: the public variable `x` starts as no constant",
    );
    refused(
        "active [2] proctype p() { ref p r; ref p a[2] = { 0, 1 }; r = r }",
        "1:49: a list of numbers is no list of references to `p`",
    );
    refused(
        "chan c = [1] of { ref p }; chan d = [1] of { byte }; chan e;
        active [2] proctype p() { e = c; e = d }",
        "2:46: a reference to `p` meets a number here",
    );
    refused(
        "hidden ref p h; active [2] proctype p() { atomic { h = _lid; h = _undef_ref } }",
        "1:14: `h` holds references or members, so it cannot be hidden",
    );
    refused(
        "chan c = [1] of { byte }; active [2] proctype p() { c!_undef_ref }",
        "1:53: the undefined reference meets what is no reference here",
    );
    refused(
        "scalarset P[2]; byte n = 2; byte a[n]; P x; init { x = _undef_ref }",
        "1:56: this is not a member of `P`",
    );
    refused(
        "scalarset P[2]; P x; byte a[x]; init { skip }",
        "1:29: a constant is needed here; `x` is none",
    );
    refused(
        "scalarset P[2]; init { P j; j = 0; do :: j < 2 -> skip; j++ :: else -> break od }",
        "1:29: a loop over a scalarset stands in `atomic` or `d_step` only",
    );
}

#[test]
fn loops_in_every_form_are_one() {
    let listing_of = |rounds: &str| {
        let text = format!("scalarset P[3]; byte a[P]; init {{ P j; atomic {{ {rounds} }} }}");
        listing(&model(&text))
    };
    let first = listing_of("for (j in P) { a[j] = 1 }");
    assert!(first.contains("a[j] = 1"), "{first}");
    for other in [
        "for (j in a) { a[j] = 1 }",
        "for (j : 0 .. 2) { a[j] = 1 }",
        "j = 0; do :: j < 3 -> a[j] = 1; j++ :: else -> break od",
        "j = 0; do :: j == 3 -> break :: j < 3 -> a[j] = 1; j++ od",
    ] {
        assert_eq!(listing_of(other), first, "{other}");
    }
}
