#!/bin/sh
# pysubs2 takes braces and backslashes of SubRip and WebVTT for commands of another format.
#
# pysubs2 1.8.1, PyPI, seen 2026-11-28. In SubRip and WebVTT `{name}` and `C:\New` are text. Expected: a file that
# is read and written says the same. Seen: every cue is kept as text of SubStation Alpha, in which {...} is an
# override and \N a line break, without escaping what came in: `Dear {name}, welcome.` is written as
# `Dear , welcome.`, `Open C:\New now.` as two lines, `Open C:` and `ew now.`.
#
# Placeholders and paths of subtitles of software are lost before and after translation.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check pysubs2==1.8.1
"$dir/venv/bin/python" - <<'END'
import pysubs2


def written(text, form):
    head = '1\n00:00:01,000 --> 00:00:02,000\n' if form == 'srt' else 'WEBVTT\n\n00:01.000 --> 00:02.000\n'
    file = pysubs2.SSAFile.from_string(head + text + '\n\n', format_=form)
    lines = file.to_string(form).strip().split('\n')
    return '\n'.join(lines[2:] if form == 'srt' else lines[3 if '-->' in lines[2] else 4:])


for form in 'srt', 'vtt':
    for text, want in (('Dear {name}, welcome.', 'Dear , welcome.'), (r'Open C:\New now.', 'Open C:\new now.')):
        print(form, repr(text), '->', repr(written(text, form)))
        assert written(text, form) == want, (form, written(text, form))
END
echo "as in $(basename "$0" .sh): still so"
