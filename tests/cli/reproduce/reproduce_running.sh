# reproduce_running.sh: a row on running text has the trees of a parser that cuts the text itself, or that Moses'
# rules cut it for; they are those that `train --parser` makes, to the byte of the model.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 60 --dev 5 --test 10
reproduce() { sh "$SOURCE/scripts/reproduce" "$@" --updates 3 --threads 1; }

for text in train.en train.de dev.en dev.de test.en test.de; do
    sed 's/ \([.,]\)/\1/g' "data/$text" > part && mv part "data/$text" || fail 'no text'
done
awk '/\tPUNCT\t/ { sub(/_$/, "SpaceAfter=No", row) } NR > 1 { print row } { row = $0 } END { print row }' \
    data/train.en.conllu > glued.conllu
for cuts in own moses; do
    option=''
    test $cuts = moses || option=--tokenizer
    "$DRAGOMAN" train-parser --quiet --train-sets glued.conllu $option --min-freq 1 --after 30u --save-freq 30u \
        --dim-emb 8 --dim-lstm 8 --dim-piece 8 --dim-piece-lstm 8 --enc-depth 1 --dim-arc 8 --dim-label 8 \
        --dim-tag 8 --model $cuts.gguf || fail 'no parser'
done
cat > small.table <<'END'
@recipe    demo.conf
@tiny      --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 300
deps     | Deps-SAN  | deps-san(layers=1-2) | - | source        | -
random   | drawn     | deps-san(layers=1-2) | - | source:random | -
END
cat > running.conf <<'END'
options = --tokenize moses --source-lang en --target-lang de
recipe = demo.conf
train = train.en train.de
valid = dev.en dev.de
test = test.en test.de
END

for cuts in own moses; do
    reproduce ./small.table --corpus ./running.conf --data data --only deps --parser $cuts.gguf --out $cuts > log 2>&1 ||
        { cat log; fail "$cuts: no row"; }
    grep '^# text = ' $cuts/data/train.source.conllu | sed 's/^# text = //' | cmp - data/train.en ||
        fail "$cuts: not trees of the text as it is"
    sed -n 's/^reproduce: //p' $cuts/deps/seed-1/log > options
    grep -q -e --train-trees options || fail "$cuts: rows do not share the trees"
    set -- $(sed 's/ --train-trees=[^ ]*//' options)
    "$DRAGOMAN" train "$@" --model $cuts.gguf.model > log 2>&1 && test -f $cuts.gguf.model || { cat log; fail 'no second model'; }
    cmp $cuts.gguf.model $cuts/deps/seed-1/model.gguf || fail "$cuts: not the trees of train --parser"
done
cmp -s own/data/train.source.conllu moses/data/train.source.conllu && fail 'both parsers cut alike'

# What needs words between blanks says so.
reproduce ./small.table --corpus ./running.conf --data data --only random --out random > random.md 2> log
test $? = 1 || fail 'random trees of running text'
grep -q 'needs --parser, or trees that the corpus names: its text is not tokenised' log || { cat log; fail 'no reason'; }
