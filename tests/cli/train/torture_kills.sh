# torture_kills.sh: a training is killed at random moments and resumed, again and again: in the end
# the model and metrics.jsonl have the bytes of a run that nothing disturbed. Kills are counted where
# they end a running training: 8 in `make check`, TEST_KILLS where that is set, 300 by check-long.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 10 --test 10
kills=${TEST_KILLS:-8}
test -z "$TEST_LONG" || kills=${TEST_KILLS:-300}

small dropout=0.2 max-length=60 threads=2 after=80u save-freq=3u valid-freq=9u disp-freq=4u

# metrics FOLDER: its lines without their speeds, which depend on the clock.
metrics() {
    sed 's/, "wps".*//' "$1/m.gguf.ckpt/metrics.jsonl"
}

# undisturbed: whether the killed run, which has ended, left what the whole one did.
undisturbed() {
    cmp whole/m.gguf killed/m.gguf
    metrics killed > killed.metrics
    cmp whole.metrics killed.metrics
    if ls -A killed killed/m.gguf.ckpt | grep -F .tmp; then exit 1; fi
}

clock() { date +%s%N 2> /dev/null | sed 's/[^0-9].*//; s/......$//'; }

# timed FOLDER: a run that nothing disturbs; how long it takes is $length then, in milliseconds.
timed() {
    before=$(clock)
    (start "$1/m.gguf" --quiet)
    length=$(($(clock) - before))
}
mkdir whole
timed whole
metrics whole > whole.metrics

# Kills after a part of a run, from nothing to two thirds, in thousandths. The machine may become faster:
# where a run that began anew was over before its kill, the next kills come within that time.
seed=${TEST_SEED:-7}
parts=$(awk -v n=$((20 * kills)) -v seed="$seed" 'BEGIN {
    srand(seed); for (i = 0; i < n; i++) printf "%d ", 667 * rand() }')

rm -rf killed && mkdir killed
hits=0 runs=0 is_new=yes
for part in $parts; do
    test $hits -lt "$kills" || break
    pause=$((length * part / 1000))
    (start killed/m.gguf --quiet) & pid=$!
    sleep "$((pause / 1000)).$(printf %03d $((pause % 1000)))"
    kill -9 $pid 2> /dev/null || :
    rc=0
    wait $pid 2> /dev/null || rc=$?
    if test $rc = 137; then
        hits=$((hits + 1)) is_new=no
        continue
    fi
    test $rc = 0 # it was over before the kill
    undisturbed
    runs=$((runs + 1))
    rm -rf killed && mkdir killed
    if test $is_new = yes; then length=$pause; fi
    is_new=yes
done
(start killed/m.gguf --quiet)
undisturbed
echo "$hits kills hit, $((runs + 1)) runs ended with the same bytes (a run takes $length ms)" >&2
test $hits -ge "$kills"
