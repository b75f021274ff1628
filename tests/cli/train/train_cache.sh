# train_cache.sh: training text in a file: the same model as from memory where it fits; windows of it
# where it does not, the same on any threads and after any kill.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 6000 --dev 10 --test 10
small dim-emb=8 transformer-dim-ffn=8 transformer-heads=1 dropout=0.2 max-length=40 batch-tokens=4000 \
    after=30u save-freq=7u valid-freq=15u
no_rest() { if ls -a | grep '^\.tmp-'; then exit 1; fi; }

# ---- what fits is trained on as it always was ----------------------------------------------------

train memory.gguf --train-cache none
train auto.gguf
test ! -e auto.gguf.cache
train file.gguf --train-cache text.cache
said 'training text: encoded in text.cache'
train again.gguf --train-cache text.cache
said 'training text: read from text.cache'
for model in auto file again; do cmp memory.gguf $model.gguf; done
head -c 64 text.cache | grep -q 'dragoman text, version 2, little-endian, 32-bit numbers'

# The same with trees, which stand in the file.
trees="--train-trees data/train.en.conllu --valid-trees data/dev.en.conllu --after 5u"
syntax="--syntax=deps-san(layers=1)"
train trees-memory.gguf --train-cache none $trees "$syntax"
train trees-file.gguf --train-cache trees.cache $trees "$syntax"
train trees-again.gguf --train-cache trees.cache $trees "$syntax"
said 'read from trees.cache'
cmp trees-memory.gguf trees-file.gguf
cmp trees-memory.gguf trees-again.gguf

# ---- trees of a parser ---------------------------------------------------------------------------

# The file has them: the second run parses nothing, and is told of another parser.
for seed in 1 2; do
    head -n 3000 data/train.en.conllu | awk -v RS= -v ORS='\n\n' 'NR <= 100' > bank.conllu
    parser parser$seed.gguf bank.conllu --seed $seed --after 3u --dim-emb 8 --dim-lstm 8 --dim-arc 8 --max-length 50
done
parser="--parser parser1.gguf --after 5u $syntax"
train parsed-memory.gguf --train-cache none $parser
said 'sentences parsed'
train parsed-file.gguf --train-cache parsed.cache $parser
said '[1-9][0-9]* sentences parsed'
cmp parsed-memory.gguf parsed-file.gguf
train parsed-again.gguf --train-cache parsed.cache $parser
silent 'training text:.*sentences parsed'
cmp parsed-memory.gguf parsed-again.gguf
train parsed-one.gguf --shuffle-memory 1M $parser
cmp parsed-one.gguf.cache parsed.cache
train parsed-two.gguf --shuffle-memory 1M --train-cache parsed.cache $parser
cmp parsed-one.gguf parsed-two.gguf
train parsed-other.gguf --train-cache parsed.cache $parser --parser parser2.gguf
said 'parsed.cache: made anew, since another value of: parser'

# ---- windows -------------------------------------------------------------------------------------

train one.gguf --shuffle-memory 1M --threads 1
said 'an epoch has [2-9] windows'
test -s one.gguf.cache
cmp one.gguf.cache text.cache
train two.gguf --shuffle-memory 1M --threads 2 --train-cache text.cache
cmp one.gguf two.gguf
differ one.gguf memory.gguf
train trees-one.gguf --shuffle-memory 1M $trees "$syntax"
train trees-two.gguf --shuffle-memory 1M --train-cache trees.cache $trees "$syntax"
cmp trees-one.gguf trees-two.gguf
cmp trees-one.gguf.cache trees.cache

# Killed in the middle, perhaps while the file is made: the same bytes, and nothing is left.
for pause in 0.1 0.3 0.7; do
    rm -rf killed.gguf*
    for again in 1 2; do
        killed $pause start killed.gguf --quiet --shuffle-memory 1M
    done
    train killed.gguf --shuffle-memory 1M
    cmp one.gguf killed.gguf
    cmp one.gguf.cache killed.gguf.cache
done
no_rest

# Interrupted where a window, or an epoch, ends within an update of several batches.
pieces="--shuffle-memory 1M --train-cache text.cache --accumulate 3"
train whole.gguf $pieces --after 16u
for after in 1 3 7 8 16; do train pieces.gguf $pieces --after ${after}u; done
cmp whole.gguf pieces.gguf

# Two runs beside each other that name the same file.
rm -f both.cache
(start left.gguf --shuffle-memory 1M --train-cache both.cache 2> left.log) & left=$!
(start right.gguf --shuffle-memory 1M --train-cache both.cache 2> right.log) & right=$!
wait $left
wait $right
cmp one.gguf left.gguf
cmp one.gguf right.gguf
cmp both.cache text.cache

# ---- a resume in another order is refused --------------------------------------------------------

ends 2 'trained with --shuffle-memory 1M' start one.gguf --shuffle-memory 2M --after 35u
ends 2 'trained with --shuffle-memory 1M' start one.gguf --train-cache none --after 35u
ends 2 'with all of its text in memory' start memory.gguf --shuffle-memory 1M --after 35u
train memory.gguf --shuffle-memory 1M --after 35u --allow-data-change
said 'epoch [0-9]* begins again, in the order of the new windows'
