#!/bin/sh
# embed.sh FILE.cl: writes a C file that holds the lines of an OpenCL program, for
# clCreateProgramWithSource. The #line directive lets a driver's messages name the real file. Files
# that it includes, #include "NAME.clh" of the same folder, are put in their places.
name=${1##*/}
name=${name%.cl}
cat <<END
/* Written by scripts/embed.sh from opencl/$name.cl; edit nothing here. */
#include "device/opencl/source.h"

static const char *const lines[] = {
END
# A question mark is escaped lest two of them begin a trigraph.
awk -v folder="${1%/*}/" '
function put(name,  line, number, inner) {
    printf "#line 1 \"%s\"\n", name
    for (number = 1; (getline line < (folder name)) > 0; number++)
        if (line ~ /^#include "/) {
            inner = substr(line, 11)
            sub(/".*/, "", inner)
            put(inner)
            printf "#line %d \"%s\"\n", number + 1, name
        } else
            print line
    close(folder name)
}
BEGIN { put("'"$name.cl"'") }' | tr -d '\r' | sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/	/\\t/g; s/^/    "/; s/$/\\n",/'
cat <<END
};

const struct dgm_cl_source dgm_cl_source_$name = { lines, sizeof lines / sizeof lines[0] };
END
