#!/bin/sh
# The case markup of OpenNMT's Tokenizer turns the Turkish capital with a dot into the one without.
#
# pyonmttok 1.38.1, PyPI, seen 2026-11-28. case_markup lowers a word, remembers "capital first", and
# raises the first letter again; both steps are one code point to one and know no language.
# Expected: detokenize(tokenize(x)) == x, which is what the markup is for. Seen: U+0130 `stanbul`
# comes back with a plain I.
#
# Turkish and Azeri output of such a model is misspelt although the model learned it right.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check pyonmttok==1.38.1
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import pyonmttok
t = pyonmttok.Tokenizer('conservative', joiner_annotate=True, case_markup=True)
text = '\u0130stanbul'
pieces = t(text)
back = t.detokenize(pieces)
print(ascii(text), pieces, ascii(back))
assert back == 'Istanbul'
END
echo "as in $(basename "$0" .sh): still so"
