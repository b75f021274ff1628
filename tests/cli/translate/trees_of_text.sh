# trees_of_text.sh: a parser inside a translation model that cuts text itself: its trees are laid
# over the model's own tokens, the same ones in training, in translation and from files.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# A treebank of sentences SUBJECT don't VERB OBJECT. with a clitic, a hyphen and a full stop.
awk 'BEGIN {
    split("we they dogs cats", s, " "); split("see hear like know", v, " ")
    split("you them birds fish", o, " ")
    for (i = 1; i <= 4; i++) for (j = 1; j <= 4; j++) for (k = 1; k <= 4; k++) {
        stop = (i + j + k) % 2 ? "." : "!"
        printf "# text = %s don\047t %s T-%s%s\n", s[i], v[j], o[k], stop
        printf "1\t%s\t_\tNOUN\t_\t_\t4\tnsubj\t_\t_\n", s[i]
        printf "2-3\tdon\047t\t_\t_\t_\t_\t_\t_\t_\t_\n"
        printf "2\tdo\t_\tAUX\t_\t_\t4\taux\t_\t_\n3\tn\047t\t_\tPART\t_\t_\t4\tadvmod\t_\t_\n"
        printf "4\t%s\t_\tVERB\t_\t_\t0\troot\t_\t_\n", v[j]
        printf "5\tT\t_\tNOUN\t_\t_\t7\tcompound\t_\tSpaceAfter=No\n"
        printf "6\t-\t_\tPUNCT\t_\t_\t7\tpunct\t_\tSpaceAfter=No\n"
        printf "7\t%s\t_\tNOUN\t_\t_\t4\tobj\t_\tSpaceAfter=No\n", o[k]
        printf "8\t%s\t_\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n", stop
    }
}' > bank.conllu
learn() {
    model=$1
    shift
    "$DRAGOMAN" train-parser --quiet --train-sets bank.conllu --model "$model" --enc-depth 1 \
        --dim-emb 16 --dim-lstm 16 --pieces none --dim-arc 16 --dim-label 8 --dim-tag 8 --min-freq 1 \
        --lr 0.02 --warmup 5 --batch-tokens 100 --max-length 40 "$@"
}
learn p.gguf --tokenizer --dim-tokenizer 16 --after 100u
learn words.gguf --after 3u

grep '^# text' bank.conllu | cut -c 10- > train.en
awk '{ print "wir " NF " " NR % 7 " ." }' train.en > train.de
head -n 12 train.en > dev.en
head -n 12 train.de > dev.de
{ sed -n 20,40p train.en; printf "we don't see T-you. dogs don't like T-fish!\n\n\tcats  don't \n.\n"; } > test.en
settings enc-depth=1 dec-depth=1 dim-emb=16 transformer-dim-ffn=16 transformer-heads=2 max-length=100 \
    batch-tokens=150 lr=0.01 warmup=10 after=12u save-freq=7u valid-freq=6u
train_on='--train-sets train.en train.de --tokenize moses --bpe-merges 30' valid_on='--valid-sets dev.en dev.de'
codes='--tokenize moses --bpe-merges 30'
deps='deps-san(layers=1)'

# Moses cuts don + 't and T-you, the treebank do + n't and T + - + you: of both nothing is lost.
train log.gguf --after 1u --syntax "$deps" --parser p.gguf
said 'training text: 64 sentences parsed in .* words/s; 0 longer'
said 'of 512 words of the parser, 512 keep their heads .* (100.000 %)'

# Threads, and trees that `parse` wrote, give the same model.
train m.gguf --syntax "$deps" --parser p.gguf --threads 1
train t2.gguf --syntax "$deps" --parser p.gguf --threads 2
cmp m.gguf t2.gguf
for set in train dev test; do "$DRAGOMAN" parse -q -m p.gguf < $set.en > $set.conllu; done
train file.gguf --syntax "$deps" --parser p.gguf --train-trees train.conllu --valid-trees dev.conllu
cmp m.gguf file.gguf
train log.gguf --after 1u --overwrite --valid-trees dev.conllu --syntax "$deps" --train-trees train.conllu
said "64 lines have other words than their trees in train.conllu"
said "of 512 words of the parser, 512 keep"
train none.gguf --syntax "$deps" --parser p.gguf --train-trees none
if cmp -s m.gguf none.gguf; then fail 'trees change nothing'; fi

# So it is in translation, whatever the batches; the model parses as its parser does.
# A line with a tree of its own is never split.
translate() { "$DRAGOMAN" translate --quiet --models m.gguf -b 3 --scores "$@"; }
whole() { translate --split none "$@"; }
whole < test.en > auto.de
test "$(wc -l < auto.de)" = 25
translate --trees test.conllu < test.en | cmp - auto.de
whole --trees auto --threads 1 --batch-tokens 1 < test.en | cmp - auto.de
whole --threads 3 --maxi-batch 5 < test.en | cmp - auto.de
while IFS= read -r line; do printf '%s\n' "$line" | whole; done < test.en | cmp - auto.de
whole --trees none < test.en > none.de
if cmp -s auto.de none.de; then fail 'trees change no translation'; fi
"$DRAGOMAN" parse -q -m m.gguf < test.en | cmp - test.conllu
"$DRAGOMAN" translate -m m.gguf -o de < test.en 2> log
said 'trees: of [0-9]* words of the parser, [0-9]* keep'
# Sentences are the parser's; without it those of the rules, which know "Dr.".
echo "they don't hear Dr. T-fish." > doctor
whole < doctor > whole.de
translate --split sentence < doctor > split.de
if cmp -s whole.de split.de; then fail "no sentences of the parser"; fi
whole --trees none < doctor > whole.de
translate --trees none --split sentence < doctor | cmp - whole.de
cut -f 2 auto.de > words.de
"$DRAGOMAN" rescore test.en words.de -q -m m.gguf > scores
"$DRAGOMAN" rescore test.en words.de -q -m m.gguf --trees test.conllu | cmp - scores

# Values for each token, of Moses or between blanks, as the model has its trees.
annotate() { "$DRAGOMAN" annotate --quiet -m p.gguf "$@"; }
"$DRAGOMAN" tok --no-escape < test.en | sed 's/ *$//' > tok
annotate --tokens moses --to pieces < test.en | cmp - tok
sed -n 20p train.en > one.en
test "$(annotate --tokens moses < one.en)" = '3 3 3 3 3 3' || fail "$(annotate --tokens moses < one.en)"
test "$(annotate --tokens blanks < one.en)" = '2 2 2 2' || fail "$(annotate --tokens blanks < one.en)"
test "$(annotate --tokens own < one.en)" = '3 3 3 3 6 6 3 3' || fail "$(annotate < one.en)"
annotate < one.en > own
annotate --tokens own < one.en | cmp - own
test "$(annotate --tokens moses --to tags < one.en)" = 'NOUN AUX PART VERB NOUN PUNCT'
"$DRAGOMAN" bpe learn -s 12 < train.en > codes
annotate --tokens moses --to pieces --codes codes < test.en > pieces
annotate --tokens moses --codes codes < test.en > heads
test "$(wc -w < pieces)" = "$(wc -w < heads)"
annotate --tokens moses --threads 3 --batch-tokens 1 --codes codes < test.en | cmp - heads
"$DRAGOMAN" annotate -m m.gguf --tokens moses < train.en 2> log > out
said 'trees: of 512 words of the parser, 512 keep'
ends 2 'expected another output' annotate --tokens moses --to conllu
ends 2 'tokens.* without a tokenizer' annotate --tokens moses --tokenizer moses
ends 2 'tokens.* without a tokenizer' annotate --tokens blanks -f tokens
refuse 2 'tokens.* without a tokenizer' annotate -m words.gguf --tokens moses
ends 2 'tokens' annotate --tokens spm

# Text that Moses has cut and escaped already: the parser reads what it was.
"$DRAGOMAN" tok --escape --aggressive < train.en > tok.en
grep -q "don &apos;t see T @-@ you" tok.en || fail "$(head -n 1 tok.en)"
"$DRAGOMAN" train --config small.conf --model tok.gguf --train-sets tok.en train.de --after 1u \
    --tokenize none --bpe-merges 30 --syntax "$deps" --parser p.gguf 2> log
said 'of 512 words of the parser, 512 keep'

# Other text is no tree of the line; the words of another tokeniser are.
sed '1,/^$/s/	we	/	wa	/' train.conllu > bad.conllu
train bad.gguf --syntax "$deps" --train-trees bad.conllu --valid-trees dev.conllu --after 1u
sed '1,/^$/s/	see	/	recognise	/' train.conllu > bad.conllu
ends 3 'train.en:1: .*E_ALIGN' start bad.gguf --syntax "$deps" --train-trees bad.conllu \
    --valid-trees dev.conllu --overwrite

# A line with more words than the parser reads is parsed in parts.
{ cat test.en; awk 'BEGIN { for (i = 0; i < 41; i++) printf "we " }'; } > long.en
"$DRAGOMAN" translate -m m.gguf --split none -b 3 --scores < long.en > long.de 2> log
said 'line 26 has 41 words, the parser reads 40: parsed in parts, which hang on the first'
if grep 'had no tree' log; then exit 1; fi
head -n 25 long.de | cmp - auto.de

# Every variant, over words and over pieces of SentencePiece; encoders that are trees.
pieces="--tokenize spm --spm $SOURCE/tests/cli/text/spm/unigram.model --tied-embeddings all"
use() {
    "$DRAGOMAN" train -q --config small.conf -m v.gguf --train-sets train.en train.de --after 2u \
        --overwrite --parser p.gguf "$@" || fail "$*"
    test "$("$DRAGOMAN" translate -q -m v.gguf < test.en | wc -l)" = 25 || fail "translate $*"
}
for syntax in "$deps" pascal sgsa depth 'lisa(lambda=0.1)' 'tags(deprel=3,upos=2)'; do
    use $codes --syntax "$syntax"
    use $pieces --syntax "$syntax"
done
use $codes --syntax dbsa --train-target-trees none
use $pieces --syntax dbsa --train-target-trees none
for encoder in lexicalized sequential-dependency constituency; do
    use $codes --encoder $encoder --dim-rnn 8
    use ${pieces% --tied*} --encoder $encoder --dim-rnn 8
done

# Over pieces, too, training is as with trees of a file, and a parser of words has no place.
spm() {
    model=$1
    shift
    "$DRAGOMAN" train -q --config small.conf $pieces -m $model --train-sets train.en train.de --syntax "$deps" "$@"
}
spm s.gguf --parser p.gguf
spm f.gguf --parser p.gguf --train-trees train.conllu
cmp s.gguf f.gguf
"$DRAGOMAN" translate -q -m s.gguf --split none --scores < test.en > auto.de
"$DRAGOMAN" translate -q -m s.gguf --scores --trees test.conllu < test.en | cmp - auto.de
spm w.gguf --parser words.gguf --train-trees train.conllu
ends 2 'a parser of words' spm x.gguf --parser words.gguf
refuse 2 'a parser of words inside' translate -q -m w.gguf
ends 2 'spm-sampling with trees' spm x.gguf --parser p.gguf --spm-sampling 0.1
"$DRAGOMAN" translate -q -m w.gguf --trees test.conllu < test.en > out
"$DRAGOMAN" train -q --config small.conf $pieces -m l.gguf --train-sets train.en train.de --after 1u \
    --syntax 'lisa(lambda=0.1)' --train-trees train.conllu
refuse 4 'a head over pieces' parse -m l.gguf
