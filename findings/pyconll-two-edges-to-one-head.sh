#!/bin/sh
# pyconll keeps one of two enhanced dependencies that lead to the same head.
#
# pyconll 3.3.1, PyPI, seen 2026-11-28. In enhanced Universal Dependencies a word may hang on one
# head by two relations (`1:obl|1:nsubj`, as in relative clauses and control). DEPS is kept as a
# dictionary by head, so the first relation is lost when the file is written again. Expected: both.
# Seen: `1:nsubj`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check pyconll==3.3.1
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import pyconll
text = ('1\ta\ta\tX\t_\t_\t0\troot\t0:root\t_\n'
        '2\tb\tb\tX\t_\t_\t1\tobl\t1:obl|1:nsubj\t_\n\n')
back = pyconll.load_from_string(text).conll()
print(back)
assert '1:nsubj' in back and '1:obl|' not in back
END
echo "as in $(basename "$0" .sh): still so"
