#!/bin/sh
# distcheck.sh VERSION: what a packager does with dragoman-VERSION.tar.gz: unpack it, make
# the source read-only, build elsewhere, check, install into a staging folder, uninstall,
# clean; and nothing may be left.
name=dragoman-$1
here=$(pwd)
place=$here/out/distcheck
chmod -R u+w "$place" 2> /dev/null
rm -rf "$place"
mkdir -p "$place/build" "$place/stage" && cd "$place" || exit 1
gzip -dc "$here/$name.tar.gz" | tar xf - || exit 1
chmod -R a-w "$name"
cd build || exit 1

step() {
    echo "distcheck: $*"
    "$@" || { echo "distcheck: failed: $*"; exit 1; }
}

step sh "../$name/configure" ${CC:+"CC=$CC"} --prefix=/opt/dragoman
step $MAKE
step $MAKE check
step $MAKE DESTDIR="$place/stage" install
step test -f "$place/stage/opt/dragoman/include/dragoman.h"
step $MAKE DESTDIR="$place/stage" uninstall
left=$(find "$place/stage" ! -type d)
test -z "$left" || { echo "distcheck: uninstall left: $left"; exit 1; }
step $MAKE distclean
left=$(find . ! -type d)
test -z "$left" || { echo "distcheck: distclean left: $left"; exit 1; }
cd "$here" || exit 1
chmod -R u+w "$place"
rm -rf "$place"
echo "distcheck: $name.tar.gz is fine"
