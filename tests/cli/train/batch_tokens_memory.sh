# batch_tokens_memory.sh: with --batch-tokens auto the memory that is used stays within --memory, in training,
# validation and saving.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
measures_memory
test -r /proc/self/statm || skip "no /proc/self/statm: the memory of a process is not known"
generate data --seed 3 --train 1500 --dev 100 --test 10

small bpe-merges=0 dim-emb=32 transformer-dim-ffn=64 max-length=100 after=12u save-freq=4u valid-freq=6u disp-freq=3u \
    average=0 batch-tokens=auto
# peak: what the log says, in MiB.
peak() { sed -n 's/.*memory: the peak was \([0-9.]*\) MiB.*/\1/p' log; }
# A program with a sanitizer uses several times what it asks for.
"$DRAGOMAN" translate -m data/train.en --log-level debug < /dev/null 2> log || :
if awk "BEGIN { exit !($(peak) > 12) }"; then
    skip "$(peak) MiB for doing nothing: a sanitizer? The promise is not tested"
fi
# within LIMIT OPTION...
within() {
    limit=$1
    shift
    train m.gguf --memory "${limit}M" --log-level debug --overwrite --no-resume --threads 2 "$@" || fail "$limit $*"
    awk "BEGIN { exit !($(peak) <= $limit) }" || fail "$limit $*: $(peak) MiB used: $(cat log)"
}
within 48
awk "BEGIN { exit !($(peak) >= 0.6 * 48) }" || fail "48: only $(peak) MiB used: $(cat log)"
within 96
within 48 --recompute --ema 1e-3
within 64 --valid-metrics bleu --beam-size 4 --accumulate 2 --after 4u --valid-freq 3u
within 64 --average 3 --keep-last 3 --length-buckets 3
within 64 --accumulate 2 --after 6u -d cpu,cpu
