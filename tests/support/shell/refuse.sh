# refuse.sh: what scripts of tests/cli share that ask for an error.
fail() { echo "$*" >&2; exit 1; }

# refuse CODE WORDS COMMAND OPTION...: `dragoman COMMAND OPTION...` ends so, with one message, which has the words.
refuse() {
    want=$1 text=$2
    shift 2
    rc=0
    "$DRAGOMAN" "$@" < /dev/null > out 2> err || rc=$?
    test $rc = "$want" || fail "exit code $rc instead of $want: $*: $(cat err)"
    grep -q -e "$text" err || fail "no \"$text\": $*: $(cat err)"
    test "$(grep -c error: err)" = 1 || fail "more than a message: $*: $(cat err)"
}
