# tokenizer.sh: a parser that learns to cut text from its treebank: what it makes of lines and
# documents; threads, batches and kills change no byte; the text can be restored from what it writes.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
exec 3>&1 1>&2

# A treebank of sentences SUBJECT don't VERB OBJECT, with what clitics and punctuation do.
awk 'BEGIN {
    split("we they dogs cats", s, " "); split("see hear like know", v, " ")
    split("you them birds fish", o, " ")
    for (i = 1; i <= 4; i++) for (j = 1; j <= 4; j++) for (k = 1; k <= 4; k++) {
        if (k == 1) print "# newpar"
        stop = (i + j + k) % 2 ? "." : "!"
        printf "# text = %s don\047t %s %s%s\n", s[i], v[j], o[k], stop
        printf "1\t%s\t_\tNOUN\t_\t_\t4\tnsubj\t_\t_\n", s[i]
        printf "2-3\tdon\047t\t_\t_\t_\t_\t_\t_\t_\t_\n"
        printf "2\tdo\t_\tAUX\t_\t_\t4\taux\t_\t_\n3\tn\047t\t_\tPART\t_\t_\t4\tadvmod\t_\t_\n"
        printf "4\t%s\t_\tVERB\t_\t_\t0\troot\t_\t_\n", v[j]
        printf "5\t%s\t_\tNOUN\t_\t_\t4\tobj\t_\tSpaceAfter=No\n", o[k]
        printf "6\t%s\t_\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n", stop
    }
}' > bank.conllu
trainer=train-parser train_on= valid_on='--tokenizer --dim-tokenizer 16'
settings enc-depth=1 dim-emb=16 dim-lstm=16 pieces=none dim-arc=16 dim-label=8 dim-tag=8 min-freq=1 lr=0.02 warmup=5 \
    after=60u batch-tokens=100 save-freq=9u max-length=40 train-sets=bank.conllu
train p.gguf --threads 1
train two.gguf --threads 2
cmp p.gguf two.gguf
train part.gguf --after 23u
if cmp -s p.gguf part.gguf; then fail 'stopping changes nothing'; fi
train part.gguf
cmp p.gguf part.gguf
# Dropout: a rate without a word about it; a run keeps the one that it began with.
train rate.gguf --after 5u --tokenizer-dropout 0.15
ends 2 '"tokenizer-dropout = 0.15", which is 0 now' start rate.gguf --tokenizer-dropout 0
train rate.gguf
cmp p.gguf rate.gguf
train none.gguf --after 5u --tokenizer-dropout 0
ends 2 'tokenizer-dropout = 0.15' start none.gguf
train none.gguf --tokenizer-dropout 0
if cmp -s p.gguf none.gguf; then fail 'dropout changes nothing'; fi
# What --dump-config writes trains the same, with a tokenizer and without.
for what in --tokenizer ''; do
    "$DRAGOMAN" train-parser -q --config small.conf -m said.gguf $what --after 3u --overwrite
    "$DRAGOMAN" train-parser -q --config small.conf -m dumped.gguf $what --after 3u --overwrite --dump-config > dumped.conf
    "$DRAGOMAN" train-parser -q --config dumped.conf
    cmp said.gguf dumped.gguf
done
"$DRAGOMAN" train-parser -q --config small.conf -m plain.gguf --after 2u

# ---- what is found ------------------------------------------------------------------------------

parse() { "$DRAGOMAN" parse --quiet -m p.gguf "$@"; }
printf "  cats don't like you!  dogs don't see fish.\n\nthey don't hear birds.\n" > text
parse --split document --ranges < text | cut -f 1,2,10 >&3
parse --split lines < text | cut -f 1,2,10 >&3
parse < text | cut -f 1,2,10 >&3
"$DRAGOMAN" annotate -q -m p.gguf --to pieces < text >&3
"$DRAGOMAN" annotate -q -m p.gguf --to pieces --tokenizer moses < text >&3
grep '^# text' bank.conllu | cut -c 10- | paste -d ' ' - - - - | sed G > bank.txt
parse --split document < bank.txt > found.conllu
"$DRAGOMAN" parse-eval -v bank.conllu found.conllu | grep -e Tokens -e Sentences -e Words >&3

# ---- no byte depends on the work, and none of the text is lost ------------------------------------

# restore FILE: the text that CoNLL-U was cut from.
restore() {
    awk -F '\t' '
    function plain(s,   out, c) {
        out = ""
        for (; s != ""; s = substr(s, 2)) {
            c = substr(s, 1, 1)
            if (c == "\\") {
                s = substr(s, 2); c = substr(s, 1, 1)
                c = c == "s" ? " " : c == "t" ? "\t" : c == "n" ? "\n" : c == "r" ? "\r" : c == "p" ? "|" : c
            }
            out = out c
        }
        return out
    }
    function field(name,   n, i, f) {
        n = split($10, f, "|")
        for (i = 1; i <= n; i++) if (index(f[i], name "=") == 1) { value = substr(f[i], length(name) + 2); return 1 }
        return 0
    }
    /^[0-9]/ {
        if ($1 ~ /-/) { split($1, r, "-"); last = r[2] } else if ($1 + 0 <= last) next
        if (field("SpacesBefore")) printf "%s", plain(value)
        printf "%s", field("SpacesInToken") ? plain(value) : $2
        printf "%s", field("SpacesAfter") ? plain(value) : field("SpaceAfter") && value == "No" ? "" : " "
    }
    NF == 0 { last = 0 }' "$1"
}
restores() {
    parse --split document < "$1" > restored.conllu
    restore restored.conllu | cmp - "$1" || fail "$1 is not restored"
    "$DRAGOMAN" parse -q -m p.gguf -f conllu < restored.conllu > again.conllu
    cmp restored.conllu again.conllu
}
{
    printf '\n \t\n  we|they \\s a\\b\r\n\tdon'"'"'t...\r\n\n\n\n\303\251t\303\251 \302\240 caf\303\251 \342\200\250x\n'
    cat text bank.txt
    printf '   don'"'"'t  \n \n\t\n  '
} > odd
printf 'a' > one
restores odd
restores one
restores text
restores bank.txt
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "%s", i % 7 ? "don'"'"'t " : i % 3 ? "cats. " : "x\n" }' > long
restores long
parse --split document < long > long.conllu
for options in '--threads 1' '--threads 3' '--batch-tokens 1' '--immediate'; do
    parse --split document $options < long | cmp - long.conllu || fail "$options"
done
cat odd | parse --split document > a
restore a | cmp - odd
parse --split lines < long > lines.conllu
number=0
while read -r line; do
    number=$((number + 1))
    printf '%s\n' "$line" | parse --split lines | sed "s/^\(# sent_id = \)1/\1$number/"
done < odd > a
while read -r line; do printf '%s\n' "$line"; done < odd | parse --split lines | cmp - a
for shard in 1 2; do
    "$DRAGOMAN" parse -m p.gguf --split lines --shard $shard/2 < text > shard$shard 2> log
    grep -q 'warning: split "lines" of a shard: `join` cannot' log
done
"$DRAGOMAN" parse -m p.gguf --shard 1/2 < text 2>&1 > shard | { if grep "join"; then exit 1; fi; }
test "$(cat shard1 shard2 | grep -c '^1	')" = 3
parse --split document < /dev/null > none
test ! -s none
printf ' \n\n' | parse --split document > none
test ! -s none
printf 'a\377\0b\n' | parse | grep -q '^# text = a.*b$'

# In none and lines each line keeps its place, blank and long ones too.
{ echo; cat text; awk 'BEGIN { for (i = 0; i < 41; i++) printf "we " }'; echo; } > place
test "$(parse < place | grep -c '^$')" = 5
"$DRAGOMAN" annotate -q -m p.gguf --to heads < place > heads
test "$(wc -l < heads)" = 5
"$DRAGOMAN" parse -m p.gguf < place 2>&1 > /dev/null | grep -q 'line 5 has 4[0-9]* words' ||
    fail 'no line of a long sentence'

# ---- inside a translation model, in bytes; wrong use ----------------------------------------------

printf 'we see\n' > t.src
printf 'wir sehen\n' > t.trg
"$DRAGOMAN" train -q -m mt.gguf --train-sets t.src t.trg --syntax 'deps-san(layers=1)' --parser p.gguf \
    --after 1u --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 8 \
    --transformer-heads 2 --transformer-dim-ffn 8
"$DRAGOMAN" parse -q -m mt.gguf < text > a
parse < text | cmp - a
"$DRAGOMAN" quantize -q p.gguf -o bytes.gguf --type q8_0
"$DRAGOMAN" parse -q -m bytes.gguf --split document < odd > a
restore a | cmp - odd

# The parser cuts text itself in all languages; Moses' tokens beside its words are of one.
parse < text > want
unread='warning: language "de" changes nothing: the parser cuts text itself'
"$DRAGOMAN" parse -m p.gguf --language de < text 2> err | cmp - want
grep -qF "$unread" err || fail "$(cat err)"
"$DRAGOMAN" annotate -m p.gguf --language de --tokens moses < text > /dev/null 2> err
if grep 'changes nothing' err; then fail 'it changes tokens'; fi
"$DRAGOMAN" parse -m p.gguf --language de --tokenizer moses < text > /dev/null 2> err
if grep 'changes nothing' err; then fail 'it changes rules'; fi
"$DRAGOMAN" parse -m p.gguf < text > /dev/null 2> err
if grep 'changes nothing' err; then fail 'nobody gave it'; fi

refuse 2 'dim-tokenizer goes with --tokenizer, which' train-parser --config small.conf -m x.gguf --dim-tokenizer 8
refuse 2 'dim-tokenizer' train-parser --config small.conf -m x.gguf --tokenizer --dim-tokenizer 3
refuse 2 'tokenizer-dropout goes with --tokenizer, which' train-parser --config small.conf -m x.gguf --tokenizer-dropout 0
refuse 2 'tokenizer-dropout' train-parser --config small.conf -m x.gguf --tokenizer --tokenizer-dropout 1
refuse 2 'tokenizer' train-parser --config small.conf -m plain.gguf --tokenizer
refuse 4 'not learned to cut' parse -m plain.gguf --tokenizer own
refuse 2 'split without' parse -m plain.gguf --split lines
refuse 2 'ranges without' parse -m p.gguf --tokenizer moses --ranges
refuse 2 'split without' parse -m p.gguf -f tokens --split document
refuse 2 'of text that has words' parse -m p.gguf -f conllu --tokenizer own
refuse 2 'of a shard' parse -m p.gguf --split document --shard 1/2
refuse 2 'split' parse -m p.gguf --split sentences
refuse 2 'tokenizer' annotate -m p.gguf --tokenizer mecab
sed 's/# text = we /# text = We /' bank.conllu > other.conllu
"$DRAGOMAN" train-parser --config small.conf -m x.gguf -t other.conllu --tokenizer --after 1u 2> err
test "$(grep -c 'text goes on with "We' err)" = 5
grep -q 'differs from the words in 16 sentences' err
