#!/bin/sh
# polib drops the previous text of an obsolete entry.
#
# polib 1.2.0, PyPI, seen 2026-11-28. Gettext keeps what a message said before in lines `#|`, and of
# an obsolete entry in lines `#~|` (msgmerge --previous writes both). Expected: a file that is read
# and written has them, as with GNU msgcat 0.21. Seen: `#|` stays, `#~|` is gone.
#
# A catalogue that is translated through this library differs in lines that nobody translated.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check polib==1.2.0
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import polib
text = ('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        '#~| msgid "older"\n#~ msgid "old"\n#~ msgstr "alt"\n\n'
        '#, fuzzy\n#| msgid "before"\nmsgid "now"\nmsgstr "jetzt"\n')
open('in.po', 'w').write(text)
polib.pofile('in.po').save('out.po')
lines = open('out.po').read().splitlines()
print(lines)
assert '#| msgid "before"' in lines and '#~| msgid "older"' not in lines
assert '#~ msgid "old"' in lines
END
echo "as in $(basename "$0" .sh): still so"
