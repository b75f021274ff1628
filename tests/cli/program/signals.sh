# A command that has nothing to save ends at once by the signal, as any tool of the shell does.
"$DRAGOMAN" tok < /dev/null || exit 1
mkfifo pipe
for signal in TERM HUP; do
    "$DRAGOMAN" tok < pipe &
    pid=$!
    exec 3> pipe
    kill -$signal $pid
    wait $pid
    echo "$signal $?"
    exec 3>&-
done 2> /dev/null
