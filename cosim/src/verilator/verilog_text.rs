//! Words in the text of a Verilog file, without what only looks like them: comments and strings.

/// The first of `words` that `text` uses, as it stands there, and its line from 1. A word of the text that begins with one of them counts
/// as well: `$urandom_range` is found by `$urandom`.
pub(crate) fn first_word<'t>(text: &'t str, words: &[&str]) -> Option<(usize, &'t str)> {
    let mut place = 0;
    while place < text.len() {
        let rest = &text[place..];
        let skipped = skipped(rest);
        if skipped > 0 {
            place += skipped;
        } else if words.iter().any(|word| rest.starts_with(word)) {
            let line = text[..place].matches('\n').count() + 1;
            return Some((line, &rest[..word_length(rest)]));
        } else {
            place += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    None
}

/// Bytes of the comment or string with which `text` begins, 0 if it begins with neither. One without an end goes on to the text's.
fn skipped(text: &str) -> usize {
    let until = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with("//") {
        until("\n", 2)
    } else if text.starts_with("/*") {
        until("*/", 2)
    } else if text.starts_with('"') {
        string_length(text)
    } else {
        0
    }
}

/// Bytes of the string with which `text` begins. It ends with its line, unless a backslash stands there.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' | '\n' => return place + 1,
            _ => {}
        }
    }
    text.len()
}

/// Bytes of the word with which `text` begins; its first letter may be any.
fn word_length(text: &str) -> usize {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$');
    text.char_indices().skip(1).find(|(_, letter)| !is_part(*letter)).map_or(text.len(), |(end, _)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_comments_and_strings_do_not_count() {
        let found = |text| first_word(text, &["$random", "$urandom"]);
        assert_eq!(found("// $random\n/* $random\n$random */ x = \"$random \\\" $random\";\n"), None);
        assert_eq!(found("a\n// $random\nx = $random(seed);"), Some((3, "$random")));
        assert_eq!(found("é = \"a\" + $urandom_range(3, 0)"), Some((1, "$urandom_range")));
        assert_eq!(found("x = \"no end\ny = $random"), Some((2, "$random")));
        assert_eq!(found("/* no end $random"), None);
        assert_eq!(found("$random"), Some((1, "$random")));
    }

    #[test]
    fn directives_are_words() {
        let words = ["`include", "$readmem", "$fopen"];
        assert_eq!(first_word("// `include\n `include \"a.vh\"", &words), Some((2, "`include")));
        assert_eq!(first_word("initial $readmemh(\"a\", m);", &words), Some((1, "$readmemh")));
    }
}
