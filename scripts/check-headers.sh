#!/bin/sh
# check-headers.sh: from the build folder: every header compiles alone, twice in a row (its guard
# holds), and all of them together in one unit, where two types of one name would clash. dragoman.h
# also compiles as C++, where a C++ compiler is at hand. Lists and bodies, made to be included by
# others (*_list.h, *_body.h, body_*.h), are left out. vec_<isa>.h is compiled with the flags of
# kernel_<isa>.c, for its machine only. JOBS compilers work at a time (all processors).
LC_ALL=C
flags=$(sed -n 's/^BASE_CFLAGS = //p' config.mk)
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)}
count=0 failed=0 probe=out/header

# alone FILE: compiles a header, unless it is made to follow another, or for another machine.
alone() {
    file=$1 name=${1#"$srcdir/"} name=${name#src/} name=${name#include/}
    target='' own=''
    case $file in */kernel/simd/vec_*.h)
        isa=${file##*/vec_} isa=${isa%.h}
        read -r _ target own <<END
$(grep "/kernel_$isa\.c " out/sources)
END
        test -n "$target" || return 0 # made to follow whichever of them was included
        ;;
    esac
    if test -n "$target" && ! printf '#ifndef __%s__\n#error no\n#endif\n' "$target" |
        $CC -E - > /dev/null 2>&1; then
        return 0
    fi
    printf '#include "%s"\n#include "%s"\ntypedef int dgm_header_is_not_empty;\n' "$name" "$name" \
        > $probe.c
    count=$((count + 1))
    if ! $CC $flags $own -I. -I"$srcdir/src" -I"$srcdir/include" -I"$srcdir/vendor" \
        -c -o $probe.o $probe.c; then
        echo "check-headers: $name does not stand alone"
        failed=$((failed + 1))
    fi
}

# some JOB: every one of so many headers; leaves its counts beside its probe.
some() {
    probe=$probe-$1 number=0
    for file in "$srcdir"/include/*.h $(find "$srcdir/src" -name '*.h'); do
        case $file in *_list.h | *_body.h | */body_*.h) continue ;; esac
        number=$((number + 1))
        test $((number % jobs + 1)) != $1 || alone "$file"
    done
    rm -f $probe.c $probe.o
    echo "$count $failed" > $probe.counts
}

job=0
while test $job -lt "$jobs"; do
    job=$((job + 1))
    some $job &
done
wait
while test $job -gt 0; do
    read -r c f < $probe-$job.counts || c=0 f=1
    count=$((count + c)) failed=$((failed + f)) job=$((job - 1))
done
rm -f $probe-*.counts
# All at once. Vector headers are left out: each of them defines the same names for its machine.
count=$((count + 1))
find "$srcdir/src" -name '*.h' | LC_ALL=C sort | sed -n \
    -e '/_list\.h$/d' -e '/_body\.h$/d' -e '/\/body_[^/]*$/d' -e '/\/vec_[^/]*$/d' \
    -e "s|^$srcdir/src/\(.*\)|#include \"\1\"|p" > $probe.c
if ! $CC $flags -I. -I"$srcdir/src" -I"$srcdir/include" -I"$srcdir/vendor" -c -o $probe.o $probe.c; then
    echo "check-headers: the headers do not go together"
    failed=$((failed + 1))
fi
# embedder: a program that initialises options, without a warning of -Wextra.
embedder() {
    printf '%s\n' '#include <dragoman.h>' '#include <dragoman.h>' 'int main(void)' '{' \
        '    dgm_context_options options = DGM_OPTIONS(dgm_context_options);' \
        '    return options.struct_size != sizeof options || options.threads != 0;' '}' > "$user"
}
user=$probe.c
embedder
count=$((count + 1))
if ! $CC -std=c99 -Wall -Wextra -pedantic -Werror -I"$srcdir/include" -c -o $probe.o $probe.c; then
    echo 'check-headers: DGM_OPTIONS gives a warning in C'
    failed=$((failed + 1))
fi
for cxx in "${CXX:-c++}" g++ clang++; do
    command -v "$cxx" > /dev/null 2>&1 || continue
    user=$probe.cc
    embedder
    count=$((count + 1))
    if ! "$cxx" -Wall -Wextra -pedantic -Werror -std=c++11 -I"$srcdir/include" -c -o $probe.o \
        $probe.cc; then
        echo "check-headers: dragoman.h is not C++"
        failed=$((failed + 1))
    fi
    break
done
rm -f $probe.c $probe.cc $probe.o
echo "check-headers: $count headers, $failed failed"
test $failed = 0
