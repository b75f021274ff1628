# parse.sh: from a treebank to a parser, and what it makes of text: train-parser, parse, annotate.
# Files, threads, batches and a kill change no byte; every line keeps its place.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 20 --test 20

trainer=train-parser train_on='--train-sets data/train.en.conllu' valid_on='--valid-sets data/dev.en.conllu'
settings enc-depth=1 dim-emb=16 dim-lstm=12 dim-piece=8 dim-piece-lstm=8 dim-arc=16 dim-label=8 dim-tag=8 \
    dropout=0.1 word-dropout=0.1 recurrent-dropout=0.1 transformer-heads=2 transformer-dim-ffn=16 lr=0.02 \
    warmup=5 after=40u batch-tokens=200 save-freq=7u valid-freq=20u average=3 max-length=30 bpe-merges=40


# ---- training -------------------------------------------------------------------------------


train p.gguf --threads 1
for threads in 2 3; do
    train "t$threads.gguf" --threads $threads
    cmp p.gguf "t$threads.gguf"
done
train other.gguf --seed 2
differ p.gguf other.gguf

times=4
test -n "$TEST_LONG" && times=25
pauses=$(awk -v n=$times 'BEGIN { srand(5); for (i = 0; i < n; i++) printf "%.3f ", 0.01 + 0.1 * rand() }')
for pause in $pauses; do
    rm -rf killed.gguf killed.gguf.ckpt
    killed $pause start killed.gguf --quiet --threads 2
    train killed.gguf
    cmp p.gguf killed.gguf
done
# A stop in the middle that does not depend on luck.
rm -rf killed.gguf killed.gguf.ckpt
train killed.gguf --after 11u
differ p.gguf killed.gguf
train killed.gguf
cmp p.gguf killed.gguf
ends 2 'lr = 0.5' start p.gguf --lr 0.5

# Every kind of parser trains, resumes and parses.
train trans.gguf --encoder transformer --pieces subwords
train tags.gguf --tag-input --pieces none
train part.gguf --encoder transformer --pieces subwords --after 8u
train part.gguf --encoder transformer --pieces subwords
cmp trans.gguf part.gguf

refuse 2 'train-sets' train-parser -m none.gguf
refuse 2 'early-stopping goes with --valid-sets' train-parser -m none.gguf -t data/train.en.conllu --early-stopping 2
refuse 2 'divisible' train-parser -m none.gguf -t data/train.en.conllu --encoder transformer \
    --dim-emb 15 --transformer-heads 2
# What was typed for another encoder or other pieces; the same in small.conf serves all of them.
untrained 2 'transformer-heads with --encoder lstm, which has no such option; expected --encoder transformer' \
    --transformer-heads 4
untrained 2 'transformer-dim-ffn with --encoder lstm' --transformer-dim-ffn 8
untrained 2 'transformer-norm with --encoder lstm' --transformer-norm post
untrained 2 'dim-lstm with --encoder transformer.*expected --encoder lstm' --encoder transformer --dim-lstm 8
untrained 2 'recurrent-dropout with --encoder transf' --encoder transformer --recurrent-dropout 0.2
untrained 2 'dim-piece with --pieces none.*expected --pieces chars or subwords' --pieces none --dim-piece 4
untrained 2 'dim-piece-lstm with --pieces none' --pieces none --dim-piece-lstm 4
untrained 2 'bpe-merges with --pieces chars.*expected --pieces subwords' --bpe-merges 30
untrained 2 'bpe-merges with --pieces none' --pieces none --bpe-merges 30
# Defaults ask for nothing.
train none.gguf --dry-run --transformer-heads 8 --bpe-merges 4000
refuse 3 'No such file' train-parser -m none.gguf -t none.conllu
refuse 3 'small.conf:1:1' train-parser -m none.gguf -t small.conf
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n' > roots.conllu
refuse 3 'roots.conllu:' train-parser -m none.gguf -t roots.conllu
"$DRAGOMAN" train-parser -q -m roots.gguf -t roots.conllu --multi-root attach-first --after 1u \
    --config small.conf
printf '1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n' > tagless.conllu
refuse 3 'UPOS' train-parser -m none.gguf -t tagless.conllu
printf '1\ta\t_\tX\t_\t_\t0\tro ot\t_\t_\n\n' > name.conllu
refuse 3 'name.conllu:1: error: DEPREL "ro ot"' train-parser -m none.gguf -t name.conllu
printf '# nothing\n\n' > empty.conllu
refuse 3 'empty.conllu' train-parser -m none.gguf -t empty.conllu
test ! -e none.gguf

# ---- parse ------------------------------------------------------------------------------------

parse() { "$DRAGOMAN" parse --quiet -m p.gguf "$@"; }

# Raw text, tokens and CoNLL-U of the same words give the same trees; batches change nothing.
parse -f tokens < data/test.en > tokens.conllu
sed 's/SpaceAfter=No/_/' data/test.en.conllu > gold.conllu
parse -f conllu --retag -i gold.conllu > again.conllu
columns() { grep -v '^#' "$1" | cut -f 1,2,4,7,8; }
columns tokens.conllu > a
columns again.conllu | cmp - a
parse < data/test.en | cmp - tokens.conllu
for size in 1 7 50 100000; do
    parse -f tokens --batch-tokens $size < data/test.en | cmp - tokens.conllu
done
parse -f tokens --threads 3 -i data/test.en -o out.conllu
cmp out.conllu tokens.conllu
number=0
while read -r line; do
    number=$((number + 1))
    echo "$line" | parse -f tokens | sed "s/^# sent_id = 1$/# sent_id = $number/"
done < data/test.en | cmp - tokens.conllu
parse -f tokens --immediate < data/test.en | cmp - tokens.conllu
for model in trans tags; do
    "$DRAGOMAN" parse -q -m $model.gguf -f tokens < data/test.en > $model.conllu
    "$DRAGOMAN" parse -q -m $model.gguf -f tokens --batch-tokens 1 --threads 1 < data/test.en \
        | cmp - $model.conllu
    differ $model.conllu tokens.conllu
done

# What was written is CoNLL-U that can be scored; every sentence is a tree with one root.
"$DRAGOMAN" parse-eval gold.conllu tokens.conllu > scores
grep -q UPOS scores
"$DRAGOMAN" parse-eval gold.conllu gold.conllu > /dev/null
test "$(cut -f 7 tokens.conllu | grep -c '^0$')" = 20
test "$(awk -F '\t' '($7 == "0") != ($8 == "root") && NF == 10' tokens.conllu | wc -l)" = 0
parse -f tokens --projective < data/test.en > projective.conllu
awk -F '\t' '
    NF == 10 { head[++n] = $7; next }
    NF == 0 {
        for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) {
            a = i < head[i] ? i : head[i]; b = i < head[i] ? head[i] : i
            c = j < head[j] ? j : head[j]; d = j < head[j] ? head[j] : j
            if (a < c && c < b && b < d) exit 1
        }
        n = 0
    }' projective.conllu || fail 'arcs cross'

# Running text: what was glued together is marked.
printf 'A friend, "old", sings.\ta\302\240b\n' | parse > raw.conllu
awk -F '\t' 'NF == 10 { printf "%s%s", $2, $10 == "_" ? " " : "" }' raw.conllu > joined
echo 'A friend, "old", sings. a b ' | tr -d '\n' | cmp - joined

# A sentence of more words than the parser reads (30) is parsed in parts, up to a full stop in the second half of so many;
# their roots hang on the first: the trees are those of the parts.
awk 'NF >= 8 && NF <= 14' data/test.en | head -n 5 > parts
test "$(wc -l < parts)" = 5
tr '\n' ' ' < parts > whole
echo >> whole
"$DRAGOMAN" parse -m p.gguf -f tokens -i whole 2> log > whole.conllu
grep -q "line 1 has $(wc -w < whole) words, the parser reads 30: parsed in parts, which hang on the first (said once)" log
awk '{ if (n > 0 && n + NF > 30) { printf "\n"; n = 0 } printf "%s ", $0; n += NF } END { printf "\n" }' parts > cut
parse -f tokens -i cut | awk -F '\t' -v OFS='\t' 'NF == 10 { $1 += start; if ($7 != "0") $7 += start; else if (start == 0) root = $1
    else { $7 = root; $8 = "dep" } print; n++ } NF == 0 { start = n } END { print "" }' > joined
grep -v '^#' whole.conllu | cmp - joined
"$DRAGOMAN" convert trees -i whole.conllu > out
parse --to json -f tokens -i whole > whole.json
parse -f tokens --projective -i whole | grep -c '	0	root' | grep -qx 1

# Lines without words, too long or ill-formed keep their place.
long=$(awk 'BEGIN { for (i = 0; i < 31; i++) printf "ball " }')
{ echo; sed 1q data/test.en; echo '   '; echo "$long"; echo "$long"; printf 'a\377\0 b\r\n'; echo; } > odd
"$DRAGOMAN" parse -m p.gguf -f tokens < odd > odd.conllu 2> odd.err
test "$(grep -c '^$' odd.conllu)" = 7
test "$(grep -c 'the parser reads 30' odd.err)" = 1
grep -q 'line 4 has 31 words' odd.err
test "$(awk -F '\t' '$2 == "ball" && $7 ~ /^[0-9]/ && $4 != "_"' odd.conllu | wc -l)" = 62
sed -n '/^1/,/^$/p' tokens.conllu | sed '/^$/q' > first
sed -n '/^1/,/^$/p' odd.conllu | sed '/^$/q' | cmp - first
parse -f conllu < odd.conllu > again.conllu
cmp odd.conllu again.conllu
parse -f tokens < /dev/null > none.out
test ! -s none.out

# CoNLL-U keeps comments, ranges, lemmas, features and MISC; DEPS goes, and empty nodes with it; tags
# that are given stay, unless --retag.
tr ' ' '\t' > in.conllu <<'CONLLU'
#kept
1-2 vamonos _ _ _ _ _ _ _ Range=Yes
1 vamos ir GIVEN v F=1 _ _ _ _
2 nos nosotros _ _ _ _ _ 1:x A=b
2.1 e e X _ _ _ _ 1:x _
3 mar mar NOUN _ _ 9 obj _ SpaceAfter=No

#only

1 x _ _ _ _ 0 root _ _

CONLLU
parse -f conllu --prob row < in.conllu > all.conllu
# What UD wants of each sentence and none gives is added: a sent_id, and the text as its tokens have it.
test "$(grep '^# ' all.conllu | tr '\n' '|')" = '# sent_id = 1|# text = vamonos mar|# sent_id = 2|# text = |# sent_id = 3|# text = x|' ||
    fail "$(cat all.conllu)"
parse -f conllu --prob row -i all.conllu | cmp - all.conllu
given() { grep -v '^# '; }
given < all.conllu > kept.conllu
grep -v '^2\.1' in.conllu > words.conllu
test "$(wc -l < kept.conllu)" = 10
for line in 1 2 6 7 8; do
    sed -n "${line}p" words.conllu > a
    sed -n "${line}p" kept.conllu | cmp - a
done
cut -f 1-6 words.conllu | sed '4d; 9d' > a
cut -f 1-6 kept.conllu | sed '4d; 9d' | cmp - a
sed -n 3p kept.conllu | cut -f 4 | grep -qx GIVEN
sed -n 4p kept.conllu | grep -q '	_	A=b|Prob=[01]\.\{0,1\}[0-9]*$'
sed -n 5p kept.conllu | grep -q 'SpaceAfter=No|Prob='
sed -n 9p kept.conllu | grep -q '	0	root	_	Prob=1$'
parse -f conllu --retag < in.conllu | given | sed -n 3p | cut -f 4 > tag
if grep -q GIVEN tag; then fail 'the tag was kept'; fi
parse -f conllu --immediate --prob row < in.conllu | cmp - all.conllu

# Probabilities: between 0 and 1, the trees unchanged.
for kind in row marginal; do
    parse -f tokens --prob $kind < data/test.en > $kind.conllu
    sed 's/Prob=.*/_/' $kind.conllu | cmp - tokens.conllu
    awk -F '\t' 'NF == 10 { p = substr($10, 6) + 0; if (p < 0 || p > 1.00001 || $10 !~ /^Prob=/) exit 1 }' \
        $kind.conllu || fail "$kind: no probability"
done
differ row.conllu marginal.conllu

# Through a pipe each line is answered before the next one is read.
mkfifo question answer
for options in '-f raw' '-f tokens --immediate' '-f conllu --immediate'; do
    "$DRAGOMAN" parse -q -m p.gguf $options < question > answer & pid=$!
    exec 3> question 4< answer
    for word in she sings; do
        case $options in
        *conllu*) printf '# text = %s\n1\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n\n' $word $word >&3 ;;
        *) echo $word >&3 ;;
        esac
        read -r id <&4
        read -r comment <&4
        case $comment in *"$word") ;; *) fail "$options: $comment" ;; esac
        read -r row <&4
        read -r blank <&4
        test -z "$blank"
    done
    exec 3>&- 4<&-
    wait $pid
done

# A translation reads these files as its trees, blank and unparsed lines included.
"$DRAGOMAN" train -q -m mt.gguf --train-sets data/train.en data/train.de --syntax 'deps-san(layers=1)' \
    --train-trees data/train.en.conllu --after 2u --tokenize none --bpe-merges 20 --enc-depth 1 \
    --dec-depth 1 --dim-emb 16 --transformer-heads 2 --transformer-dim-ffn 16 --max-length 60
"$DRAGOMAN" translate -q -m mt.gguf --trees odd.conllu --max-length-factor 0.1 < odd > odd.de
test "$(wc -l < odd.de)" = 7

# A signal while it waits: what was read is answered by then, and counted.
mkfifo pipe
"$DRAGOMAN" parse -m p.gguf < pipe > stopped.conllu 2> err &
pid=$!
exec 3> pipe
head -n 2 data/test.en >&3
until test -s stopped.conllu; do
    kill -0 $pid || fail 'it ended before its first line'
    sleep 0.1
done
sleep 0.1
kill -TERM $pid
rc=0
wait $pid || rc=$?
exec 3>&-
test $rc = 143 || fail "ended with $rc"
test "$(cat err)" = "dragoman: note: stopped; $(grep -c '^1	' stopped.conllu) sentences are written" ||
    fail "$(cat err)"
head -n 2 data/test.en | "$DRAGOMAN" parse -m p.gguf | cmp - stopped.conllu

# ---- annotate -----------------------------------------------------------------------------------

annotate() { "$DRAGOMAN" annotate -q -m p.gguf "$@"; }
"$DRAGOMAN" bpe learn -q -s 60 data/train.en > codes
{ cat data/test.en odd; } > text
annotate -f tokens --codes codes --to pieces < text > pieces
sed 20q pieces > a
"$DRAGOMAN" bpe apply -c codes < data/test.en | cmp - a
test "$(wc -l < pieces)" = 27
for kind in heads depths positions firsts tags labels distances; do
    for chain in --chain --no-chain; do
        annotate -f tokens --codes codes --to $kind $chain < text > $kind
        paste -d '|' pieces $kind | awk -F '|' -v kind=$kind '
            { n = split($1, a, " "); m = split($2, b, " "); want = kind == "distances" ? n * (n - 1) / 2 : n }
            m != want { print kind ": line " NR ": " m " values, " n " pieces"; bad = 1 }
            END { exit bad || NR != 27 }' >&2 || fail "$kind $chain"
    done
done
annotate -f tokens --to tags < data/test.en > tags
awk -F '\t' 'NF == 10 { printf "%s%s", sep, $4; sep = " " } NF == 0 { print ""; sep = "" }' \
    tokens.conllu | cmp - tags
annotate -f tokens --to firsts < data/test.en > firsts
awk -F '\t' 'NF == 10 { printf "%s%d", sep, $7 == 0 ? $1 - 1 : $7 - 1; sep = " " }
             NF == 0 { print ""; sep = "" }' tokens.conllu | cmp - firsts
annotate -f tokens --to conllu < data/test.en | cmp - tokens.conllu
annotate -f tokens --to heads --batch-tokens 1 --threads 1 < data/test.en > a
annotate --to heads < data/test.en | cmp - a
annotate -f tokens -c codes -s '|' --to pieces < data/test.en | tr -d '|' > a
annotate -f tokens -c codes --to pieces < data/test.en | sed 's/@@//g' | cmp - a
# A word of CoNLL-U with a blank inside is two pieces.
printf '1\t20 000\t_\tNUM\t_\t_\t0\troot\t_\t_\n\n' > blank.conllu
test "$(annotate -f conllu --to pieces < blank.conllu)" = '20 000'
test "$(annotate -f conllu --to tags < blank.conllu)" = 'NUM NUM'
test "$(annotate -f conllu --to firsts < blank.conllu)" = '0 0'

sed 's/NUM/N M/' blank.conllu > tag.conllu
test "$(annotate -f conllu --to tags < tag.conllu | wc -w)" = 2

# ---- wrong use, bad models ------------------------------------------------------------------------

for command in parse annotate; do
    refuse 2 'expected --models' $command
    refuse 4 'none.gguf: .*No such file' $command -m none.gguf
    refuse 4 'not a GGUF file' $command -m small.conf
    refuse 4 'no parser inside' $command -m mt.gguf
    refuse 2 'format' $command -m p.gguf -f xml
    refuse 2 'language' $command -m p.gguf --language a-language-that-is-long
    refuse 3 'none' $command -m p.gguf -i none
    refuse 2 'batch-tokens' $command -m p.gguf --batch-tokens 0
    refuse 2 'data/test.en: .*not a model, and --models takes all files' $command -m p.gguf data/test.en
done
for form in tokens conllu; do
    refuse 2 'language with --format .*, which has words; expected --format raw or lines' parse -m p.gguf -f $form --language de
    refuse 2 'language with --format .*, which has words' annotate -m p.gguf -f $form --language de
done
for form in raw lines tokens; do
    refuse 2 'retag with --format .*, which has no tags to replace; expected --format conllu' parse -m p.gguf -f $form --retag
done
# A file of settings may serve other texts, too.
printf 'language = de\nretag = yes\n' > settings
echo 'a dog' | parse --config settings -f tokens > out
refuse 2 'prob' parse -m p.gguf --prob all
refuse 2 'to' annotate -m p.gguf --to trees
refuse 2 'separator' annotate -m p.gguf --separator 1234567890123456
refuse 3 'none' annotate -m p.gguf --codes none
head -c 3000 p.gguf > cut.gguf
refuse 4 'cut.gguf' parse -m cut.gguf
size=$(wc -c < p.gguf)
{ head -c $((size - 1000)) p.gguf; printf 'XYZ!'; tail -c 996 p.gguf; } > broken.gguf
refuse 4 'checksum' parse -m broken.gguf
