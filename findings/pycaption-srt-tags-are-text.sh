#!/bin/sh
# pycaption takes the tags of SubRip for text when it writes WebVTT, and loses those of WebVTT when it writes SubRip.
#
# pycaption 2.3.14, PyPI, seen 2026-11-28. <i> is italics in both formats. Expected: italics on both ways. Seen: of
# SubRip's `<i>slanted</i> word` WebVTT gets `&lt;i>slanted&lt;/i> word`, which viewers show with its brackets; of
# WebVTT's the italics are known, and SubRip gets `slanted word`.
#
# A translator that is handed one format and asked for the other translates "i", or returns plain text.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check pycaption==2.3.14
"$dir/venv/bin/python" - <<'END'
from pycaption import SRTReader, SRTWriter, WebVTTReader, WebVTTWriter

there = WebVTTWriter().write(SRTReader().read('1\n00:00:01,000 --> 00:00:02,000\n<i>slanted</i> word\n\n'))
back = SRTWriter().write(WebVTTReader().read('WEBVTT\n\n00:01.000 --> 00:02.000\n<i>slanted</i> word\n\n'))
kept = WebVTTWriter().write(WebVTTReader().read('WEBVTT\n\n00:01.000 --> 00:02.000\n<i>slanted</i> word\n\n'))
print(there, back, sep='\n')
assert '&lt;i>slanted&lt;/i> word' in there
assert 'slanted word' in back and '<i>' not in back
assert '<i>slanted</i> word' in kept
END
echo "as in $(basename "$0" .sh): still so"
