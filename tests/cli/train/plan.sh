# plan.sh: train --dry-run --ranks N --link: what many ranks would cost; options that do not fit.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 60 --dev 5 --test 5
demo transformer-dim-ffn=128 bpe-merges=5 batch-tokens=100 accumulate=8
train_on= valid_on=

# Without data; times that are given.
train m.gguf --dim-vocabs 1000 --dry-run --ranks 4 --link 80Mbit,0us --update-seconds 8
said 'ranks: bytes that rank 0 would send in an update: [0-9]* of gradients, [0-9]* of values, '
said 'takes one process 8 s, and 4 ranks 2.[01][0-9]* s: 2 s to compute, 0.[01][0-9]* s to send, '
said 'ranks: 3.[789][0-9]* times as fast, an efficiency of 9[0-9].[0-9] %'
said 'ranks: 90 % from --accumulate 4 on'
train m.gguf --dim-vocabs 1000 --dry-run --ranks 4 --link 1Mbit,0us --update-seconds 0.1
said 'no --accumulate reaches 90 %, .* batches of [0-9.]* times the size would'
# Small buckets leave during the backward pass, one that holds all of the model does not.
train m.gguf --dim-vocabs 1000 --dry-run --ranks 4 --link 80Mbit,0us --update-seconds 8 --bucket 8K
said 'of which at best 0.0[0-9]* s while'
train m.gguf --dim-vocabs 1000 --dry-run --ranks 4 --link 80Mbit,0us --update-seconds 8 --bucket 1G
said 'of which at best 0 s while'
# What MPI adds up is sent once an update: --accumulate helps.
train m.gguf --dim-vocabs 1000 --dry-run --ranks 4 --link 1Mbit,0us --update-seconds 8 --reduce fast
said 'ranks: 90 % from --accumulate [0-9]* on'
train m.gguf --dim-vocabs 1000 --dry-run --ranks 4 --link 1Mbit,0us --update-seconds 8
said 'no --accumulate reaches 90 %, since each batch.s gradients are sent'
train m.gguf --dim-vocabs 1000 --dry-run --ranks 3
said 'some of 3 wait for others with --accumulate 8'
silent 'one process'
# Measured, of both kinds of training; nothing is left behind.
train m.gguf --train-sets data/train.en data/train.de --dry-run --ranks 2 --link 10Gbit,50us
said 'takes one process 0*[.0-9e-]* s, and 2 ranks '
printf 'data/train.en\tdata/train.de\t1\ndata/dev.en\tdata/dev.de\t2\n' > list
train m.gguf --train-list list --dry-run --ranks 2 --link 10Gbit,50us
said 'takes one process 0*[.0-9e-]* s, and 2 ranks '
ls > files
grep m.gguf files && fail 'a dry run writes'
train m.gguf --train-sets data/train.en data/train.de --after 1u -q --ranks 1

untrained 2 'link goes with --dry-run, which is not given' --link 1Gbit,1ms
untrained 2 'link connects ranks; expected their number' --link 1Gbit,1ms --dry-run
untrained 2 'expected RATE,LATENCY .*got "1Gb,1ms"' --link 1Gb,1ms --dry-run --ranks 2 --update-seconds 1
untrained 2 'or is told --update-seconds' --link 1Gbit,1ms --dry-run --ranks 2 --dim-vocabs 100
untrained 2 '--reduce-type with --reduce fast, which adds up by MPI' --reduce fast --reduce-type bf16 --dry-run
untrained 2 'expected one of ordered|fast' --reduce quick --dry-run
untrained 2 'update-seconds goes with --link, which is not given' --update-seconds 1 --dry-run --ranks 2
untrained 2 'expected 1e-06..1000000' --update-seconds 0 --dry-run --ranks 2
untrained 2 'launcher has started 1 process; expected as many' --ranks 64
for ranks in 0 65537 on -1 2.5; do
    untrained 2 'expected one of auto|off, or 1..65536' --ranks=$ranks --dry-run
done
untrained 2 'cannot measure updates with --parser' --link 1Gbit,1ms --dry-run --ranks 2 --parser p.gguf \
    --train-sets data/train.en data/train.de
