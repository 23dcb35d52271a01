//! Who may ask.
//!
//! Examples, of a server at port 7000: `Host: evil.example` is refused, whatever else is right,
//! because a name of that site was made to lead here; `Origin: http://evil.example` is refused,
//! because a page of that site asks; a request without the token is refused.

use hyper::header::{HOST, HeaderMap, ORIGIN};

/// Whoever has it may ask.
pub struct Token(String);

/// The header in which the page shows the token.
const TOKEN: &str = "x-orbit-token";
/// In which a browser says where a request comes from.
const SITE: &str = "sec-fetch-site";

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It names another host, or none.
    Host,
    /// A page of another origin asks.
    Origin,
    /// It does not show the token.
    Token,
}

impl Refused {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Refused::Host => "this server is asked by the address that `orbit serve` printed only",
            Refused::Origin => "pages of other sites get no answer",
            Refused::Token => "the token is missing: open the address that `orbit serve` printed",
        }
    }
}

impl Token {
    /// A token of these characters.
    pub fn new(text: String) -> Token {
        Token(text)
    }

    /// As it is shown.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether this is the token. The time that the answer takes does not depend on where a wrong
    /// one begins to differ.
    pub fn is(&self, shown: &str) -> bool {
        let (own, shown) = (self.0.as_bytes(), shown.as_bytes());
        let differences = own.iter().zip(shown).fold(0, |all, (a, b)| all | (a ^ b));
        own.len() == shown.len() && differences == 0
    }
}

/// Whether a request is for this server, and not from elsewhere.
pub fn admitted(headers: &HeaderMap, port: u16) -> Result<(), Refused> {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let mut named = headers.get_all(HOST).iter();
    let is_one = named.next().is_some() && named.next().is_none();
    if !is_one || !hosts.iter().any(|host| text(HOST.as_str()) == Some(host)) {
        return Err(Refused::Host);
    }
    if headers.contains_key(ORIGIN) {
        let own = hosts.iter().map(|host| format!("http://{host}"));
        if !own
            .into_iter()
            .any(|own| text(ORIGIN.as_str()) == Some(&own))
        {
            return Err(Refused::Origin);
        }
    }
    match text(SITE) {
        None | Some("same-origin" | "none") => Ok(()),
        // Whoever follows a link from elsewhere to the page itself has to have the token.
        Some(_) => Err(Refused::Origin),
    }
}

/// Whether a request shows the token in its head.
pub fn has_token(headers: &HeaderMap, token: &Token) -> Result<(), Refused> {
    let shown = headers.get(TOKEN).and_then(|value| value.to_str().ok());
    match shown {
        Some(shown) if token.is(shown) => Ok(()),
        _ => Err(Refused::Token),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{HeaderName, HeaderValue};

    fn head(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut head = HeaderMap::new();
        for (name, value) in fields {
            let name = HeaderName::from_static(name);
            head.append(name, HeaderValue::from_static(value));
        }
        head
    }

    #[test]
    fn only_this_host_and_this_origin_are_admitted() {
        let own = ("host", "127.0.0.1:7000");
        assert_eq!(admitted(&head(&[own]), 7000), Ok(()));
        assert_eq!(admitted(&head(&[("host", "localhost:7000")]), 7000), Ok(()));
        for wrong in [
            "evil.example",
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:7000",
            "",
        ] {
            assert_eq!(
                admitted(&head(&[("host", wrong)]), 7000),
                Err(Refused::Host)
            );
        }
        assert_eq!(admitted(&head(&[]), 7000), Err(Refused::Host));
        assert_eq!(admitted(&head(&[own, own]), 7000), Err(Refused::Host));
        let from = |origin| admitted(&head(&[own, ("origin", origin)]), 7000);
        assert_eq!(from("http://127.0.0.1:7000"), Ok(()));
        for wrong in [
            "http://evil.example",
            "null",
            "https://127.0.0.1:7000",
            "http://127.0.0.1",
        ] {
            assert_eq!(from(wrong), Err(Refused::Origin));
        }
        let site = |site| admitted(&head(&[own, ("sec-fetch-site", site)]), 7000);
        assert_eq!(site("same-origin"), Ok(()));
        assert_eq!(site("none"), Ok(()));
        assert_eq!(site("cross-site"), Err(Refused::Origin));
        assert_eq!(site("same-site"), Err(Refused::Origin));
    }

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = Token::new("0123abcd".to_owned());
        assert!(token.is("0123abcd"));
        for wrong in ["", "0123abc", "0123abcde", "0123abce", "1123abcd"] {
            assert!(!token.is(wrong), "{wrong}");
        }
        let shown = |token: &'static str| head(&[("x-orbit-token", token)]);
        assert_eq!(has_token(&shown("0123abcd"), &token), Ok(()));
        assert_eq!(has_token(&shown("0123abcx"), &token), Err(Refused::Token));
        assert_eq!(has_token(&HeaderMap::new(), &token), Err(Refused::Token));
    }
}
