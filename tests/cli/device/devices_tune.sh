# devices_tune.sh: `devices --tune`: wrong use, nothing to tune, and nowhere to store; and, in
# `make check-device`, a whole run into a pipe: a table, no progress, the same translations after it.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
lines() { wc -l < "$1" | tr -d ' '; }

# One line of error, nothing measured, nothing written.
refused() {
    want=$1
    shift
    rc=0
    "$DRAGOMAN" devices --tune "$@" > out 2> err || rc=$?
    test $rc = "$want" || fail "exit code $rc of --tune $*: $(cat err)"
    test ! -s out || fail "output in spite of an error: --tune $*"
    test "$(lines err)" = 1 || fail "not one line: $(cat err)"
    grep -q 'error: ' err || fail "$(cat err)"
}
refused 2 --devices cpu
refused 2 --devices 0,1
refused 1 --devices 99

"$DRAGOMAN" devices > list
grep -q '^      usable with --devices [0-9]' list || { refused 1; exit 0; }
XDG_CACHE_HOME=$(pwd)/cache
export XDG_CACHE_HOME
number=$(sed -n 's/^      usable with --devices \([0-9]*\);.*/\1/p' list | sed -n 1p)
"$DRAGOMAN" devices > list
test "$(grep -c '^      usable ' list)" = "$(grep -c '^      not tuned' list)" || fail "$(cat list)"
POCL_CACHE_DIR=$(pwd)/pocl # PoCL would be no device without its cache
export POCL_CACHE_DIR
XDG_CACHE_HOME=/dev/null refused 1 --devices "$number"
grep -q '^/dev/null: error: .*folder' err || fail "no path: $(cat err)"

unset POCL_CACHE_DIR
test "$DEVICE_CHECK" || exit 0
"$DRAGOMAN" devices --tune --devices "$number" > table 2> err || fail "$(cat err)"
test ! -s err || fail "progress in a pipe: $(cat err)"
test "$(grep -c '^  [NT][NT] [0-9]*x[0-9]*x[0-9]* *[0-9.-]* *[0-9.-]*$' table)" = 21 ||
    fail "$(cat table)"
if grep -q '^  stored in ' table; then
    file=$(sed -n 's/^  stored in //p' table)
    sed -n 1p "$file" | grep -qx 'dragoman tuning [0-9]*' || fail "$(cat "$file")"
    "$DRAGOMAN" devices | grep -q '^      tuned by ' || fail 'not listed as tuned'
else
    grep -q '^  the defaults are as good as anything else$' table || fail "$(cat table)"
fi
