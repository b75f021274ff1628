# compile_slow.sh: a driver whose compiler takes for ever (tests/support/cl_null.c): a stop is heard
# while it works, a line on a terminal says what it does, none in a pipe, and a limit ends the wait.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
env --default-signal=INT,TERM true 2> /dev/null ||
    skip "env cannot make signals default: tests are started with SIGINT ignored"
driver=${GENERATE%/corpora/generate}/tests/support/cl_null.so
test -f "$driver" || skip "out/tests/support/cl_null.so was not built"
# on_null COMMAND...: with that driver in the place of OpenCL's loader.
on_null() { env LD_PRELOAD="$driver" DGM_CL_TRUST=0 DGM_CL_CACHE=0 "$@"; }
on_null "$DRAGOMAN" devices > list 2> err || skip "no library can be preloaded"
grep -q 'Null H100' list || skip "this build has no OpenCL, or another loader"

generate data --seed 3 --train 120 --dev 10 --test 10
train="train --config $SOURCE/corpora/recipes/demo.conf --dim-emb 16 --transformer-dim-ffn 16
    --bpe-merges 80 --after 4u --average 0 --syntax none --train-sets data/train.en data/train.de"
"$DRAGOMAN" $train --quiet --model m.gguf

# stop SIGNAL: ends the run once the driver has stuck. A run that does not hear it never ends, nor does this test.
stop() {
    until test -e stuck; do
        kill -0 $pid 2> /dev/null || fail "it ended before the driver stuck: $(cat -v err out)"
        sleep 0.05
    done
    rm stuck
    kill -"$1" $pid
    rc=0
    wait $pid || rc=$?
}

# begin ARGUMENT...: becomes the program, with the signals as a terminal has them.
begin() {
    LD_PRELOAD=$driver DGM_CL_TRUST=0 DGM_CL_CACHE=0 CL_NULL_SLOW=$slow CL_NULL_STUCK=stuck
    export LD_PRELOAD DGM_CL_TRUST DGM_CL_CACHE CL_NULL_SLOW CL_NULL_STUCK
    exec env --default-signal=INT,TERM "$DRAGOMAN" "$@"
}

# The compiler, and a queue that compiles kernels as they are launched.
for slow in 'build:void embed_forward(' launch:embed_forward; do
    (begin translate -d gpu -m m.gguf) < data/test.en > out 2> err &
    pid=$!
    stop TERM
    test $rc = 143 || fail "$slow: ended with $rc: $(cat -v err out)"
    test "$(cat err)" = 'dragoman: note: stopped; 0 lines are written' || fail "$slow: other words: $(cat -v err out)"
    test ! -s out || fail "$slow: lines: $(cat -v err out)"
done

# The first update of a training run, which has nothing to lose.
slow='build:void embed_forward('
(begin $train -d gpu --model new.gguf) > out 2> err &
pid=$!
stop INT
test $rc = 130 || fail "training ended with $rc: $(cat -v err out)"
grep -q 'stopped within an update; the same command goes on' err || fail "no word of it: $(cat -v err out)"
if grep -q compiling err; then fail "a line in a pipe: $(cat -v err out)"; fi
"$DRAGOMAN" $train --quiet --model new.gguf
cmp new.gguf m.gguf

# Its first validation, in which the compiler works for ever: the updates before it are saved.
slow='build:void top_k('
(begin $train -d gpu --model valid.gguf --save-freq 100u --valid-freq 2u --valid-metrics ce-mean-words bleu \
    --valid-sets data/dev.en data/dev.de) > out 2> err &
pid=$!
stop INT
test $rc = 130 || fail "a validation ended with $rc: $(cat -v err out)"
test -f valid.gguf.ckpt/update-00000002-stop.gguf || fail "no checkpoint: $(ls valid.gguf.ckpt): $(cat -v err out)"

# A limit: one line, and the program goes on and comes to its end.
slow='build:void embed_forward('
rc=0
DGM_CL_COMPILE_LIMIT=1 CL_NULL_SLOW=$slow on_null "$DRAGOMAN" translate -d gpu -m m.gguf -b 1 \
    < data/test.en > out 2> err || rc=$?
test $rc = 0 || fail "ended with $rc after the limit: $(cat -v err out)"
test "$(wc -l < out)" = "$(wc -l < data/test.en)" || fail "lines are missing: $(cat -v err out)"
grep -q 'warning: Null H100: its driver has not compiled opencl/embed.cl in 1 s: what needs it' err ||
    fail "no word of it: $(cat -v err out)"
test "$(wc -l < err)" = 1 || fail "more than a line: $(cat -v err out)"

# On a terminal.
script -qec true /dev/null > out 2> err || exit 0
cat > run.sh <<END
DGM_CL_COMPILE_LIMIT=3 CL_NULL_SLOW='$slow' LD_PRELOAD=$driver DGM_CL_TRUST=0 DGM_CL_CACHE=0 \\
    "$DRAGOMAN" translate -d gpu -m m.gguf -b 1 < data/test.en > text
END
TERM=xterm script -qec 'sh run.sh' /dev/null < /dev/null | tr '\r' '\n' > out
grep -q 'Null H100: compiling opencl/embed.cl, 2 s' out || fail "nothing on a terminal: $(cat -v err out)"
