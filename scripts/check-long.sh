#!/bin/sh
# check-long.sh: what takes hours: all tests with all their points, 300 kills and each call by
# strace; MemorySanitizer; valgrind; an hour of translating. The last three are targets, too.
passed=0 failed=0 skipped=0
TEST_LONG=1
export TEST_LONG

# part NAME COMMAND...: shows what it says, and adds the counts of its last line.
part() {
    echo "=== $1"
    shift
    "$@" 2>&1 | tee out/long.log
    grep -E '^[0-9]+ passed, ' out/long.log | tail -n 1 | tr -d , > out/long.counts
    if read -r p _ f _ s _ < out/long.counts; then
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
    else
        failed=$((failed + 1))
    fi
}

part check sh "$srcdir/scripts/check.sh"
unset TEST_LONG
part msan $MAKE check-msan
part valgrind $MAKE check-valgrind
part soak $MAKE check-soak
line="$passed passed, $failed failed"
test $skipped = 0 || line="$line, $skipped skipped"
echo "$line"
test $failed = 0
