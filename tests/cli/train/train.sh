# train.sh: training from the command line: any number of threads, and a kill -9 at any moment
# with a resume, end in the same bytes; a run that was stopped by a signal saves and goes on.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 10 --test 10

small enc-depth=2 dec-depth=2 dropout=0.2 max-length=60 after=60u save-freq=7u valid-freq=20u average=3 \
    train-trees=data/train.en.conllu valid-trees=data/dev.en.conllu 'syntax=deps-san(layers=1,rs_q=0.1)+shaw(k=4)'

train one.gguf --threads 1
for threads in 2 3; do
    train "t$threads.gguf" --threads $threads
    cmp one.gguf "t$threads.gguf"
done

# Killed twice at random moments of the run, 6 times over; 25 times in `make check-long`.
times=6
test -n "$TEST_LONG" && times=25
pauses=$(awk -v n=$times 'BEGIN { srand(7); for (i = 0; i < n; i++) printf "%.3f ", 0.03 + 0.5 * rand() }')
for pause in $pauses; do
    rm -rf killed.gguf killed.gguf.ckpt
    for again in 1 2; do
        killed $pause start killed.gguf --threads 2 --quiet
    done
    train killed.gguf
    cmp one.gguf killed.gguf
done

# A signal: saved, 128 + signal or 130, and the same command goes on.
rm -rf killed.gguf killed.gguf.ckpt
start killed.gguf --quiet --after 100000u & pid=$!
until ls killed.gguf.ckpt/update-*.gguf > /dev/null 2>&1; do
    kill -0 $pid
    sleep 0.05
done
kill -TERM $pid
rc=0
wait $pid || rc=$?
test $rc -ge 128
ls killed.gguf.ckpt/update-*.gguf > /dev/null

# Other settings are refused, with the setting's name; --overwrite starts again.
ends 2 'lr = 0.5' start one.gguf --lr 0.5
train one.gguf --lr 0.5 --overwrite --after 5u
