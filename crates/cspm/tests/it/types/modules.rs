//! Modules and instances.

use super::{error_of, first_error_of, type_of};

const MODULE: &str = "module M(X)\n  hidden = X\nexports\n  channel c : X\n  datatype D = K.X\n  \
                      f(x) = c.x -> STOP\n  same(x, y) = x == (K.y)\nendmodule\n";

#[test]
fn an_instance_has_the_types_of_its_arguments() {
    let text = format!("{MODULE}instance I = M({{0..1}})\ninstance J = M(Bool)\n");
    assert_eq!(type_of("I::c", &text), "Int => Event");
    assert_eq!(type_of("J::c", &text), "Bool => Event");
    assert_eq!(type_of("I::f", &text), "(Int) -> Proc");
    assert_eq!(type_of("J::K", &text), "Bool => J::D");
    assert_eq!(type_of("I::same", &text), "(I::D, Int) -> Bool");
}

#[test]
fn instances_have_datatypes_of_their_own() {
    let text =
        format!("{MODULE}instance I = M({{0}})\ninstance J = M({{0}})\nx = (I::K.0) == (J::K.0)\n");
    assert_eq!(
        error_of(&text),
        "11:17: this is `J::D`, and `I::D` is wanted"
    );
}

#[test]
fn modules_without_parameters_and_the_script_use_each_other() {
    let text = "a = M::b\nmodule M\n  q = c\nexports\n  b = q + 1\n  module N\n  exports\n    \
                d = q\n  endmodule\nendmodule\nc = 1\nx = M::N::d\ninstance I = M\ny = I::N::d\n";
    assert_eq!(type_of("x", text), "Int");
    assert_eq!(type_of("y", text), "Int");
    assert_eq!(type_of("a", text), "Int");
}

#[test]
fn modules_inside_modules_are_made_step_by_step() {
    let text = "module M(x)\nexports\n  module N(y)\n  exports\n    g = (x, y)\n    \
                datatype T = A.y\n  endmodule\nendmodule\ninstance I = M(1)\n\
                instance J = I::N({true})\n\
                g :: J::T\ng = J::A.true\n";
    assert_eq!(type_of("J::g", text), "(Int, {Bool})");
    assert_eq!(type_of("g", text), "J::T");
    assert_eq!(type_of("J::A", text), "Bool => J::T");
}

#[test]
fn instances_can_be_used_before_they_are_declared() {
    let text = "x = I::g\ninstance I = M(1)\nmodule M(y)\nexports\n  g = y\nendmodule\n";
    assert_eq!(type_of("x", text), "Int");
}

#[test]
fn patterns_may_speak_of_labels_of_instances() {
    let text = "I::K.x = I::K.3\nf(I::K.x) = x\ny = f(I::K.2) + x\ninstance I = M({0..3})\n\
                module M(X)\nexports\n  datatype T = K.X\nendmodule\n";
    assert_eq!(type_of("y", text), "Int");
    assert_eq!(type_of("x", text), "Int");
}

#[test]
fn what_is_not_seen_is_said() {
    for (text, error) in [
        ("x = M::c\n", "9:5: the module `M` has parameters"),
        (
            "instance I = M({0})\nx = I::hidden\n",
            "10:5: `I::hidden` is private to its module",
        ),
        (
            "instance I = M({0})\nx = I::g\n",
            "10:5: `I::g` is not declared: there is no `g` there",
        ),
        (
            "x = N::c\n",
            "9:5: `N::c` is not declared: there is no `N` there",
        ),
        ("x = M\n", "9:5: `M` is a module, not a value"),
        ("instance I = x\nx = 1\n", "9:14: `x` is not a module"),
        (
            "instance I = M({0}, 1)\n",
            "9:1: the module `M` has 1 parameter, and 2 are given",
        ),
        ("M = 1\n", "9:1: `M` is declared twice"),
        (
            "instance I = M({})\n",
            "9:1: the fields of the channel `I::c` have no definite type",
        ),
        ("f(M::c.0) = 1\n", "9:3: the module `M` has parameters"),
    ] {
        assert_eq!(error_of(&format!("{MODULE}{text}")), error, "{text}");
    }
}

#[test]
fn instances_without_end_are_refused() {
    let text = "module A(x)\nexports\n  instance I = B(x)\nendmodule\nmodule B(x)\nexports\n  \
                instance J = A(x)\nendmodule\n";
    let error = first_error_of(text);
    assert!(error.ends_with("contains itself"), "{error}");
    let text = "module A(x)\nexports\n  y = I::y\nendmodule\ninstance I = A(1)\n";
    let error = error_of(text);
    assert!(error.ends_with("uses this instance of itself"), "{error}");
    let text = "module A(x)\nexports\n  instance I = A(x)\nendmodule\n";
    let error = first_error_of(text);
    assert!(error.ends_with("contains itself"), "{error}");
}

#[test]
fn a_parameter_is_not_called_like_a_definition() {
    let text = "module A(x)\nexports\n  x = 1\nendmodule\n";
    assert_eq!(error_of(text), "1:10: `x` is declared twice");
}
