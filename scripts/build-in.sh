#!/bin/sh
# build-in.sh FOLDER 'TARGET ARGUMENTS' CONFIGURE-OPTION...: configures a build of its
# own below this one, with the same compiler, and makes a target there. TARGET_EXEC: what runs
# the programs of another machine.
folder=$1 target=$2
shift 2
case $srcdir in
/*) top=$srcdir ;;
*) top=../$srcdir ;;
esac
mkdir -p "$folder" && cd "$folder" || exit 1
if ! test -f out/configured; then
    echo "  configuring $folder"
    # An empty CC lets configure choose.
    if test -z "$CC"; then unset CC; fi
    sh "$top/configure" ${CC:+"CC=$CC"} "$@" > configure.out 2>&1 || { cat configure.out >&2; exit 1; }
fi
# Options of the outer make (T=, TARGET_EXEC=) come along in MAKEFLAGS; only what stands on this
# command line wins over them.
exec $MAKE $target ${TARGET_EXEC:+"TARGET_EXEC=$TARGET_EXEC"}
