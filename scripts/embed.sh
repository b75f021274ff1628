#!/bin/sh
# embed.sh FILE.cl: writes a C file that holds the lines of an OpenCL program, for
# clCreateProgramWithSource. The #line directive lets a driver's messages name the real file. Files
# that it includes, #include "NAME.clh" of the same folder, are put in their places.
name=${1##*/}
name=${name%.cl}
text=$(awk -v folder="${1%/*}/" -v first="$name.cl" '
function put(name,  line, number, inner, status) {
    printf "#line 1 \"%s\"\n", name
    for (number = 1; (status = (getline line < (folder name))) > 0; number++)
        if (line ~ /^#include "/) {
            inner = substr(line, 11)
            sub(/".*/, "", inner)
            put(inner)
            printf "#line %d \"%s\"\n", number + 1, name
        } else
            print line
    if (status < 0) {
        print "embed.sh: cannot read " folder name > "/dev/stderr"
        exit 1
    }
    close(folder name)
}
BEGIN { put(first) }') || exit 1
cat <<END
/* Written by scripts/embed.sh from opencl/$name.cl; edit nothing here. */
#include "device/opencl/core/source.h"

static const char *const lines[] = {
END
# A question mark is escaped lest two of them begin a trigraph.
printf '%s\n' "$text" | tr -d '\r' | sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/	/\\t/g
    s/^/    "/; s/$/\\n",/'
cat <<END
};

const struct dgm_cl_source dgm_cl_source_$name = { lines, sizeof lines / sizeof lines[0] };
END
