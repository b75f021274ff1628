#!/bin/sh
# mkrules.sh SRCDIR: reads source files, one per line with flags of their own, and writes
# rules.mk.tmp, one explicit rule per object, and compile_commands.tmp for editors.
#
# Explicit rules need neither VPATH nor pattern rules, so every make understands them,
# each file may have its flags, and sources and objects may live anywhere. Objects go to
# out/, never obj/: BSD make changes into a folder called obj. Dependency files are
# created empty, so that a plain include finds them. configure runs this, with what it
# chose in the environment: cc, cflags, lib_cflags, kernel_cflags, use_shared.
LC_ALL=C
export LC_ALL
srcdir=$1
here=$(pwd) top=$(cd "$srcdir" && pwd)
exec 3> rules.mk.tmp 4> compile_commands.tmp

rule() { printf '%s\n' "$@" >&3; }
json() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }
cc_json=$(json "$cc $cflags")
lib_json=$(json "$lib_cflags")
comma=''

# folder DIR: made once, now.
last_folder=''
folder() {
    test "$1" = "$last_folder" || mkdir -p "$1"
    last_folder=$1
}

# object SOURCE KIND-FLAGS-VARIABLE FLAGS: one rule, one line for the editor. Nothing here starts a
# process: there are more than a thousand files.
last_flags='' last_json=''
object() {
    stem=out/${1%.c} kind=${2:-'$(PIE_CFLAGS)'}
    folder "${stem%/*}"
    test -f "$stem.d" || : > "$stem.d"
    rule "$stem.o: \$(srcdir)/$1 config.mk" \
        "	@echo '  cc     $1'" \
        "	\$(Q)\$(CC) \$(BASE_CFLAGS) $kind $3 \$(INCLUDES) \$(DEP_FLAGS) $stem.d -c -o \$@ \
\$(srcdir)/$1" \
        "include $stem.d" ""
    test "$3" = "$last_flags" || { last_flags=$3 last_json=$(json "$3" | sed "s|\$(srcdir)|$srcdir|g"); }
    extra=$last_json
    test "$2" = '$(LIB_CFLAGS)' && extra="$lib_json $extra"
    printf '%s{ "directory": "%s", "file": "%s",\n  "command": "%s -o %s %s" }\n' "$comma" "$here" \
        "$srcdir/$1" "$cc_json $extra -I. -I$srcdir/src -I$srcdir/include -I$srcdir/vendor -c" \
        "$stem.o" "$srcdir/$1" >&4
    comma=', '
}

# program SOURCE: an OpenCL program becomes C, and an object; it may include any opencl/*.clh.
program() {
    stem=out/${1%.cl} shared=''
    folder "${stem%/*}"
    grep -q '^#include "' "$srcdir/$1" &&
        shared=$(cd "$srcdir" && ls opencl/*.clh | sed 's|^| $(srcdir)/|' | tr -d '\n')
    rule "$stem.c: \$(srcdir)/$1 \$(srcdir)/scripts/embed.sh$shared" \
        "	@echo '  embed  $1'" \
        "	\$(Q)sh \$(srcdir)/scripts/embed.sh \$(srcdir)/$1 > \$@.new && mv -f \$@.new \$@" "" \
        "$stem.o: $stem.c config.mk" \
        "	\$(Q)\$(CC) \$(BASE_CFLAGS) \$(LIB_CFLAGS) \$(INCLUDES) -c -o \$@ $stem.c" ""
}

# link TARGET OBJECTS: a program from objects and the static library.
link() {
    rule "$1: $2 libdragoman.a" \
        "	@echo '  link   $1'" \
        "	\$(Q)\$(CC) \$(BASE_CFLAGS) \$(PIE_LDFLAGS) \$(LDFLAGS) -o \$@ $2 $3 libdragoman.a \$(LIBS) \
\$(DL_LIBS)" ""
}

rule "# rules.mk: written by scripts/mkrules.sh; edit nothing here." "" \
    "include config.mk" "" "V =" "Q_ = @" "Q = \$(Q_\$(V))" "" "default: libs program" ""
echo '[' >&4

support='' lib='' prog='' corpora='' tests='' test_files='' bench='' bench_files=''
fuzz='' fuzzers='' embedders='' golden='' golden_objects='' modules=''
test_flags='$(TEST_CFLAGS) -I$(srcdir)/tests'
for dir in $(cd "$top" && find tests/support -type d | LC_ALL=C sort); do
    test_flags="$test_flags -I\$(srcdir)/$dir"
done
while read -r file flags; do
    base=${file##*/} base=${base%.c}
    case $file in
    src/cli/* | src/cmd/*)
        object "$file" '' ''
        prog="$prog out/${file%.c}.o" ;;
    src/kernel/*)
        object "$file" '$(LIB_CFLAGS)' "$kernel_cflags $flags"
        lib="$lib out/${file%.c}.o" ;;
    src/*)
        object "$file" '$(LIB_CFLAGS)' "$flags"
        lib="$lib out/${file%.c}.o" ;;
    opencl/*)
        program "$file"
        lib="$lib out/${file%.cl}.o" ;;
    corpora/*)
        object "$file" '' '-I$(srcdir)/corpora'
        corpora="$corpora out/${file%.c}.o" ;;
    tests/golden/*)
        object "$file" '' "$test_flags"
        golden_objects="$golden_objects out/${file%.c}.o" ;;
    tests/support/cl_*.c | tests/support/set_locale.c)
        test "$use_shared" = yes || continue
        object "$file" '-fPIC' ''
        modules="$modules out/tests/support/$base.so" ;;
    tests/fuzz/replay.c)
        object "$file" '' "$test_flags" ;;
    tests/fuzz/*)
        object "$file" '' "$test_flags"
        fuzz="$fuzz $base" ;;
    tests/bench/*)
        object "$file" '' "$test_flags -Iout/tests/bench"
        bench_files="$bench_files \$(srcdir)/$file"
        bench="$bench out/${file%.c}.o" ;;
    tests/embedder/*)
        object "$file" '' ''
        link "out/tests/embedder/$base" "out/tests/embedder/$base.o"
        embedders="$embedders out/tests/embedder/$base" ;;
    tests/*)
        case $base in
        runner) object "$file" '' "$test_flags -Iout/tests" ;;
        support) object "$file" '' "$test_flags -DTEST_SOURCE_DIR='\"$top\"'" ;;
        *) object "$file" '' "$test_flags" ;;
        esac
        case $base in
        test_*) test_files="$test_files \$(srcdir)/$file" ;;
        runner) ;;
        *) support="$support out/${file%.c}.o" ;;
        esac
        tests="$tests out/${file%.c}.o" ;;
    esac
done

# list NAME OBJECTS: a make variable, one object per line.
list() {
    printf '%s =' "$1" >&3
    shift
    for item in "$@"; do printf ' \\\n    %s' "$item" >&3; done
    rule "" ""
}

list LIB_OBJECTS $lib
list PROGRAM_OBJECTS $prog
list TEST_OBJECTS $tests
list BENCH_OBJECTS $bench

rule "libdragoman.a: \$(LIB_OBJECTS) rules.mk" \
    "	@echo '  ar     libdragoman.a'" \
    "	\$(Q)rm -f \$@" \
    "	\$(Q)\$(AR) rc \$@ \$(LIB_OBJECTS)" ""
libs=libdragoman.a
if test "$use_shared" = yes; then
    libs="$libs libdragoman.so.0"
    rule "libdragoman.so.0: \$(LIB_OBJECTS) rules.mk" \
        "	@echo '  link   libdragoman.so.0'" \
        "	\$(Q)\$(CC) \$(BASE_CFLAGS) \$(SHARED_LDFLAGS) \$(LDFLAGS) -o \$@ \$(LIB_OBJECTS) \
\$(LIBS) \$(DL_LIBS)" \
        "	\$(Q)ln -sf libdragoman.so.0 libdragoman.so" ""
fi
rule "libs: $libs" "	@:" ""
if test -n "$prog"; then
    link dragoman '$(PROGRAM_OBJECTS)'
    rule "program: dragoman" "	@:" ""
else
    rule "program: libdragoman.a" "	@:" ""
fi

# The generator of the built-in treebank.
link out/corpora/generate "$corpora"

# A generated list of TEST( or BENCH( lines, included by the runner.
rule "out/tests/list.h:$test_files \$(srcdir)/scripts/list-tests.sh rules.mk" \
    "	\$(Q)sh \$(srcdir)/scripts/list-tests.sh TEST$test_files > \$@.new && mv -f \$@.new \$@" "" \
    "out/tests/support/runner.o: out/tests/list.h" ""
link out/tests/runner '$(TEST_OBJECTS)'

# The same for `make check T=name`: of the test files only those that scripts/test-goals.sh names in
# PART (objects.mk), whose tests it has listed in list.h.
folder out/tests/part
test -f out/tests/part/objects.mk || : > out/tests/part/objects.mk
test -f out/tests/part/runner.d || : > out/tests/part/runner.d
rule "out/tests/part/runner.o: \$(srcdir)/tests/support/runner.c config.mk out/tests/part/list.h" \
    "	\$(Q)\$(CC) \$(BASE_CFLAGS) \$(PIE_CFLAGS) $test_flags -Iout/tests/part \$(INCLUDES) \
\$(DEP_FLAGS) out/tests/part/runner.d -c -o \$@ \$(srcdir)/tests/support/runner.c" \
    "include out/tests/part/runner.d" "include out/tests/part/objects.mk" ""
link out/tests/part/runner "out/tests/part/runner.o$support \$(PART)"

if test -n "$golden_objects"; then
    golden=out/tests/golden/check
    link $golden "$golden_objects"
fi

# What is loaded into a program: an OpenCL layer, by its loader; a locale, by the linker; an OpenCL
# driver, as the loader itself: where its name is taken, nobody looks for another.
for module in $modules; do
    case $module in */cl_null.so) named='-Wl,-soname,libOpenCL.so.1 ' ;; *) named='' ;; esac
    rule "$module: ${module%.so}.o" \
        "	@echo '  link   $module'" \
        "	\$(Q)\$(CC) \$(BASE_CFLAGS) -shared $named\$(LDFLAGS) -o \$@ ${module%.so}.o" ""
done
rule "modules:$modules" "	@:" ""

programs="out/tests/runner out/corpora/generate$modules $golden$embedders"
for name in $fuzz; do
    link "out/tests/fuzz/$name" "out/tests/fuzz/$name.o out/tests/fuzz/replay.o"
    link "out/tests/fuzz/$name-libfuzzer" "out/tests/fuzz/$name.o" -fsanitize=fuzzer
    programs="$programs out/tests/fuzz/$name"
    fuzzers="$fuzzers out/tests/fuzz/$name-libfuzzer"
    rule "fuzzer-${name#fuzz_}: out/tests/fuzz/$name-libfuzzer" "	@:" ""
done
rule "fuzzer-:$fuzzers" "	@:" ""
rule "tests: program $programs" "	@:" ""
rule "golden-check: $golden" "	@:" ""

if test -n "$bench"; then
    rule "out/tests/bench/list.h:$bench_files \$(srcdir)/scripts/list-tests.sh rules.mk" \
        "	\$(Q)sh \$(srcdir)/scripts/list-tests.sh BENCH$bench_files > \$@.new && \
mv -f \$@.new \$@" "" \
        "out/tests/bench/bench.o: out/tests/bench/list.h" ""
    link out/tests/bench/bench '$(BENCH_OBJECTS)'
fi
rule ".PHONY: default libs program tests golden-check modules"
echo ']' >&4
