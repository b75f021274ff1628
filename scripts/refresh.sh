#!/bin/sh
# refresh.sh SRCDIR: configures again when that could change what is built: a source file
# has come or gone, the scripts behind configure are newer, or some kernel did not compile
# and any was edited.
srcdir=$1
now=out/sources.$$ # of this make alone: two may run at a time
trap 'rm -f "$now"' 0
sh "$srcdir/scripts/list-sources.sh" "$srcdir" > "$now" || exit 1
kernels=''
test -s out/left-out && kernels=$srcdir/src/kernel
stale=$(find "$srcdir/configure" "$srcdir/VERSION" "$srcdir/Makefile.in" "$srcdir/scripts/mkrules.sh" \
    "$srcdir/scripts/list-sources.sh" $kernels -newer out/configured 2> /dev/null)
if test -n "$stale" || ! cmp -s "$now" out/sources; then
    echo '  configuring again'
    sh ./config.status > out/configured.log || { cat out/configured.log; exit 1; }
fi
