#!/bin/sh
# OpenNMT's Tokenizer deletes a tab inside a line and joins the two words beside it.
#
# pyonmttok 1.38.1, PyPI, seen 2026-11-28. In the modes aggressive and conservative a tab is dropped
# as a control character before blanks are looked for. Expected: two words. Seen: `one<TAB>two` is
# the one token `onetwo`; mode space leaves the tab inside the token.
#
# Lines of a table, or two columns that were not cut, become words that no vocabulary has.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check pyonmttok==1.38.1
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import pyonmttok
seen = {mode: pyonmttok.Tokenizer(mode, joiner_annotate=mode != 'space')('one\ttwo')
        for mode in ('aggressive', 'conservative', 'space')}
print(seen)
assert seen['aggressive'] == seen['conservative'] == ['onetwo']
assert seen['space'] == ['one\ttwo']
END
echo "as in $(basename "$0" .sh): still so"
