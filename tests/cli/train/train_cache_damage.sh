# train_cache_damage.sh: a file of training text that is damaged, or of another text, is made anew or
# refused, never silently wrong; what is none of ours, or cannot be written, is left alone.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 6000 --dev 10 --test 10
small dim-emb=8 transformer-dim-ffn=8 transformer-heads=1 dropout=0.2 max-length=40 batch-tokens=4000 \
    after=30u save-freq=7u valid-freq=15u
no_rest() { if ls -a | grep '^\.tmp-'; then exit 1; fi; }

train one.gguf --train-cache text.cache --shuffle-memory 1M

# ---- damage --------------------------------------------------------------------------------------

# damage PLACE: another byte there.
damage() { printf '\377' | dd of=text.cache bs=1 seek="$1" conv=notrunc 2> dd.log; }
size=$(wc -c < text.cache)
cp text.cache whole.cache
for place in $((size - 20)) $((size - 100)) 23; do
    cp whole.cache text.cache
    damage $place
    rm -rf damaged.gguf*
    train damaged.gguf --train-cache text.cache --shuffle-memory 1M
    said 'text.cache: made anew, since it'
    cmp text.cache whole.cache
    cmp damaged.gguf one.gguf
done
head -c 100000 whole.cache > text.cache
rm -rf damaged.gguf*
train damaged.gguf --train-cache text.cache --shuffle-memory 1M
said 'text.cache: made anew, since it ends early'
cmp damaged.gguf one.gguf
: > text.cache
rm -rf damaged.gguf*
train damaged.gguf --train-cache text.cache --shuffle-memory 1M
said 'text.cache: made anew, since it is empty'
cmp damaged.gguf one.gguf
damage 5000
rm -rf damaged.gguf*
ends 3 'text.cache:@0x40: error: block 0 of the training text is damaged' start damaged.gguf \
    --train-cache text.cache --shuffle-memory 1M
rm text.cache
train damaged.gguf --train-cache text.cache --shuffle-memory 1M
cmp damaged.gguf one.gguf

# ---- another text, other codes -------------------------------------------------------------------

cp text.cache old.cache
train merges.gguf --train-cache old.cache --bpe-merges 50 --after 2u
said 'old.cache: made anew, since another value of: codes'
cp text.cache old.cache
train length.gguf --train-cache old.cache --max-length 30 --after 2u
said 'old.cache: made anew, since another value of: max-length'
mv data/train.de train.de
sed '77s/^[^ ]*/Anders/' train.de > data/train.de
touch -r train.de data/train.de
cp text.cache old.cache
train text.gguf --train-cache old.cache --after 2u
said 'old.cache: made anew, since another value of: target text'
ends 2 'the training text is not the one' start one.gguf --shuffle-memory 1M --after 35u
mv train.de data/train.de

# ---- files that are none of ours, or cannot be written -------------------------------------------

echo 'a letter' > letter
untrained 2 'letter: .*is no cache of training text and would be replaced' --train-cache letter
test "$(cat letter)" = 'a letter'
untrained 2 'same file' --train-cache data/train.en
untrained 2 'expected a regular file' --train-cache -
untrained 2 'train-cache' --train-cache ''
untrained 2 'expected 1M..8G' --shuffle-memory 0
untrained 1 'no/such/folder' --train-cache no/such/folder/text.cache
untrained 2 'multitask keeps its text in memory' --train-cache text.cache --multitask \
    --train-trees data/train.en.conllu

# A disk that is full: one message, nothing half, and the next run with room goes on.
rm -rf full.gguf* full.cache
rc=0
(trap '' XFSZ; ulimit -f 500; start full.gguf --train-cache full.cache --shuffle-memory 1M 2> log) || rc=$?
test $rc != 0
said 'full.cache'
test ! -e full.cache
no_rest
train full.gguf --train-cache full.cache --shuffle-memory 1M
cmp full.gguf one.gguf

# A folder that may only be read, with a file that is good.
mkdir shut
cp text.cache shut/text.cache
chmod 444 shut/text.cache
chmod 555 shut
train shut.gguf --train-cache shut/text.cache --shuffle-memory 1M
chmod 755 shut
cmp shut.gguf one.gguf

# A dry run writes nothing.
train dry.gguf --dry-run --shuffle-memory 1M
test ! -e dry.gguf.cache
