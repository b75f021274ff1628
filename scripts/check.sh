#!/bin/sh
# check.sh [unit|kernels|oom|valgrind|cli]: runs the tests of a finished build, from the
# build folder, and ends with one line: N passed, N failed[, N skipped].
#
# Without an argument: the unit tests, the command-line tests, the examples of the
# interface and the fuzz corpora. From the Makefile: srcdir, T (substrings of tests, with commas
# between), X (the same of tests to leave out), V (show everything), TARGET_EXEC (what runs a foreign
# program), TEST_TIMEOUT (seconds for each test), GOLDEN (rewrite outputs), JOBS (tests at a time: all
# processors), TEST_LEDGER (receives a line for each test, as tests/support/runner.c says). Tests see DRAGOMAN (the program), SHARED (the shared data, or empty), SOURCE (the
# source tree), TEST_LONG (set by make check-long) and TEST_BRIEF (by check-valgrind: trainings may be short).
LC_ALL=C
ASAN_OPTIONS=print_legend=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export LC_ALL TEST_TIMEOUT ASAN_OPTIONS TARGET_EXEC
what=${1-all}
top=$(cd "$srcdir" && pwd) here=$(pwd)
if test -z "${SHARED+set}"; then
    SHARED=''
    test -d "$top/../shared" && SHARED=$(cd "$top/../shared" && pwd)
fi
export SHARED
. "$top/scripts/pocl-cache.sh"
. "$top/scripts/share-tests.sh"
passed=0 failed=0 skipped=0
# Two runs in one folder do not meet.
mkdir -p out/tests
scratch=$(mktemp -d "$here/out/tests/scratch.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' 0
trap 'exit 130' 1 2 15

limit=''
command -v timeout > /dev/null 2>&1 && limit="timeout $TEST_TIMEOUT"

# note LINE: for the ledger.
note() {
    test -z "${TEST_LEDGER-}" || echo "$*" >> "$TEST_LEDGER"
}

ok() {
    passed=$((passed + 1))
    note "ran $1"
    test -z "$V" || echo "ok - $1 # $(($(date +%s) - begin)) s"
}

# not_ok NAME FILE: the file says why.
not_ok() {
    failed=$((failed + 1))
    note "ran $1"
    echo "not ok - $1"
    sed 's/^/#   /' "$2" | head -n 60
    echo "#   again: make check T=$1"
}

skip() {
    skipped=$((skipped + 1))
    note "skipped $1 $2"
    echo "skipped - $1: $2"
}

# has NAME WORD,...: whether one of the words is in it.
has() {
    for part in $(echo "$2" | tr ',' ' '); do
        case $1 in *"$part"*) return 0 ;; esac
    done
    return 1
}

# wanted NAME: whether T selects it, and X does not leave it out.
wanted() {
    if test -n "$T" && ! has "$1" "$T"; then return 1; fi
    ! has "$1" "${X-}"
}

# unit RUNNER-OPTION...: the forked unit tests.
unit() {
    # With T=name `make check` and `make check-unit` build a runner of these tests alone, or none (test-goals.sh).
    runner=out/tests/runner
    if test "${PART-}" = yes && test -n "$T"; then
        grep -q '[^ =]$' out/tests/part/objects.mk || return 0
        runner=out/tests/part/runner
    fi
    unit_options="$* ${X:+-x $X} $T"
    share run_unit
}

# kernel_tests: the names of the sources below src/kernel, separated by commas.
kernel_tests() {
    printf kernel
    for file in "$top"/src/kernel/*.c "$top"/src/kernel/*/*.c; do
        test -f "$file" || continue
        name=${file##*/}
        printf ',test_%s' "${name%.c}"
    done
}

# ---- command-line tests --------------------------------------------------------------

# A foreign program is run through a script, so that tests name one file either way.
DRAGOMAN=$here/dragoman
if test -n "$TARGET_EXEC"; then
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$TARGET_EXEC" "$DRAGOMAN" > "$scratch/dragoman"
    chmod +x "$scratch/dragoman"
    DRAGOMAN=$scratch/dragoman
fi
export DRAGOMAN
XDG_DATA_HOME=/nonexistent XDG_DATA_DIRS=/nonexistent # no models but those that a test has
export XDG_DATA_HOME XDG_DATA_DIRS
GENERATE=$here/out/corpora/generate # the generator of the built-in treebank
export GENERATE
SOURCE=$top
export SOURCE

# compare EXPECTED GOT: a difference, if EXPECTED exists, goes to $scratch/why.
compare() {
    test -f "$1" || return 0
    if test -n "${GOLDEN-}" && ! cmp -s "$1" "$2"; then
        echo "  rewriting ${1#"$top/"}"
        cp "$2" "$1"
    fi
    cmp -s "$1" "$2" && return 0
    diff -u "$1" "$2" >> "$scratch/why"
    return 1
}

cli_test() {
    script=$1 stem=${1%.sh}
    name=cli/${stem##*/}
    wanted "$name" || return 0
    rm -rf "$scratch/cli"
    mkdir -p "$scratch/cli"
    : > "$scratch/why"
    begin=$(date +%s)
    (cd "$scratch/cli" && exec $limit sh "$script") \
        > "$scratch/out" 2> "$scratch/err" < /dev/null
    rc=$?
    if test $rc = 77; then
        skip "$name" "$(tail -n 1 "$scratch/out")"
        return 0
    fi
    good=yes
    echo $rc > "$scratch/rc"
    if test -f "$stem.rc"; then
        compare "$stem.rc" "$scratch/rc" || good=no
    elif test $rc != 0; then
        good=no
        echo "exit code $rc" >> "$scratch/why"
        test $rc = 124 && echo "that is: stopped after $TEST_TIMEOUT seconds" >> "$scratch/why"
    fi
    compare "$stem.out" "$scratch/out" || good=no
    compare "$stem.err" "$scratch/err" || good=no
    if test $good = yes; then
        ok "$name"
        return 0
    fi
    # What it printed without being expected to, an answer of cmp or of its own checks, says why, too.
    test -f "$stem.out" || tail -n 20 "$scratch/out" >> "$scratch/why"
    test -f "$stem.err" || tail -n 20 "$scratch/err" >> "$scratch/why"
    not_ok "$name" "$scratch/why"
}

# run_cli FOLDER JOB: the command-line tests of one job.
run_cli() {
    folder=$1 job=$2 passed=0 failed=0 skipped=0
    scratch=$folder/$job
    mkdir -p "$scratch"
    for script in "$top"/tests/cli/*/*.sh; do
        room=${script%/*} name=${script##*/}
        test -f "$script" && mkdir "$folder/taken/${room##*/}.$name" 2> /dev/null &&
            cli_test "$script"
    done
    echo "$passed $failed $skipped" > "$folder/$job.counts"
    test $failed = 0
}

cli() {
    test -x dragoman || return 0
    share run_cli
}

# ---- examples of the interface, fuzz corpora -----------------------------------------

# program_test NAME COMMAND...: run in the scratch folder, where examples leave files.
program_test() {
    name=$1
    shift
    wanted "$name" || return 0
    begin=$(date +%s)
    if (cd "$scratch" && exec $limit $TARGET_EXEC "$@") > "$scratch/why" 2>&1 < /dev/null; then
        ok "$name"
    else
        echo "exit code $?" >> "$scratch/why"
        tail -n 40 "$scratch/why" > "$scratch/tail"
        not_ok "$name" "$scratch/tail"
    fi
}

embedder() {
    for file in "$top"/tests/embedder/*.c; do
        name=${file##*/} name=${name%.c}
        if test -f "$file"; then program_test "embedder/$name" "$here/out/tests/embedder/$name"; fi
    done
}

fuzz() {
    for file in "$top"/tests/fuzz/fuzz_*.c; do
        name=${file##*/fuzz_} name=${name%.c}
        test -f "$file" || continue
        program_test "fuzz/$name" "$here/out/tests/fuzz/fuzz_$name" "$top/tests/fuzz/corpus/$name"
    done
}

TEST_TARGET=check
export TEST_TARGET
case $what in
unit) unit ;;
kernels) TEST_TARGET=check-kernels unit -f "$(kernel_tests)" ;;
oom) TEST_TARGET=check-oom unit -oom ;;
valgrind)
    TEST_TARGET=check-valgrind
    # Drivers of OpenCL, and what loads them, are others' code.
    OCL_ICD_VENDORS=/nonexistent
    TEST_BRIEF=yes # minutes of training are hours
    export OCL_ICD_VENDORS TEST_BRIEF
    TARGET_EXEC="valgrind -q --error-exitcode=99 --leak-check=full --suppressions=$top/tests/support/valgrind.supp"
    unit ;;
cli) cli ;;
*) unit; cli; embedder; fuzz ;;
esac

if test -n "$T" && test $((passed + failed + skipped)) = 0; then
    echo "no test has '$T' in its name"
    failed=1
fi
line="$passed passed, $failed failed"
test $skipped = 0 || line="$line, $skipped skipped"
echo "$line"
test $failed = 0
