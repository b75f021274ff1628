#!/bin/sh
# In OpenCL C, x * x - x * x is not zero: one of the two products is rounded and the other is not.
#
# PoCL 3.0-rc2 (pocl-binary-distribution 3.0, PyPI) on an x86-64 processor with FMA, seen
# 2026-11-28; Debian's PoCL 3.1 does the same. FP_CONTRACT is ON unless a kernel says otherwise
# (OpenCL C 6.12), and the difference becomes fma(x, x, -(x * x)). Expected by who reads C with
# GCC's -std=c99: 0 for 0.1, NaN for 1e38 (infinity less infinity). Seen: -4.0978e-10 and minus
# infinity.
#
# A variance as mean of squares less square of the mean can come out below zero; `#pragma OPENCL
# FP_CONTRACT OFF`, or fma() said plainly, makes devices agree.
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

seen = kernel('x[i] * x[i] - x[i] * x[i]', 0.1, 1e38)
print(seen.tolist())
assert -5e-10 < seen[0] < 0 and seen[1] == -numpy.inf
END
echo "as in $(basename "$0" .sh): still so"
