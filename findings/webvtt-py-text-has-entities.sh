#!/bin/sh
# webvtt-py takes the tags out of a cue's text, but leaves its entities.
#
# webvtt-py 0.6.0, PyPI, seen 2026-11-28. The text of a WebVTT cue has tags and the entities &amp;
# &lt; &gt; &nbsp; and others. Expected: .text, which is .raw_text without tags, is what a viewer
# reads. Seen: `salt &amp; pepper`; and an & that is assigned to .text is saved bare.
#
# A translator that is given .text reads "amp", and what it writes must be escaped by the caller.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check webvtt-py==0.6.0
cd "$dir"
PATH=$dir/venv/bin:$PATH
printf 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>salt</i> &amp; pepper\n' > in.vtt
python - <<'END'
import webvtt
file = webvtt.read('in.vtt')
print(file[0].text)
assert file[0].text == 'salt &amp; pepper'
file[0].text = 'Salz & Pfeffer'
file.save('out.vtt')
assert 'Salz & Pfeffer' in open('out.vtt').read()
END
echo "as in $(basename "$0" .sh): still so"
