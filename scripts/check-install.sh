#!/bin/sh
# check-install.sh: from a build folder: installs into its configured prefix, which must be a
# scratch folder, looks at what a user needs there, and uninstalls: nothing may be left.
prefix=$(sed -n 's/^prefix = //p' config.mk)
fail() {
    echo "check-install: $*"
    exit 1
}
case $prefix in /usr | /usr/local | /opt/* | /) fail "$prefix is no scratch folder" ;; esac
${MAKE-make} install > out/install.log || fail 'make install fails'
for file in bin/dragoman lib/libdragoman.a lib/pkgconfig/dragoman.pc include/dragoman.h \
    share/man/man1/dragoman.1 \
    share/bash-completion/completions/dragoman share/zsh/site-functions/_dragoman \
    share/fish/vendor_completions.d/dragoman.fish; do
    test -s "$prefix/$file" || fail "no $prefix/$file"
done
for file in README.md HACKING.md LICENSE ChangeLog "$srcdir"/doc/*.md "$srcdir"/doc/*.svg; do
    file=${file#"$srcdir/"}
    cmp -s "$srcdir/$file" "$prefix/share/doc/dragoman/$file" || fail "no $prefix/share/doc/dragoman/$file"
done
for file in "$srcdir"/corpora/recipes/*.conf; do
    cmp -s "$file" "$prefix/share/dragoman/recipes/${file##*/}" || fail "${file##*/} was not installed"
done
test ! -e "$prefix/include/program.h" || fail 'program.h is no public header'

# Recipes are found by their names, from any folder.
for name in multi30k-tiny multi30k-tiny.conf; do
    (cd / && "$prefix/bin/dragoman" train --config $name --dump-config) > out/install.config ||
        fail "train --config $name does not find the installed recipe"
    grep -q "# $prefix/share/dragoman/recipes/multi30k-tiny.conf:" out/install.config ||
        fail "train --config $name took something else"
done

# A program of somebody else's builds against what was installed.
cat > out/embedder.c <<'END'
#include <dragoman.h>
int main(void) { return dgm_version_number() != DGM_VERSION_NUMBER; }
END
flags="-I$prefix/include -L$prefix/lib -Wl,-rpath,$prefix/lib"
$CC -o out/embedder out/embedder.c $flags -ldragoman && out/embedder ||
    fail 'a program does not build against the installed library'

# dragoman.pc of any configure: a program builds with what it says, where the library is put there.
# pc LIBDIR INCLUDEDIR OPTION...
pc() {
    libdir=$1 includedir=$2
    shift 2
    rm -rf out/pc
    mkdir -p out/pc/build "$libdir" "$includedir"
    (cd out/pc/build && sh "$top/configure" CC="$CC" --disable-simd --disable-opencl \
        --disable-shared "$@") > out/pc/log ||
        fail "configure $* fails: $(tail -n 1 out/pc/log)"
    cp libdragoman.a "$libdir"
    cp "$top/include/dragoman.h" "$includedir"
    flags=$(PKG_CONFIG_PATH=$here/out/pc/build pkg-config --static --cflags --libs dragoman) ||
        fail "pkg-config refuses dragoman.pc of configure $*"
    $CC -o out/embedder out/embedder.c $flags && out/embedder ||
        fail "configure $*: a program does not build with what dragoman.pc says: $flags"
}
here=$(pwd) top=$(cd "$srcdir" && pwd)
if pkg-config --version > /dev/null 2>&1; then
    place=$here/out/pc/place
    pc "$place/lib" "$place/include" --prefix="$place"
    pc "$place/there/lib" "$place/include" --prefix="$place" --exec-prefix="$place/there"
    pc "$place/lib64" "$place/include" --prefix="$place" --libdir="$place/lib64"
    pc "$place/lib" "$place/headers" --prefix="$place" --includedir="$place/headers"
    pc "$place/there/lib/x" "$place/here" --prefix="$place/other" --exec-prefix="$place/there" \
        --libdir='$(exec_prefix)/lib/x' --includedir="$place/here"
    rm -rf out/pc
else
    echo 'check-install: dragoman.pc was not tried: no pkg-config here'
fi

${MAKE-make} uninstall > out/install.log || fail 'make uninstall fails'
left=$(find "$prefix" ! -type d 2> /dev/null)
test -z "$left" || fail "uninstall left: $left"
echo 'check-install: ok'
