# columns.sh: a parser that learns XPOS, FEATS and lemmas beside heads and tags: what it writes, what
# it keeps of CoNLL-U; threads, batches and kills change no byte; its metrics are parse-eval's.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# SUBJECT VERB OBJECT in two numbers, the first word with a capital; "McCoy" keeps its own.
awk 'BEGIN {
    split("cat dog bird McCoy", s, " "); split("see hear like carry", v, " ")
    for (i = 1; i <= 4; i++) for (j = 1; j <= 4; j++) for (k = 1; k <= 4; k++) {
        many = (i + j + k) % 2
        form = s[i] (many ? "s" : "")
        verb = many ? v[j] : v[j] == "carry" ? "carries" : v[j] "s"
        printf "1\t%s\t%s\t%s\t%s\tNumber=%s\t2\tnsubj\t_\t_\n", toupper(substr(form, 1, 1)) substr(form, 2),
            s[i], i == 4 ? "PROPN" : "NOUN", i == 4 ? "NNP" : many ? "NNS" : "NN", many ? "Plur" : "Sing"
        printf "2\t%s\t%s\tVERB\t%s\tNumber=%s|Tense=Pres\t0\troot\t_\t_\n", verb, v[j],
            many ? "VBP" : "VBZ", many ? "Plur" : "Sing"
        printf "3\t%ss\t%s\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\tSpaceAfter=No\n", s[k % 3 + 1], s[k % 3 + 1]
        printf "4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
    }
}' > bank.conllu
trainer=train-parser train_on= valid_on=
settings enc-depth=1 dim-emb=16 dim-lstm=16 dim-piece=8 dim-piece-lstm=8 dim-arc=16 dim-label=8 dim-tag=16 min-freq=1 \
    dropout=0.1 word-dropout=0.1 recurrent-dropout=0.1 lr=0.02 warmup=5 after=120u batch-tokens=100 save-freq=9u \
    max-length=40 train-sets=bank.conllu
train p.gguf --columns all --threads 1
train two.gguf --columns all --threads 2
cmp p.gguf two.gguf
train part.gguf --columns all --after 23u
if cmp -s p.gguf part.gguf; then fail 'stopping changes nothing'; fi
train part.gguf --columns all
cmp p.gguf part.gguf
train plain.gguf --after 20u
ends 2 'another setting than "columns = all"' start plain.gguf --columns all
ends 2 'another setting than "columns = all lemma"' start p.gguf \
    --columns all lemma --after 130u
ends 2 'trained with "columns = all", which is not set' start p.gguf \
    --after 130u
train heavy.gguf --columns all --columns-weight 2 --after 20u
ends 2 'trained with "columns-weight = 2", which is not set now' start heavy.gguf --columns all --after 30u
ends 2 'trained with "columns-weight = 2", which is 1 now' start heavy.gguf --columns all --columns-weight 1 --after 30u

# ---- what is found --------------------------------------------------------------------------------

parse() { "$DRAGOMAN" parse --quiet -m p.gguf "$@"; }
awk -F '\t' 'NF == 10 { printf "%s%s", sep, $2; sep = " " } NF == 0 { print ""; sep = "" }' \
    bank.conllu > tokens
parse -f tokens < tokens > found.conllu
"$DRAGOMAN" parse-eval -v bank.conllu found.conllu > scores
# F1 NAME: what parse-eval says of a metric.
f1() { awk -F '|' -v m="$1" '$1 ~ "^" m " *$" { print $4 + 0 }' scores; }
for metric in UPOS XPOS UFeats AllTags Lemmas MLAS BLEX; do
    test "$(f1 $metric)" = 100 || fail "$metric of a treebank that was learned by heart: $(cat scores)"
done
grep -v '^#' found.conllu | sed 's/	SpaceAfter=No$/	_/' > a
sed 's/	SpaceAfter=No$/	_/' bank.conllu | cmp - a
for options in '--threads 3' '--batch-tokens 1' '--immediate'; do
    parse -f tokens $options < tokens | cmp - found.conllu || fail "$options"
done
# Words that it has never seen get lemmas of their own letters; no script makes nothing of a word.
printf 'Zebras carry WUGS .\ns\nies ies\n_ _\n' | parse -f tokens > new.conllu
test "$(grep -c '	_	' new.conllu)" = 9 # DEPS everywhere
awk -F '\t' 'NF == 10 && ($3 == "" || $5 == "_" || ($3 == "_") != ($2 == "_"))' new.conllu > odd
test ! -s odd || fail "$(cat odd)"
test "$(awk -F '\t' '$2 == "Zebras" { print $3 }' new.conllu)" = zebra || fail "$(cat new.conllu)"
for type in int8 bf16; do
    parse -f tokens --compute-type $type < tokens | cut -f 3-6 > a
    cut -f 3-6 found.conllu | cmp - a || fail "$type"
done
"$DRAGOMAN" quantize -q p.gguf -o bytes.gguf --type q8_0
"$DRAGOMAN" parse -q -m bytes.gguf -f tokens < tokens | cut -f 3-6 | cmp - a

# ---- columns --------------------------------------------------------------------------------------

# only COLUMNS of CoNLL-U are not `_`.
only() {
    awk -F '\t' -v want="$1" 'NF == 10 {
        got = ""
        for (c = 3; c <= 9; c++) if ($c != "_") got = got " " c
        if (!($2 == "." && index(want, "6"))) if (got != want) { print got; exit 1 } }'
}
parse -f tokens --columns lemma,head < tokens | only ' 3 7' || fail 'lemma, head'
parse -f tokens --columns deprel < tokens | only ' 8' || fail deprel
parse -f tokens --columns xpos feats upos < tokens | only ' 4 5 6' || fail 'xpos feats upos'
parse -f tokens --columns upos xpos feats lemma head deprel < tokens | cmp - found.conllu
"$DRAGOMAN" parse -q -m plain.gguf -f tokens < tokens | only ' 4 7 8' || fail plain
"$DRAGOMAN" annotate -q -m p.gguf -f tokens --to conllu < tokens | cmp - found.conllu
"$DRAGOMAN" annotate -q -m p.gguf -f tokens --to tags < tokens > /dev/null
parse -f tokens --columns lemma,head --prob row < tokens > prob.conllu
awk -F '\t' 'NF == 10 && $10 !~ /^Prob=/' prob.conllu > odd
test ! -s odd

# Probabilities and pictures are of heads; those of heads that are replaced go.
for heads in '--prob row' '--to brackets' '--to svg'; do
    parse -f tokens --columns lemma $heads < tokens > out 2> err && fail "$heads without heads"
    grep -q 'columns without the heads' err || { cat err; fail "$heads: another message"; }
    test ! -s out
done
parse -f conllu --prob row < prob.conllu | grep 'Prob=.*Prob=' && fail 'two probabilities of a head'
parse -f conllu < prob.conllu | grep 'Prob=' && fail 'the probability of a head that is no more'
parse -f conllu --columns lemma < prob.conllu | cmp - prob.conllu

# A form that is too long for any script is its own lemma, not that of another word.
long=$(awk 'BEGIN { for (i = 0; i < 300; i++) printf "x"; print "" }')
echo "$long" | parse -f tokens | awk -F '\t' 'NF == 10 && $3 != $2' > odd
test ! -s odd

# What CoNLL-U gives stays, without --retag; FEATS where some word of the sentence has any.
tr ' ' '\t' > in.conllu <<'CONLLU'
# kept
1-2 Catsx _ _ _ _ _ _ _ _
1 Cats LEMMA UPOS XPOS _ _ _ 1:x A=b
2 see _ _ _ F=1 9 REL 2:y _
3 . _ _ _ _ _ _ _ _

1 Dogs _ X _ _ 0 root _ _
2 hear _ _ _ _ 1 x _ _
3 _ _ _ _ _ 1 x _ _

CONLLU
# given: without the comments that are added where they are missing.
given() { grep -v -e '^# sent_id = ' -e '^# text = '; }
# value LINE COLUMN: of `kept`.
value() { sed -n "$1p" kept | cut -f "$2"; }
"$DRAGOMAN" parse -m p.gguf -f conllu < in.conllu 2> err | given > kept
grep -q 'CoNLL-U: HEAD, DEPREL replaced; LEMMA, UPOS, XPOS, FEATS filled in where open; DEPS emptied; ID, FORM, MISC kept' err ||
    fail "$(cat err)"
test "$(value 3 3-6 | tr '\t' ' ')" = 'LEMMA UPOS XPOS _' || fail "$(cat kept)"
test "$(value 4 3-6 | tr '\t' ' ')" = 'see VERB VBP F=1' || fail "$(cat kept)"
test "$(value 5 6)" = _ && test "$(value 5 3)" = . || fail "$(cat kept)"
test "$(value 7 4)" = X && test "$(value 7 3)" = dog && test "$(value 7 6)" = Number=Plur || fail "$(cat kept)"
test "$(value 9 3)" = _ || fail "$(cat kept)" # the lemma of the word `_`
test "$(cut -f 9 kept | sort -u | tr -d '\n')" = _ || fail "$(cat kept)"
"$DRAGOMAN" parse -m p.gguf -f conllu --retag < in.conllu 2> err | given > kept
grep -q 'LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL replaced; DEPS emptied; ID, FORM, MISC kept' err || fail "$(cat err)"
test "$(value 3 3-6 | tr '\t' ' ')" = 'cat NOUN NNS Number=Plur' || fail "$(cat kept)"
"$DRAGOMAN" parse -m p.gguf -f conllu --columns lemma < in.conllu 2> err | given > kept
grep -q 'CoNLL-U: LEMMA filled in where open; ID, FORM, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC kept' err ||
    fail "$(cat err)"
cut -f 1-2,4- kept > a
cut -f 1-2,4- in.conllu | cmp - a
test "$(value 4 3)" = see || fail "$(cat kept)"
"$DRAGOMAN" parse -q -m p.gguf -f conllu --columns lemma --retag < in.conllu | given > kept
test "$(value 3 3)" = cat || fail "$(cat kept)"

# Empty nodes are of the graph of DEPS: they go and stay with it.
printf '%b' '1\ta\t_\tX\t_\t_\t0\troot\t1.1:x\t_\n1.1\tb\t_\tX\t_\t_\t_\t_\t0:root\t_\n\n' > graph
"$DRAGOMAN" parse -q -m p.gguf -f conllu < graph | given > kept
test "$(cut -f 1,9 kept | tr '\t\n' '  ')" = '1 _  ' || fail "$(cat kept)"
"$DRAGOMAN" parse -q -m p.gguf -f conllu --columns upos < graph | given | cut -f 1,9 > kept
cut -f 1,9 graph | cmp - kept

# ---- validation, a parser inside a model, wrong use -----------------------------------------------

train v.gguf --columns xpos feats lemma --after 20u --valid-sets bank.conllu --valid-freq 20u \
    --valid-metrics blex,mlas
"$DRAGOMAN" parse -q -m v.gguf.ckpt/update-00000020.gguf -f tokens < tokens > v.conllu
"$DRAGOMAN" parse-eval -v bank.conllu v.conllu > scores
for metric in UPOS XPOS UFeats AllTags Lemmas UAS LAS MLAS BLEX; do
    name=$(echo $metric | tr A-Z a-z)
    told=$(sed -n "s/.*\"metric\": \"$name\", \"value\": \([^}]*\)}.*/\1/p" v.gguf.ckpt/metrics.jsonl)
    awk -v a="$told" -v b="$(f1 $metric)" 'BEGIN { d = a - b; exit !(a != "" && d < 0.006 && d > -0.006) }' ||
        fail "$metric: told $told, scored $(f1 $metric)"
done
printf 'we see\n' > t.src
printf 'wir sehen\n' > t.trg
"$DRAGOMAN" train -q -m mt.gguf --train-sets t.src t.trg --syntax 'deps-san(layers=1)' --parser p.gguf \
    --after 1u --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 8 \
    --transformer-heads 2 --transformer-dim-ffn 8
"$DRAGOMAN" parse -q -m mt.gguf -f tokens < tokens | cmp - found.conllu

refuse 2 'expected one of upos|xpos|feats|lemma|head|deprel, got "lema"; did you mean "lemma"' \
    parse -m p.gguf --columns lema
refuse 2 '"head" stands there twice' parse -m p.gguf --columns head,lemma,head
refuse 2 'option --columns needs' parse -m p.gguf --columns
refuse 4 'has not learned "lemma"; expected one of train-parser --columns' parse -m plain.gguf --columns lemma
refuse 4 'has not learned "feats"' parse -m plain.gguf --columns head feats
untrained 2 'expected one of upos|xpos|feats|lemma|all, got "ufeats"' \
    --columns ufeats
untrained 2 '"xpos" stands there twice' --columns xpos xpos
untrained 2 'columns-weight' --columns all --columns-weight 0
untrained 2 'columns-weight goes with --columns xpos or feats or lemma or all' --columns-weight 2
untrained 2 'columns-weight with --columns upos; expected --columns xpos or' --columns upos --columns-weight 2
untrained 2 'valid-metrics lemmas of a parser that learns no such column; expected lemma among' \
    --valid-sets bank.conllu --valid-metrics lemmas
awk -F '\t' -v OFS='\t' 'NF == 10 { $5 = "_" } 1' bank.conllu > less.conllu
untrained 3 'no word has anything in the XPOS column; expected --columns without xpos' -t less.conllu --columns xpos
untrained 2 'valid-metrics xpos of a parser that learns no such column' \
    -t less.conllu --valid-sets bank.conllu --columns all --valid-metrics xpos
train less.gguf -t less.conllu --columns all --after 9u
"$DRAGOMAN" parse -q -m less.gguf -f tokens < tokens | cut -f 5 | grep -v '^#' | sort -u | tr -d '\n' | grep -qx _
refuse 4 'has not learned "xpos"' parse -m less.gguf --columns xpos
sed 's/	NNS	/	N N	/' bank.conllu > blank.conllu
untrained 3 'XPOS "N N"; expected a name without blanks' -t blank.conllu --columns all
