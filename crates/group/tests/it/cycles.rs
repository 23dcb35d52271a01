//! Cycle notation: what it accepts, what it refuses and where, and that it never panics.

use group::Perm;
use group::cycles::{
    CycleError, PointNames, parse_named, parse_numbered, write_cycles, write_numbered,
};
use proptest::prelude::*;

#[test]
fn numbers_with_spaces_or_commas_are_read() {
    let p = parse_numbered("(1 2)(3,4, 5)", 0).unwrap();
    assert_eq!(p.image(), [1, 0, 3, 4, 2]);
    assert_eq!(
        parse_numbered(" ( 1  2 ) ", 4).unwrap().image(),
        [1, 0, 2, 3]
    );
    assert_eq!(parse_numbered("(007 1)", 0).unwrap().degree(), 7);
    assert!(parse_numbered("()", 3).unwrap().is_identity());
    assert_eq!(parse_numbered("()(2)", 0).unwrap().degree(), 2);
}

#[test]
fn names_are_looked_up() {
    let names = PointNames::new(["a", "b", "1"]).unwrap();
    assert_eq!(parse_named("(a 1)", &names).unwrap().image(), [2, 1, 0]);
    assert_eq!(PointNames::new(["a", "a"]), None);
    assert_eq!(names.point("1"), Some(2));
    assert_eq!(names.name(3), None);
}

#[test]
fn errors_say_what_and_where() {
    let error = |text: &str| parse_numbered(text, 0).unwrap_err();
    assert_eq!(error(""), CycleError::Empty { span: 0..0 });
    assert_eq!(error("  "), CycleError::Empty { span: 0..2 });
    let twice = |first, second| CycleError::Repeated { first, second };
    assert_eq!(error("(1 2 1)"), twice(1..2, 5..6));
    assert_eq!(error("(1 2)(3 02)"), twice(3..4, 8..10));
    assert_eq!(error("(1 0)"), CycleError::Zero { span: 3..4 });
    assert_eq!(error("(00)"), CycleError::Zero { span: 1..3 });
    assert_eq!(error("(10000001)"), CycleError::TooLarge { span: 1..9 });
    let long = "(99999999999999999999999)";
    assert_eq!(error(long), CycleError::TooLarge { span: 1..24 });
    assert_eq!(error("(1 2"), CycleError::NotClosed { span: 0..1 });
    assert_eq!(error("(1 2))"), CycleError::NotOpened { span: 5..6 });
    assert_eq!(error("((1 2)"), CycleError::Nested { span: 1..2 });
    assert_eq!(error("(1 2) x3 (4)"), CycleError::Outside { span: 6..8 });
    assert_eq!(error("(1 2),(3 4)"), CycleError::Outside { span: 5..6 });
    let unknown = CycleError::UnknownName {
        name: "zé".into(),
        span: 3..6,
    };
    assert_eq!(error("(1 zé)"), unknown);
    let names = PointNames::new(["a"]).unwrap();
    assert_eq!(parse_named("(a b)", &names).unwrap_err().span(), 3..4);
}

#[test]
fn the_limit_is_said() {
    let error = parse_numbered("(10000001)", 0).unwrap_err();
    assert_eq!(error.to_string(), "points go up to 10000000");
}

#[test]
fn names_are_written_as_they_are_read() {
    let names = PointNames::new(["client1", "client2", "link"]).unwrap();
    let p = parse_named("(client2 client1)", &names).unwrap();
    let text = write_cycles(&p, &|x| names.name(x).unwrap().to_string());
    assert_eq!(text, "(client1 client2)");
    assert_eq!(write_numbered(&Perm::identity(3)), "()");
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC*", more in "[()0-9a,\\s]*") {
        for text in [&text, &more] {
            let inside = |e: &CycleError| {
                let span = e.span();
                span.start <= span.end && text.get(span).is_some()
            };
            let names = PointNames::new(["a", "1"]).unwrap();
            prop_assert!(parse_named(text, &names).err().is_none_or(|e| inside(&e)));
        }
    }

    #[test]
    fn what_is_written_is_read_back(image in Just((0..9u32).collect::<Vec<_>>()).prop_shuffle()) {
        let p = Perm::from_image(image).unwrap();
        prop_assert_eq!(parse_numbered(&write_numbered(&p), 9).unwrap(), p);
    }
}
