#!/bin/sh
# PyYAML writes a token with U+0085 as one that it reads back as a blank.
#
# PyYAML 6.0.3, PyPI, seen 2026-11-28. A vocabulary of Marian is YAML, {token: number}, and web text has U+0085
# (NEXT LINE), the ellipsis of Windows-1252 read as Latin-1. Expected: what safe_dump(.., allow_unicode=True) writes,
# safe_load reads. Seen: the name is put between single quotes with the character itself, which YAML 1.1 counts as a
# line break, so that `a<U+0085>b` comes back as `a b`, and the token U+0085 as one blank; U+2028 comes back as it was.
# Without allow_unicode the name is "\N", and comes back.
#
# A vocabulary that was rewritten so has another token in the place of each: what it stood for is unknown from then on.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check pyyaml==6.0.3
"$dir/venv/bin/python" - <<'END'
import yaml

for name, want in (('\x85', ' '), ('a\x85b', 'a b'), ('\u2028', '\u2028')):
    text = yaml.safe_dump({name: 7}, allow_unicode=True)
    back = list(yaml.safe_load(text))[0]
    print(repr(name), '->', repr(text), '->', repr(back))
    assert back == want, back
    assert yaml.safe_load(yaml.safe_dump({name: 7})) == {name: 7}
END
echo "as in $(basename "$0" .sh): still so"
