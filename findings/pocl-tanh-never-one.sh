#!/bin/sh
# tanh of a large number is 0.99999994 on PoCL, not 1.
#
# PoCL 3.0-rc2 (pocl-binary-distribution 3.0, PyPI), seen 2026-11-28; Debian's PoCL 3.1 does the
# same. The specification allows 5 units in the last place, so it is no fault. Expected by who
# compares with libm: 1 from x = 9.02 on, where the float nearest to tanh(x) is 1. Seen: 0.99999994
# for 20 and for 1e38.
#
# A test of a gate or of an activation at its limit needs a tolerance in units in the last place,
# never an equality.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check \
    pyopencl==2026.1.4 pocl-binary-distribution==3.0 numpy==2.4.6
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import numpy, pyopencl as cl
platform = [p for p in cl.get_platforms() if 'PoCL 3.0' in p.version][0]
context = cl.Context(platform.get_devices()[:1])
queue = cl.CommandQueue(context)
def kernel(expression, *numbers):
    x = numpy.array(numbers, 'float32')
    source = ('kernel void k(global float *x) { int i = get_global_id(0); x[i] = %s; }'
              % expression)
    k = cl.Program(context, source).build().k
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    memory = cl.Buffer(context, flags, hostbuf=x)
    k(queue, x.shape, None, memory)
    cl.enqueue_copy(queue, x, memory)
    return x

seen = kernel('tanh(x[i])', 20, 1e38)
print(['%.8f' % x for x in seen])
assert (seen == numpy.float32(0.99999994)).all()
END
echo "as in $(basename "$0" .sh): still so"
