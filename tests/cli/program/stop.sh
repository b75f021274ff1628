# stop.sh: a signal to `translate` and `rescore`: they end soon, however much may be read at once, and
# while they wait for input; the lines that are done are written, in order, and no other.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
env --default-signal=INT,HUP true 2> /dev/null ||
    skip "env cannot make signals default: tests are started with SIGINT ignored"
generate data --seed 3 --train 120 --dev 10 --test 10
demo bpe-merges=80 after=10u
valid_on=
train m.gguf --syntax none

# Lines of one length, whose batches are taken in order: a window of many batches.
awk 'BEGIN { for (i = 0; i < 60000; i++) print "a b c d" }' > in.en
# begin COMMAND OPTION...: becomes the program, with the signals as a terminal has them.
threads=1
begin() { exec env --default-signal=INT,HUP,TERM "$DRAGOMAN" "$@" -m m.gguf -j $threads; }
# stop SIGNAL SECONDS: ends the run after so long. One that does not hear it comes to its end, with another exit
# code, or waits for ever, as this test does then. Its exit code is $rc.
stop() {
    sleep $2
    kill -$1 $pid || true
    rc=0
    wait $pid || rc=$?
}
expect_code() { test $rc = $1 || fail "ended with $rc instead of $1: $(cat err)"; }

# The window is not done, some of its lines are; sooner or later, whatever else the machine does.
lines=0
pauses='0.5 1 2 4 8 16 32 64' # the run takes minutes
for seconds in $pauses; do
    (begin translate --no-cache --maxi-batch 100000 --batch-tokens 100 -b 4) < in.en > out 2> err &
    pid=$!
    stop INT $seconds
    expect_code 130
    lines=$(wc -l < out)
    if test "$lines" -gt 0; then break; fi
done
test "$lines" -gt 0 && test "$lines" -lt 60000 || fail "$lines lines are written: $(cat err)"
test "$(tail -c 1 out | od -An -c | tr -d ' ')" = '\n' || fail "half a line is written: $(cat err)"
grep -q "stopped; $lines lines are written" err || fail "no word of it: $(cat err)"
test "$(wc -l < err)" = 1 || fail "more than a word: $(cat err)"
echo 'a b c d' | "$DRAGOMAN" translate -q -m m.gguf -b 4 > one
test "$(sort -u out)" = "$(cat one)" || fail "other translations: $(cat err)"

# told: the last run told how many lines it wrote. One that a busy machine had not let begin ends by
# the signal without a word, or with no number while it reads the model.
told() { grep -q "stopped; $(wc -l < out) lines are written" err; }
# cut_short WHAT SIGNAL CODE BATCH-TOKENS SECONDS...: stops a translation after so long, until it had
# begun: it has written the first lines, and no other.
cut_short() {
    what=$1 signal=$2 code=$3 tokens=$4
    shift 4
    for seconds; do
        (begin translate --no-cache --maxi-batch 100000 --batch-tokens $tokens -b 4) < in.en > out 2> err &
        pid=$!
        stop $signal $seconds
        expect_code $code
        if told; then break; fi
    done
    told || fail "no word of it, $what: $(cat err)"
    test "$(sort -u out)" = "$(cat one)" || test ! -s out || fail "other translations, $what: $(cat err)"
}

# The same where each thread has a search.
threads=2
cut_short 'two threads' INT 130 300 $pauses
threads=1

# However many tokens a batch may have: it has rows for a moment only (test_beam.c stops within one).
cut_short 'large batches' TERM 143 1000000 $pauses

# Waiting for input that does not come.
mkfifo pipe
rm out # of the run before
(begin translate) < pipe > out 2> err &
pid=$!
exec 3> pipe
echo 'a b' >&3
until test -s out; do
    kill -0 $pid || fail "it ended before its first line: $(cat err)"
    sleep 0.1
done
stop INT 0.1
expect_code 130
exec 3>&-
test "$(wc -l < out)" = 1 || fail "the line before is lost: $(cat err)"
told || fail "no word of it, waiting: $(cat err)"

# While a text is read: rescore waits for the second of the pairs.
(begin rescore in.en pipe) > out 2> err &
pid=$!
exec 3> pipe
echo 'a b' >&3
stop INT 2
expect_code 130
exec 3>&-
told || fail "no word of it, reading: $(cat err)"

# A text that was scored before the signal is made four times longer.
times=1
for seconds in 1 1 1 1 4 10; do
    (begin rescore in.en in.en) > out 2> err &
    pid=$!
    stop HUP $seconds
    if test $rc = 0; then
        cat in.en in.en in.en in.en > longer
        mv longer in.en
        times=$((4 * times))
    elif told; then
        break
    fi
done
expect_code 129
told || fail "no word of it: $(cat err)"
test "$(wc -l < out)" -lt $((60000 * times)) || fail "it was stopped, and yet all lines are written: $(cat err)"
