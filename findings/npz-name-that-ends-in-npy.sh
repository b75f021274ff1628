#!/bin/sh
# In an .npz file an array called "a.npy" cannot be read by its name when there is an "a": the other
# one is returned.
#
# numpy 2.4.6, PyPI, seen 2026-11-28. numpy.savez stores an array NAME as the member NAME.npy, and
# NpzFile answers to both the member's name and the name without .npy, members first. Expected: each
# array by the name in `files`. Seen: `files` says ['a', 'a.npy'], and ['a.npy'] gives the array
# 'a'.
#
# Models in .npz (Marian's) name their arrays freely; a reader should go by members.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check numpy==2.4.6
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import numpy
numpy.savez('x.npz', **{'a': numpy.array(1), 'a.npy': numpy.array(2)})
x = numpy.load('x.npz')
print(x.files, 'a:', x['a'], 'a.npy:', x['a.npy'])
assert x.files == ['a', 'a.npy'] and x['a'] == 1 and x['a.npy'] == 1
END
echo "as in $(basename "$0" .sh): still so"
