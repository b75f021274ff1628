#!/bin/sh
# embed.sh FILE.cl: writes a C file that holds the lines of an OpenCL program, for
# clCreateProgramWithSource. The #line directive lets a driver's messages name the real file.
name=${1##*/}
name=${name%.cl}
cat <<END
/* Written by scripts/embed.sh from opencl/$name.cl; edit nothing here. */
#include "device/opencl/source.h"

static const char *const lines[] = {
    "#line 1 \\"$name.cl\\"\\n",
END
# A question mark is escaped lest two of them begin a trigraph.
tr -d '\r' < "$1" | sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/	/\\t/g; s/^/    "/; s/$/\\n",/'
cat <<END
};

const struct dgm_cl_source dgm_cl_source_$name = { lines, sizeof lines / sizeof lines[0] };
END
