#!/bin/sh
# safetensors.numpy.save_file writes a transposed array with its numbers in another order, without
# an error.
#
# safetensors 0.8.0 with numpy 2.4.6, PyPI, seen 2026-11-28. Its documentation asks for contiguous
# arrays; the torch side refuses others by name, the numpy side takes the memory as it lies and the
# shape as it is seen. Expected: an error, or the array back. Seen: [[0, 3], [1, 4], [2, 5]] comes
# back as [[0, 1], [2, 3], [4, 5]].
#
# Weights that an exporter transposes (the matrices of half of the toolkits lie the other way) need
# numpy.ascontiguousarray first.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check safetensors==0.8.0 numpy==2.4.6
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import numpy, safetensors.numpy as st
a = numpy.arange(6, dtype='float32').reshape(2, 3).T
st.save_file({'a': a}, 'a.safetensors')
b = st.load_file('a.safetensors')['a']
print('saved', a.tolist(), 'loaded', b.tolist())
assert a.shape == b.shape and b.tolist() == [[0, 1], [2, 3], [4, 5]]
END
echo "as in $(basename "$0" .sh): still so"
