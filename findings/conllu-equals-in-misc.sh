#!/bin/sh
# The conllu parser for Python cuts a value of MISC at its second equals sign and drops comments
# that have none.
#
# conllu 6.0.0, PyPI, seen 2026-11-28. MISC holds free attribute=value pairs (links and glosses have
# "=" in them), and a comment of CoNLL-U may be any line with "#". Expected: parse and serialize
# give the sentence back. Seen: `Ref=a=b` becomes `Ref=a`; `# checked by hand` is gone; of two
# comments with one name the first is gone.
#
# A treebank that went through this library has lost them, silently.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check conllu==6.0.0
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import conllu
text = ('# checked by hand\n# note = one\n# note = two\n'
        '1\ta\ta\tX\t_\t_\t0\troot\t_\tRef=a=b\n\n')
back = ''.join(s.serialize() for s in conllu.parse(text))
print(back)
assert back == '# note = two\n1\ta\ta\tX\t_\t_\t0\troot\t_\tRef=a\n\n'
END
echo "as in $(basename "$0" .sh): still so"
