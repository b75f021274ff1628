#!/bin/sh
# subword-nmt writes what a group of a glossary matches a second time.
#
# subword-nmt 0.3.8, PyPI, seen 2026-11-28. --glossaries takes regular expressions, and a group in parentheses is
# how one says "once or more" or "or not". Expected: the pieces, joined again, are the text. Seen: words are cut by
# re.split, which hands over each group besides the match: with `(\d)+` the word `x12y` becomes `x@@ 12@@ 2@@ y`,
# with `low(est)?` the word `lowestx` becomes `lowest@@ e@@ s@@ t@@ x`. `(?:\d)+` does what was meant.
#
# A model is trained on, and translates, numbers and words that nobody wrote, and nothing says so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check subword-nmt==0.3.8
"$dir/venv/bin/python" - <<'END'
import io

from subword_nmt.apply_bpe import BPE

for glossary, line, want in ((r'(\d)+', 'x12y', 'x@@ 12@@ 2@@ y'), (r'(?:\d)+', 'x12y', 'x@@ 12@@ y'),
                             ('low(est)?', 'lowestx', 'lowest@@ e@@ s@@ t@@ x')):
    got = BPE(io.StringIO('#version: 0.2\na b\n'), -1, '@@', None, [glossary]).process_line(line)
    print(glossary, ':', line, '->', got, '=', got.replace('@@ ', ''))
    assert got == want, got
END
echo "as in $(basename "$0" .sh): still so"
