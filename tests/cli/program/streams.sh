# Standard streams closed, full, or broken: a message and a failure, never silence about lost
# output.
. "$SOURCE/tests/support/shell/lib.sh"
test -z "$TARGET_EXEC" || skip "the program is run by a script here"
run() {
    rc=0
    "$@" 2> err || rc=$?
    test ! -s err || cat err
    echo "-> $rc"
}
seq=$(awk 'BEGIN { for (i = 0; i < 20000; i++) print "word", i }')
echo "$seq" > many
echo text > text
for command in 'tok -i many' 'bpe vocab many' 'score many -i many' help 'help score' version \
    'completion bash' devices; do
    echo "$command: closed output, full disk"
    run sh -c "exec \"\$DRAGOMAN\" $command >&-"
    if test -c /dev/full; then
        run sh -c "exec \"\$DRAGOMAN\" $command > /dev/full"
    else
        echo 'standard output: error: No space left on device'
        echo '-> 1'
    fi
done
if test -c /dev/full; then
    run "$DRAGOMAN" tok -i many -o /dev/full
else
    echo '/dev/full: error: No space left on device'
    echo '-> 1'
fi
echo 'closed input'
run sh -c 'exec "$DRAGOMAN" tok <&-'
run sh -c 'exec "$DRAGOMAN" bpe learn <&-'
echo 'closed messages'
run sh -c 'exec "$DRAGOMAN" tok -i missing 2>&-'
run sh -c 'exec "$DRAGOMAN" tok -i text -o out 2>&-'
cat out
echo 'all closed'
run sh -c 'exec "$DRAGOMAN" tok <&- >&- 2>&-'
run sh -c 'exec "$DRAGOMAN" tok -i text -o out <&- >&- 2>&-'
cat out
echo 'a reader that has enough'
{ "$DRAGOMAN" tok -i many 2> err; echo $? > rc; } | head -n 1
while test ! -s rc; do sleep 0.1 2> /dev/null || sleep 1; done
cat err rc
echo 'few descriptors'
run sh -c 'ulimit -n 8; exec "$DRAGOMAN" tok -i text'
run sh -c 'ulimit -n 4; exec "$DRAGOMAN" tok -i text -o out'
echo 'folders'
run "$DRAGOMAN" tok -i . -o out
run "$DRAGOMAN" tok -i text -o .
run sh -c 'exec "$DRAGOMAN" tok < .'
echo 'input = output'
run "$DRAGOMAN" tok -i text -o text
ln text link
run "$DRAGOMAN" tok -i text -o link
cat text
echo 'a pipe answers line by line'
mkfifo question answer
"$DRAGOMAN" tok < question > answer &
exec 3> question 4< answer
echo 'Hello, world!' >&3
read -r line <&4
echo "$line"
echo 'And again.' >&3
read -r line <&4
echo "$line"
exec 3>&-
wait
