# plan.sh: train --dry-run --ranks N --link: what many ranks would cost; options that do not fit.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
"$GENERATE" --seed 5 --train 60 --dev 5 --test 5 --out data > /dev/null
train() {
    "$DRAGOMAN" train --config "$SOURCE/corpora/recipes/demo.conf" -m m.gguf --dim-emb 16 --bpe-merges 5 \
        --batch-tokens 100 --accumulate 8 --average 0 "$@"
}
expect() { grep -q -- "$1" log || fail "no \"$1\": $(cat log)"; }

# Without data; times that are given.
train --dim-vocabs 1000 --dry-run --ranks 4 --link 80Mbit,0us --update-seconds 8 2> log || fail "$(cat log)"
expect 'ranks: bytes that rank 0 would send in an update: [0-9]* of gradients, [0-9]* of values, '
expect 'takes one process 8 s, and 4 ranks 2.[01][0-9]* s: 2 s to compute, 0.[01][0-9]* s to send, '
expect 'ranks: 3.[789][0-9]* times as fast, an efficiency of 9[0-9].[0-9] %'
expect 'ranks: 90 % from --accumulate 4 on'
train --dim-vocabs 1000 --dry-run --ranks 4 --link 1Mbit,0us --update-seconds 0.1 2> log
expect 'no --accumulate reaches 90 %, .* batches of [0-9.]* times the size would'
# Small buckets leave during the backward pass, one that holds all of the model does not.
train --dim-vocabs 1000 --dry-run --ranks 4 --link 80Mbit,0us --update-seconds 8 --bucket 8K 2> log
expect 'of which at best 0.0[0-9]* s while'
train --dim-vocabs 1000 --dry-run --ranks 4 --link 80Mbit,0us --update-seconds 8 --bucket 1G 2> log
expect 'of which at best 0 s while'
# What MPI adds up is sent once an update: --accumulate helps.
train --dim-vocabs 1000 --dry-run --ranks 4 --link 1Mbit,0us --update-seconds 8 --reduce fast 2> log
expect 'ranks: 90 % from --accumulate [0-9]* on'
train --dim-vocabs 1000 --dry-run --ranks 4 --link 1Mbit,0us --update-seconds 8 2> log
expect 'no --accumulate reaches 90 %, since each batch.s gradients are sent'
train --dim-vocabs 1000 --dry-run --ranks 3 2> log
expect 'some of 3 wait for others with --accumulate 8'
grep -q 'one process' log && fail "times without --link: $(cat log)"
# Measured, of both kinds of training; nothing is left behind.
train --train-sets data/train.en data/train.de --dry-run --ranks 2 --link 10Gbit,50us 2> log || fail "$(cat log)"
expect 'takes one process 0*[.0-9e-]* s, and 2 ranks '
printf 'data/train.en\tdata/train.de\t1\ndata/dev.en\tdata/dev.de\t2\n' > list
train --train-list list --dry-run --ranks 2 --link 10Gbit,50us 2> log || fail "$(cat log)"
expect 'takes one process 0*[.0-9e-]* s, and 2 ranks '
ls > files
grep m.gguf files && fail 'a dry run writes'
train --train-sets data/train.en data/train.de --after 1u -q --ranks 1 || fail '--ranks 1'

# refuse WHAT OPTION...
refuse() {
    what=$1 rc=0
    shift
    train "$@" > out 2> err || rc=$?
    test $rc = 2 && grep -q -- "error: .*$what" err || fail "$*: exit code $rc, $(cat err)"
}
refuse 'link predicts a run; expected --dry-run' --link 1Gbit,1ms
refuse 'link connects ranks; expected their number' --link 1Gbit,1ms --dry-run
refuse 'expected RATE,LATENCY .*got "1Gb,1ms"' --link 1Gb,1ms --dry-run --ranks 2 --update-seconds 1
refuse 'or is told --update-seconds' --link 1Gbit,1ms --dry-run --ranks 2 --dim-vocabs 100
refuse 'expected --reduce-type f32, or --reduce ordered' --reduce fast --reduce-type bf16 --dry-run
refuse 'expected one of ordered|fast' --reduce quick --dry-run
refuse 'expected --link, too' --update-seconds 1 --dry-run --ranks 2
refuse 'expected 1e-06..1000000' --update-seconds 0 --dry-run --ranks 2
refuse 'launcher has started 1 process; expected as many' --ranks 64
for ranks in 0 65537 on -1 2.5; do
    refuse 'expected one of auto|off, or 1..65536' --ranks=$ranks --dry-run
done
refuse 'cannot measure updates with --parser' --link 1Gbit,1ms --dry-run --ranks 2 --parser p.gguf \
    --train-sets data/train.en data/train.de
