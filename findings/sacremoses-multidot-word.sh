#!/bin/sh
# A text that holds the word DOTMULTI comes out of the Moses tokeniser with a dot in its place.
#
# sacremoses 0.1.1, PyPI, seen 2026-11-28. Runs of dots are written as DOTMULTI for a while and
# turned back at the end, as in the Perl script it follows; nothing escapes a text that has the word
# already. Expected: DOTMULTI. Seen: ".".
#
# A placeholder of a tool inside the text it works on is a text that it cannot write.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check sacremoses==0.1.1
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
from sacremoses import MosesTokenizer
tokens = MosesTokenizer('en').tokenize('the marker DOTMULTI is')
print(tokens)
assert tokens == ['the', 'marker', '.', 'is']
END
echo "as in $(basename "$0" .sh): still so"
