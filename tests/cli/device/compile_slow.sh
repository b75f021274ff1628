# compile_slow.sh: a driver whose compiler takes for ever (tests/support/cl_null.c): a stop is heard
# while it works, a line on a terminal says what it does, none in a pipe, and a limit ends the wait.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
env --default-signal=INT,TERM true 2> /dev/null ||
    { echo "env cannot make signals default: tests are started with SIGINT ignored"; exit 77; }
fail() { echo "$*: $(cat -v err out)" >&2; exit 1; }
driver=${GENERATE%/corpora/generate}/tests/support/cl_null.so
test -f "$driver" || { echo "out/tests/support/cl_null.so was not built"; exit 77; }
# on_null COMMAND...: with that driver in the place of OpenCL's loader.
on_null() { env LD_PRELOAD="$driver" DGM_CL_TRUST=0 DGM_CL_CACHE=0 "$@"; }
on_null "$DRAGOMAN" devices > list 2> err || { echo "no library can be preloaded"; exit 77; }
grep -q 'Null H100' list || { echo "this build has no OpenCL, or another loader"; exit 77; }

"$GENERATE" --seed 3 --train 120 --dev 10 --test 10 --out data > /dev/null
train="train --config $SOURCE/corpora/recipes/demo.conf --dim-emb 16 --transformer-dim-ffn 16
    --bpe-merges 80 --after 4u --average 0 --syntax none --train-sets data/train.en data/train.de"
"$DRAGOMAN" $train --quiet --model m.gguf

# stop SIGNAL: ends the run once the driver has stuck. A run that does not hear it never ends, nor does this test.
stop() {
    until test -e stuck; do
        kill -0 $pid 2> /dev/null || fail 'it ended before the driver stuck'
        sleep 0.05
    done
    rm stuck
    kill -"$1" $pid
    rc=0
    wait $pid || rc=$?
}

# start ARGUMENT...: becomes the program, with the signals as a terminal has them.
start() {
    LD_PRELOAD=$driver DGM_CL_TRUST=0 DGM_CL_CACHE=0 CL_NULL_SLOW=$slow CL_NULL_STUCK=stuck
    export LD_PRELOAD DGM_CL_TRUST DGM_CL_CACHE CL_NULL_SLOW CL_NULL_STUCK
    exec env --default-signal=INT,TERM "$DRAGOMAN" "$@"
}

# The compiler, and a queue that compiles kernels as they are launched.
for slow in 'build:void embed_forward(' launch:embed_forward; do
    (start translate -d gpu -m m.gguf) < data/test.en > out 2> err &
    pid=$!
    stop TERM
    test $rc = 143 || fail "$slow: ended with $rc"
    test "$(cat err)" = 'dragoman: note: stopped; 0 lines are written' || fail "$slow: other words"
    test ! -s out || fail "$slow: lines"
done

# The first update of a training run, which has nothing to lose.
slow='build:void embed_forward('
(start $train -d gpu --model new.gguf) > out 2> err &
pid=$!
stop INT
test $rc = 130 || fail "training ended with $rc"
grep -q 'stopped within an update; the same command goes on' err || fail 'no word of it'
if grep -q compiling err; then fail 'a line in a pipe'; fi
"$DRAGOMAN" $train --quiet --model new.gguf
cmp new.gguf m.gguf

# Its first validation, in which the compiler works for ever: the updates before it are saved.
slow='build:void top_k('
(start $train -d gpu --model valid.gguf --save-freq 100u --valid-freq 2u --valid-metrics ce-mean-words bleu \
    --valid-sets data/dev.en data/dev.de) > out 2> err &
pid=$!
stop INT
test $rc = 130 || fail "a validation ended with $rc"
test -f valid.gguf.ckpt/update-00000002-stop.gguf || fail "no checkpoint: $(ls valid.gguf.ckpt)"

# A limit: one line, and the program goes on and comes to its end.
slow='build:void embed_forward('
rc=0
DGM_CL_COMPILE_LIMIT=1 CL_NULL_SLOW=$slow on_null "$DRAGOMAN" translate -d gpu -m m.gguf -b 1 \
    < data/test.en > out 2> err || rc=$?
test $rc = 0 || fail "ended with $rc after the limit"
test "$(wc -l < out)" = "$(wc -l < data/test.en)" || fail 'lines are missing'
grep -q 'warning: Null H100: its driver has not compiled opencl/embed.cl in 1 s: what needs it' err ||
    fail 'no word of it'
test "$(wc -l < err)" = 1 || fail 'more than a line'

# On a terminal.
script -qec true /dev/null > out 2> err || exit 0
cat > run.sh <<END
DGM_CL_COMPILE_LIMIT=3 CL_NULL_SLOW='$slow' LD_PRELOAD=$driver DGM_CL_TRUST=0 DGM_CL_CACHE=0 \\
    "$DRAGOMAN" translate -d gpu -m m.gguf -b 1 < data/test.en > text
END
TERM=xterm script -qec 'sh run.sh' /dev/null < /dev/null | tr '\r' '\n' > out
grep -q 'Null H100: compiling opencl/embed.cl, 2 s' out || fail 'nothing on a terminal'
