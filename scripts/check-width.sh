#!/bin/sh
# check-width.sh SRCDIR: no line of C or OpenCL is wider than 100 columns. Lines with letters beyond
# ASCII are left out, for awk may count their bytes, and so are the tables of words in corpora/.
cd "$1" || exit 1
if find include src opencl tests vendor -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' | LC_ALL=C sort |
    xargs awk '!/[^ -~\t]/ && length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns" }' |
    grep .; then
    exit 1
fi
echo "check-width: no line is wider than 100 columns"
