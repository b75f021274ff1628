# train.sh: training from the command line: any number of threads, and a kill -9 at any moment
# with a resume, end in the same bytes; a run that was stopped by a signal saves and goes on.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 3 --train 120 --dev 10 --test 10 --out data > /dev/null

cat > small.conf <<END
tokenize = none
bpe-merges = 60
enc-depth = 2
dec-depth = 2
dim-emb = 16
transformer-dim-ffn = 24
transformer-heads = 2
dropout = 0.2
max-length = 60
batch-tokens = 150
lr = 0.01
warmup = 10
after = 60u
save-freq = 7u
valid-freq = 20u
average = 3
END

# start MODEL OPTION...: becomes the trainer, so that a signal reaches it and nothing else.
start() {
    model=$1
    shift
    exec "$DRAGOMAN" train --quiet --config small.conf --model "$model" \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de \
        --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu \
        --syntax 'deps-san(layers=1,rs_q=0.1)+shaw(k=4)' "$@"
}
train() { (start "$@"); }

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
        start killed.gguf --threads 2 & pid=$!
        sleep $pause
        kill -9 $pid 2> /dev/null || true
        wait $pid 2> /dev/null || true
    done
    train killed.gguf
    cmp one.gguf killed.gguf
done

# A signal: saved, 128 + signal or 130, and the same command goes on.
rm -rf killed.gguf killed.gguf.ckpt
start killed.gguf --after 100000u & pid=$!
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
rc=0
train one.gguf --lr 0.5 2> refused || rc=$?
test $rc = 2
grep -q 'lr = 0.5' refused
train one.gguf --lr 0.5 --overwrite --after 5u
