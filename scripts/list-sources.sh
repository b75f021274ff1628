#!/bin/sh
# list-sources.sh SRCDIR: every C file and OpenCL program that the build compiles or embeds, one
# per line, relative to SRCDIR. A kernel for one instruction set is followed by its target and its
# flags, which it states in its opening comment:
#     arch: x86_64
#     cflags: -mavx2 -mfma
LC_ALL=C
export LC_ALL
cd "$1" || exit 1
find src tests corpora opencl \( -name '*.c' -o -name '*.cl' \) ! -path 'tests/bench/peers/*' -print |
    sort | while read -r file; do
    case $file in
    src/kernel/x86/*.c | src/kernel/arm/*.c)
        sed -n '1,30{s/^[ /*]*arch: *\([a-z0-9_]*\).*/\1/p;}' "$file" | head -n 1 | tr '\n' ' ' |
            sed "s|^|$file |"
        sed -n '1,30{s/^[ /*]*cflags: *\([^*]*\).*/\1/p;}' "$file" | head -n 1 | grep . || echo
        ;;
    *) echo "$file" ;;
    esac
done
