#!/bin/sh
# install.sh install|uninstall: copies what the build made, or removes exactly that. Each
# file goes to a temporary name in its folder and is renamed, so that a running program or
# a reader never sees half of one.
#
# From the Makefile: srcdir DESTDIR bindir libdir includedir mandir datadir docdir VERSION.
action=$1
umask 022

# put MODE FILE PATH
put() {
    target=$DESTDIR$3
    if test $action = uninstall; then
        rm -f "$target"
        prune "${target%/*}"
        return 0
    fi
    test -f "$2" || return 0
    echo "  install $target"
    mkdir -p "${target%/*}" &&
        cp "$2" "$target.new.$$" &&
        chmod "$1" "$target.new.$$" &&
        mv -f "$target.new.$$" "$target" && return 0
    rm -f "$target.new.$$"
    exit 1
}

# Folders that became empty go too, but nothing above what the options named; with a
# DESTDIR, everything below it is ours.
prune() {
    folder=$1
    case $folder in */pkgconfig | */man1 | */dragoman | */recipes | */models) ;; *) test -n "$DESTDIR" || return 0 ;; esac
    while test "$folder" != "$DESTDIR" && test -n "$folder" && rmdir "$folder" 2> /dev/null; do
        test -n "$DESTDIR" || return 0
        folder=${folder%/*}
    done
}

put 755 dragoman "$bindir/dragoman"
put 644 libdragoman.a "$libdir/libdragoman.a"
put 755 libdragoman.so.0 "$libdir/libdragoman.so.$VERSION"
put 644 dragoman.pc "$libdir/pkgconfig/dragoman.pc"
put 644 "$srcdir/include/dragoman.h" "$includedir/dragoman.h"
for page in "$srcdir"/doc/*.1; do
    if test -f "$page"; then put 644 "$page" "$mandir/man1/${page##*/}"; fi
done
for recipe in "$srcdir"/corpora/recipes/*.conf; do
    put 644 "$recipe" "$datadir/dragoman/recipes/${recipe##*/}"
done
for model in "$srcdir"/corpora/models/*.gguf; do
    if test -f "$model"; then put 644 "$model" "$datadir/dragoman/models/${model##*/}"; fi
done
for page in README.md HACKING.md LICENSE ChangeLog; do put 644 "$srcdir/$page" "$docdir/$page"; done
for page in "$srcdir"/doc/*.md "$srcdir"/doc/*.svg; do put 644 "$page" "$docdir/doc/${page##*/}"; done

# Completions are written by the program itself, where it runs.
completion() {
    file=out/completion.$1
    ./dragoman completion "$1" > $file 2> /dev/null || rm -f $file
    test $action = uninstall || test -f $file ||
        echo "  no completion for $1: the program does not run on this machine"
    put 644 $file "$2"
    rm -f $file
}
completion bash "$datadir/bash-completion/completions/dragoman"
completion zsh "$datadir/zsh/site-functions/_dragoman"
completion fish "$datadir/fish/vendor_completions.d/dragoman.fish"

# libdragoman.so -> libdragoman.so.0 -> libdragoman.so.VERSION
for name in "libdragoman.so.0 libdragoman.so.$VERSION" "libdragoman.so libdragoman.so.0"; do
    link=$DESTDIR$libdir/${name% *}
    if test $action = uninstall; then
        rm -f "$link"
        prune "${link%/*}"
    elif test -f libdragoman.so.0; then
        echo "  install $link"
        ln -s "${name#* }" "$link.new.$$" && mv -f "$link.new.$$" "$link" || exit 1
    fi
done
