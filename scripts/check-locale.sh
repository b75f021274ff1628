#!/bin/sh
# check-locale.sh: the command-line tests (T: some of them) with the program in a Turkish locale: commas
# in numbers, as in German, and letters of another case. It is built here, below out/; LOCALES names
# others. The system's own messages stay English, as the tests expect them.
command -v localedef > /dev/null 2>&1 || { echo "localedef is missing"; exit 77; }
top=$(cd "$srcdir" && pwd) here=$(pwd)
test -f out/tests/support/set_locale.so || { echo "out/tests/support/set_locale.so was not built"; exit 77; }
mkdir -p out/locales
OCL_ICD_VENDORS=/nonexistent
export OCL_ICD_VENDORS
passed=0 failed=0 skipped=0

# run LOCALE TESTS...: check.sh with these arguments; adds its counts.
run() {
    locale=$1
    shift
    TARGET_EXEC="env LOCPATH=$here/out/locales LC_ALL= LANG=$locale LC_MESSAGES=C \
LD_PRELOAD=$here/out/tests/support/set_locale.so" sh "$top/scripts/check.sh" "$@" > out/locales/log 2>&1
    grep -v '^[0-9]* passed, ' out/locales/log | sed "s|^|$locale: |"
    tail -n 1 out/locales/log | tr -d , > out/locales/counts
    read -r p _ f _ s _ < out/locales/counts
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
}

for locale in ${LOCALES:-tr_TR}; do
    test -d out/locales/$locale.UTF-8 ||
        localedef -i $locale -f UTF-8 "out/locales/$locale.UTF-8" || exit 1
    run $locale.UTF-8 cli
done
line="$passed passed, $failed failed"
test $skipped = 0 || line="$line, $skipped skipped"
echo "$line"
test $failed = 0
