#!/bin/sh
# syntok's sentences are not the text: it writes "not" for n't.
#
# syntok 1.4.4, PyPI, seen 2026-11-28. A token has .spacing, the blanks before it, and .value.
# Expected: of "We can't. I won't." two sentences whose tokens, one behind the other, spell it. Seen: "We canot." and " I wonot.": replace_not_contraction is on by
# default in the tokenizer that segment() makes. Offsets stay those of the text.
#
# Who cuts English text for a translator by this package sends it words that do not exist.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check syntok==1.4.4
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import syntok.segmenter as segmenter
text = "We can't. I won't."
found = [''.join(t.spacing + t.value for t in sentence)
         for paragraph in segmenter.process(text) for sentence in paragraph]
print(found)
assert found == ['We canot.', ' I wonot.']
END
echo "as in $(basename "$0" .sh): still so"
