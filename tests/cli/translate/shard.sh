# shard.sh: --shard 1/N to N/N and join give what one run gives: lines, n-best lists, CoNLL-U,
# attention, trees and sources beside the text; join refuses files that are no shards of one run.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 60 --dev 5 --test 20
demo="--config $SOURCE/corpora/recipes/demo.conf -q --dim-emb 16 --transformer-dim-ffn 16 \
    --enc-depth 1 --dec-depth 1 --bpe-merges 20 --batch-tokens 200 --average 0 --threads 1"
"$DRAGOMAN" train -m m.gguf $demo --after 4u --train-sets data/train.en data/train.de
"$DRAGOMAN" train -m t.gguf $demo --after 2u --train-sets data/train.en data/train.de \
    --syntax pascal --train-trees data/train.en.conllu
"$DRAGOMAN" train-parser -q -m p.gguf -t data/train.en.conllu --after 2u --enc-depth 1 \
    --dim-emb 8 --dim-lstm 8 --dim-piece 4 --dim-piece-lstm 4 --dim-arc 8 --dim-label 4 --dim-tag 4 \
    --batch-tokens 200 --average 0
# Eight lines, of which one is blank and the last has no newline; the trees of the first twenty.
{ head -n 4 data/test.en; echo; sed -n 6,7p data/test.en; printf %s "$(sed -n 8p data/test.en)"; } > in

# whole_is_joined N NAME COMMAND...: shards of a command, joined, are its whole output.
whole_is_joined() {
    n=$1 name=$2
    shift 2
    "$DRAGOMAN" "$@" -q < in > "$name" || fail "$name: the whole"
    i=1 files=
    while test $i -le "$n"; do
        "$DRAGOMAN" "$@" -q --shard $i/"$n" < in > "$name.$i" || fail "$name: shard $i/$n"
        files="$files $name.$i" i=$((i + 1))
    done
    "$DRAGOMAN" join $files > joined || fail "$name: join of $n"
    cmp joined "$name" || fail "$name: $n shards differ from the whole"
}
for n in 1 3 8 11; do
    whole_is_joined $n lines translate -m m.gguf -b 2
done
whole_is_joined 3 windows translate -m m.gguf -b 2 --maxi-batch 2
whole_is_joined 3 scores translate -m m.gguf -b 2 --scores
whole_is_joined 3 lists translate -m m.gguf -b 3 --n-best 3
whole_is_joined 11 lists translate -m m.gguf -b 2 --n-best 2
sed -n '/^$/q;p' lists | cut -d ' ' -f 1 | uniq | tr '\n' ' ' | grep -qx '0 1 2 3 4 5 6 7 ' ||
    fail 'n-best: numbers of the inputs'
whole_is_joined 3 conllu parse -m p.gguf
whole_is_joined 11 conllu parse -m p.gguf -f tokens --prob row
whole_is_joined 3 immediate parse -m p.gguf --immediate
whole_is_joined 3 heads annotate -m p.gguf
whole_is_joined 3 tags annotate -m p.gguf --to tags -f tokens
whole_is_joined 3 blocks annotate -m p.gguf --to conllu

# Each line keeps its tree, and its number in what is written beside the translations.
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 4 || (NR > 5 && NR <= 8) { print }
    NR == 5 { print "# nothing" }' data/test.en.conllu > in.conllu
whole_is_joined 3 by_trees translate -m t.gguf -b 2 --trees in.conllu
"$DRAGOMAN" translate -q -m t.gguf -b 2 --trees in.conllu < in --attention all.json > all
for i in 1 2 3; do
    "$DRAGOMAN" translate -q -m t.gguf -b 2 --trees in.conllu --shard $i/3 --attention $i.json < in > $i
done
"$DRAGOMAN" join 1.json 2.json 3.json | cmp - all.json || fail attention
head -n 14 in.conllu > fewer
for i in 1 2 3; do
    rc=0
    "$DRAGOMAN" translate -q -m t.gguf --trees fewer --shard $i/3 < in > out 2> err || rc=$?
    test $rc = 3 && grep -q E_ALIGN err || fail "trees that end early, shard $i: $rc $(cat err)"
done

# CoNLL-U that comes in: every sentence once, whatever stands around it.
cp data/test.en.conllu in
whole_is_joined 3 again parse -m p.gguf -f conllu
whole_is_joined 25 again parse -m p.gguf -f conllu --retag
whole_is_joined 3 depths annotate -m p.gguf -f conllu --to depths
# Nothing comes in; one line does.
: > in
whole_is_joined 3 nothing translate -m m.gguf
whole_is_joined 2 no_trees parse -m p.gguf
printf 'a' > in
whole_is_joined 3 one translate -m m.gguf
# Blank lines alone: what comes out is told apart by hand, or is lines.
printf '\n\n\n\n' > in
whole_is_joined 3 blank translate -m m.gguf
for i in 1 2 3; do "$DRAGOMAN" parse -q -m p.gguf --shard $i/3 < in > blank.$i; done
rc=0
"$DRAGOMAN" join blank.1 blank.2 blank.3 > out 2> err || rc=$?
test $rc = 2 && grep -q 'expected --format lines or conllu' err || fail "doubt: $(cat err)"
"$DRAGOMAN" parse -q -m p.gguf < in > blank
"$DRAGOMAN" join --format conllu blank.1 blank.2 blank.3 | cmp - blank || fail 'blank blocks'
# Packed shards, and one shard from a pipe.
gzip -c lines.1 > lines.1.gz
"$DRAGOMAN" translate -q -m m.gguf < data/test.en > whole
for i in 1 2 3; do "$DRAGOMAN" translate -q -m m.gguf --shard $i/3 -i data/test.en -o $i; done
if gzip -c 1 > 1.gz && "$DRAGOMAN" version --build | grep -q '^gzip: yes\|zlib'; then
    "$DRAGOMAN" join 1.gz - 3 < 2 | cmp - whole || fail 'a packed shard, and one from a pipe'
fi
"$DRAGOMAN" join 1 - 3 --count 20 -o joined < 2
cmp joined whole

for bad in 0/0 5/4 0/3 1 1/ /3 a/b 1/3/3 -1/3 1/0 1.5/3 '1/3 ' 1/9999999 ''; do
    refuse 2 'expected I/N with I from 1 to N' translate -q -m m.gguf "--shard=$bad"
    refuse 2 'expected I/N with I from 1 to N' parse -q -m p.gguf "--shard=$bad"
done
refuse 2 'given twice' translate -m m.gguf --shard 1/3 --shard 2/3
refuse 2 'given twice' annotate -m p.gguf --shard=1/3 --shard=1/3
refuse 2 'unknown option --shard' score data/test.de --shard 1/3

# 20 lines are 7, 7 and 6.
refuse 3 '^2:7: error: answer 7 begins here, but 3 has ended after 6; expected the shards 1/3' join 1 3 2
refuse 2 '^1: error: given twice' join 1 2 1
refuse 2 '^./1: error: given twice' join 1 2 ./1
refuse 3 'none: error: .*No such file' join 1 2 none
head -n 5 2 > cut
refuse 3 '^3:6: error: answer 6 begins here, but cut has ended after 5' join 1 cut 3
head -n 5 3 > cut
refuse 3 '^1:7: error: answer 7 begins here, but cut has ended after 5' join 1 2 cut
head -c 100 2 > cut
refuse 3 'no newline: the file is not whole' join 1 cut 3
: > cut
refuse 3 '^3:1: error: answer 1 begins here, but cut has ended after 0' join 1 cut 3
head -n 6 1 > one
head -n 6 2 > two
refuse 3 'the 3 files answer 18 inputs; expected 20 (--count)' join one two 3 --count 20
refuse 2 'join needs an argument' join
# n-best lists have numbers, which give away every file that is not in its place.
for i in 1 2 3; do
    "$DRAGOMAN" translate -q -m m.gguf -b 2 --n-best 2 --shard $i/3 -i data/test.en -o list.$i
done
refuse 3 '^list.2:1: error: expected "0 ||| "' join list.2 list.1 list.3
refuse 3 '^list.3:1: error: expected "1 ||| "' join list.1 list.3
sed 3,4d list.2 > cut
refuse 3 '^cut:3: error: expected "4 ||| "' join list.1 cut list.3
refuse 3 'looks like lines, and list.1 like an n-best list' join list.1 2 list.3
"$DRAGOMAN" parse -q -m p.gguf --shard 1/2 -i data/test.en -o tree.1
"$DRAGOMAN" parse -q -m p.gguf --shard 2/2 -i data/test.en -o tree.2
"$DRAGOMAN" parse -q -m p.gguf -i data/test.en -o tree
"$DRAGOMAN" join tree.1 tree.2 | cmp - tree
sed '$d' tree.2 > cut
refuse 3 'no empty line behind the last sentence' join tree.1 cut
# A failure leaves no file behind, and what was there stays.
echo old > kept
refuse 3 'ended after' join tree.1 /dev/null tree.2 -o kept
test "$(cat kept)" = old || fail 'an output was replaced'
