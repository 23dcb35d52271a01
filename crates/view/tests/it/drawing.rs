//! What is drawn.

use crate::machines::phone_book;
use view::abstraction::{Alpha, AlphaRules, signature};
use view::{Drawing, NodeKinds, Picture, PictureEdge, PictureNode, svg};

const DRAWING: Drawing<'_> = Drawing {
    id: "picture",
    has_words: true,
};

fn phone_book_drawn() -> String {
    let space = phone_book();
    let alpha = Alpha::new(&space, &AlphaRules::default());
    svg(
        &signature::view(&space, &alpha, 1).expect("small").picture,
        &DRAWING,
    )
}

#[test]
fn a_drawing_names_nodes_edges_and_kinds() {
    let drawn = phone_book_drawn();
    for part in [
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\"",
        "role=\"img\" aria-label=\"States by what is enabled in them\"",
        "<g class=\"node initial\" data-node=\"0\" tabindex=\"0\"><title>",
        "<g class=\"edge dashed back\" data-from=\"2\" data-to=\"1\"><title>delete</title>",
        "prefers-color-scheme:dark",
        "var(--initial,",
    ] {
        assert!(drawn.contains(part), "{part} in {drawn}");
    }
    assert_eq!(drawn.matches("data-node=").count(), 4);
    assert_eq!(drawn, phone_book_drawn());
}

#[test]
fn hostile_names_are_text() {
    let hostile = "<script>alert('x')</script>&\"'\u{0}";
    let mut node = PictureNode::of_lines(&[hostile.to_owned()]);
    node.kinds = NodeKinds::INITIAL;
    let picture = Picture {
        title: hostile.to_owned(),
        notes: vec![hostile.to_owned()],
        nodes: vec![node],
        edges: vec![PictureEdge {
            labels: vec![hostile.to_owned()],
            ..PictureEdge::default()
        }],
    };
    let drawing = Drawing {
        id: hostile,
        has_words: true,
    };
    let drawn = svg(&picture, &drawing);
    assert!(!drawn.contains("<script") && !drawn.contains("alert('"));
    assert!(!drawn.contains('\u{0}') && !drawn.contains("&\""));
    assert!(drawn.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;&#39;"));
}

#[test]
fn a_picture_of_nothing_is_drawn() {
    let drawn = svg(&Picture::default(), &DRAWING);
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n"));
}
