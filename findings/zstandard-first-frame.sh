#!/bin/sh
# Python's zstandard returns the first frame of a file of several, and says nothing of the others.
#
# zstandard 0.25.0, PyPI, seen 2026-11-28. A .zst file may hold frames one after another (pzstd,
# `zstd` with several inputs, `cat a.zst b.zst`); the zstd command reads them all. Expected: six
# lines, or an error about what is left. Seen: ZstdDecompressor().decompress() gives three,
# stream_reader() with its options left alone reads six, and so does zstandard.open().
#
# A corpus from pzstd that is decompressed in one call loses most of its lines.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check zstandard==0.25.0
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import io, zstandard
c = zstandard.ZstdCompressor()
data = c.compress(b'one\n' * 3) + c.compress(b'two\n' * 3)
d = zstandard.ZstdDecompressor()
call = d.decompress(data).count(b'\n')
stream = d.stream_reader(io.BytesIO(data)).read().count(b'\n')
print('lines:', call, 'by decompress,', stream, 'by stream_reader')
assert (call, stream) == (3, 6)
END
echo "as in $(basename "$0" .sh): still so"
