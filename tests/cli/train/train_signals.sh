# train_signals.sh: signals to a training run: a first one saves and ends, in a validation too; a
# second one ends at once; SIGUSR1 saves and goes on; what was ignored stays ignored. Afterwards the
# same command ends with the bytes of a run that nothing disturbed.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
env --default-signal=INT,HUP true 2> /dev/null ||
    skip "env cannot make signals default: tests are started with SIGINT ignored"
generate data --seed 3 --train 120 --dev 10 --test 10

# A run of 8 updates; a validation of thousands of sentences, whose translations are nonsense of
# full length, takes many times as long.
for side in en de; do
    for i in 1 2 3 4 5 6 7 8 9 10; do cat data/train.$side data/train.$side; done > many.$side
done
small bpe-merges=0 max-length=60 threads=1 after=8u save-freq=3u disp-freq=1u
valid_on= under='env --default-signal=INT,HUP,TERM,USR1,USR2' # as a terminal has them
often='--valid-metrics bleu --valid-freq 4u'
validated="--valid-sets many.en many.de $often"
# waits_for COMMAND...: until it holds, or the run has ended without.
waits_for() {
    until "$@"; do
        kill -0 $pid 2> /dev/null || return 1
        sleep 0.1
    done
}
ended() { ! kill -0 $pid 2> /dev/null; }
# leaves WANT: the run has ended with this code.
leaves() {
    rc=0
    wait $pid || rc=$?
    test $rc = $1 || fail "$what: ended with $rc, not $1: $(cat log)"
}
searching() { grep -q ce-mean-words $model.ckpt/metrics.jsonl 2> /dev/null; }

(start whole.gguf $validated) 2> /dev/null

# One of each kind in the middle of a validation. For TERM it is one that would take minutes, and whose score
# nobody waits for.
for signal in HUP:129 INT:130 TERM:143; do
    what="SIG$signal in a validation" model=v${signal%:*}.gguf
    wide=''
    if test $signal = TERM:143; then wide="--beam-size 64"; fi
    start $model $validated $wide 2> log & pid=$!
    waits_for searching || fail "$what: no validation: $(cat log)"
    kill -${signal%:*} $pid
    leaves ${signal#*:}
    if test "$wide" && grep -q ': bleu :' log; then fail "$what: the validation went on: $(cat log)"; fi
    test -f $model.ckpt/update-00000004-stop.gguf || fail "$what: $(ls $model.ckpt)"
    grep -q '^\[....-..-.. ..:..:..\] stopped at update 4; the same command goes on$' log || fail "$what: $(cat log)"
    if grep -q 'error' log; then fail "$what: $(cat log)"; fi
done
what='a resumed run' model=vINT.gguf
(start $model $validated) 2> log || fail "$what: $(cat log)"
cmp whole.gguf $model

# SIGUSR1, in a validation: a line, a checkpoint, and the run goes on. So does SIGUSR2.
what='SIGUSR1, SIGUSR2' model=usr1.gguf
start $model $validated 2> log & pid=$!
waits_for searching || fail "$what: no validation: $(cat log)"
kill -USR1 $pid
waits_for grep -q 'status: Ep' log || fail "$what: no status: $(cat log)"
kill -USR2 $pid
leaves 0
test $(grep -c 'status: Ep' log) = 2 || fail "$what: not two: $(cat log)"
test $(grep -c 'status: Ep\. .* : Up\. 4 : Cost .* words/s : checkpoint .*-stop\.gguf' log) -ge 1 ||
    fail "$what: $(cat log)"
cmp whole.gguf $model

# Ignored at the start, as below nohup and in the background of a shell: nothing happens.
what='ignored signals' model=deaf.gguf
terminal=$under under='env --ignore-signal=INT,HUP'
start $model $validated 2> log & pid=$!
under=$terminal
waits_for searching || fail "$what: no validation: $(cat log)"
kill -INT $pid
kill -HUP $pid
leaves 0
cmp whole.gguf $model

# A second signal of another kind. Both wait for a stopped process and come at once, one of them
# first; nothing can be saved between them.
for pair in 'INT TERM' 'TERM INT' 'HUP TERM'; do
    what="both of $pair" model="two-${pair% *}.gguf"
    start $model $validated 2> log & pid=$!
    waits_for searching || fail "$what: no validation: $(cat log)"
    kill -STOP $pid
    for signal in $pair; do kill -$signal $pid; done
    ls -l $model.ckpt > before
    kill -CONT $pid
    rc=0
    wait $pid || rc=$?
    test $rc -gt 128 || fail "$what: ended with $rc"
    ls -l $model.ckpt > after
    cmp before after || fail "$what: $(cat before after log)"
    if grep -q 'stopped at' log; then fail "$what: it saved: $(cat log)"; fi
    test -f $model.ckpt/update-00000003.gguf || fail "$what: $(cat before)"
    (start $model $validated) 2> log || fail "$what, resumed: $(cat log)"
    cmp whole.gguf $model
done

# A second one of the same kind, while the program waits for a text that does not come: where the
# first is remembered and no more, only the second ends it. A second one would be lost while the first is
# on its way.
mkfifo pipe.en
delivered() { test ! -r /proc/$pid/status || grep -q '^ShdPnd:.0*$' /proc/$pid/status; }
for signal in INT:130 TERM:143 HUP:129; do
    what="SIG$signal twice" model=two-INT.gguf
    rm log
    start $model --valid-sets pipe.en many.de $often --after 9u 2> log & pid=$!
    waits_for grep -q 'training text' log || fail "$what: $(cat log)"
    kill -${signal%:*} $pid
    waits_for delivered || :
    sleep 0.2
    if ended; then fail "$what: one is enough; expected it to wait: $(cat log)"; fi
    kill -${signal%:*} $pid
    leaves ${signal#*:}
done
(start $model $validated) || fail "$what, resumed"
cmp whole.gguf $model

# Two at random moments, in and between updates and saves: some checkpoint is there, and whole.
for pause in 0.01 0.05 0.09 0.02 0.13 0.04; do
    model=twice.gguf
    start $model --save-freq 1u $validated --quiet & pid=$!
    sleep $pause
    kill -TERM $pid 2> /dev/null || true
    sleep 0.01
    kill -INT $pid 2> /dev/null || true
    wait $pid || true
done
(start $model --save-freq 1u $validated --quiet)
cmp whole.gguf $model
