#!/bin/sh
# test-goals.sh SRCDIR T [unit]: from the build folder: what `make check T=a,b` has to build, as goals
# for make -f rules.mk; with "unit", what make check-unit has. For unit tests a runner of their files
# alone, out/tests/part/runner, made from objects.mk (PART: its objects) and list.h (its tests) beside
# it, which are written here where they change. Without T: everything.
srcdir=$1 T=$2 kind=${3-all}
part=out/tests/part
if test -z "$T"; then
    if test $kind = unit; then echo out/tests/runner; else echo tests; fi
    exit
fi
goals='' files=''

# chosen NAME: whether one of the words of T is in it.
words=$(echo "$T" | tr ',' ' ')
chosen() {
    for word in $words; do
        case $1 in *"$word"*) return 0 ;; esac
    done
    return 1
}

# The runner takes a test by a part of its name or of its file's, below tests/.
titled="^TEST([A-Za-z0-9_]*\($(echo "$T" | sed 's/,/\\|/g')\)"
for file in $(cd "$srcdir" && find tests -name 'test_*.c' | LC_ALL=C sort); do
    name=${file#tests/}
    if chosen "${name%.c}" || grep -q "$titled" "$srcdir/$file"; then files="$files $srcdir/$file"; fi
done
# replace FILE: by standard input, unless that is what it holds. The runner of another list is removed
# with it: some makes compare times by the second, in which one runner can follow the other.
replace() {
    cat > $part/new
    if cmp -s $part/new "$1"; then
        rm $part/new
    else
        mv -f $part/new "$1"
        rm -f $part/runner $part/runner.o
    fi
}
objects=''
for file in $files; do
    file=${file#"$srcdir/"}
    objects="$objects out/${file%.c}.o"
done
echo "PART =$objects" | replace $part/objects.mk
if test -n "$files"; then
    sh "$srcdir/scripts/list-tests.sh" TEST $files | replace $part/list.h
    goals=$part/runner
    case $files in *opencl*) goals="$goals modules" ;; esac # which tests load
fi

if test $kind = unit; then
    echo ${goals:-libdragoman.a}
    exit
fi

# named FOLDER PREFIX ENDING: the tests that are a file each, there or in a folder below.
named() { find "$srcdir/tests/$1" -name "$2*.$3" | sed "s|.*/$2||; s|\.$3\$||" | LC_ALL=C sort; }

for name in $(named cli '' sh); do
    chosen "cli/$name" || continue
    goals="$goals program out/corpora/generate"
    # What tests load or run beside the program.
    case $name in golden | opencl_faults | opencl_profile | compile_slow) goals="$goals tests" ;; esac
done
for name in $(named embedder '' c); do
    if chosen "embedder/$name"; then goals="$goals out/tests/embedder/$name"; fi
done
for name in $(named fuzz fuzz_ c); do
    if chosen "fuzz/$name"; then goals="$goals out/tests/fuzz/fuzz_$name"; fi
done
echo ${goals:-program}
