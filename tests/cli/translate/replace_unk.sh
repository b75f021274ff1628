# replace_unk.sh: what a model does not know is copied from the line, through the links that it has
# learned (translate --replace-unk): words, pieces of BPE and of SentencePiece, in their spelling;
# the same in lists, JSON, links, of several models, in few bits; by default for such models alone.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# text RARE...: words w1, their translations v1, and one of ten is RARE with the number of the line
# in place of %, and is its own translation.
text() {
    awk -v rare="$*" 'BEGIN {
        kinds = split(rare, is, " "); seed = 7
        for (line = 0; line < 300; line++) {
            s = t = a = ""
            n = 2 + line % 5
            for (i = 0; i < n; i++) {
                seed = (seed * 16807) % 2147483647
                k = int(seed / 1000) % 14
                r = is[1 + line % kinds]
                sub(/%/, line k, r)
                s = s (i ? " " : "") (k < 12 ? "w" k : r)
                t = t (i ? " " : "") (k < 12 ? "v" k : r)
                a = a (i ? " " : "") i "-" i
            }
            print s > "s"; print t > "t"; print a > "a"
        }
    }'
}
valid_on= train_on='-t s t --guided-alignment a --guided-alignment-weight 1'
learn() {
    small "$@" dropout=0 label-smoothing=0 batch-tokens=200 lr=0.02 transformer-dim-ffn=16 max-length=60 \
        after=150u save-freq=150u disp-freq=150u lower-case=true
}
# says LINE WANT OPTION...: LINE becomes WANT.
says() {
    printf '%s\n' "$1" > line
    want=$2
    shift 2
    "$DRAGOMAN" translate -q -m "$model" -i line "$@" > got
    test "$(cat got)" = "$want" || fail "$(cat line) becomes $(cat got), not $want: $*"
}

# ---- words -----------------------------------------------------------------------------------------

text 'Rare%'
learn bpe-merges=0 min-freq=5
train m.gguf
model=m.gguf
says 'w1 Zürich w3' 'v1 Zürich v3'
says 'w1 Zürich w3' 'v1 <unk> v3' --no-replace-unk
says 'İstanbul w2 42,7 ❤️ W4' 'İstanbul v2 42,7 ❤️ v4'
says 'w5 &amp;x; w6' 'v5 &amp;x; v6'
says 'w2 x@@ w6' 'v2 x@@ v6'
says "$(printf 'w1\tA\377 w3')" 'v1 A� v3' 2> log
# Greedy, the other rule, several models, few bits, whole words, without empty lines or with.
for kind in '-b 1' '-b 3 --beam-rule shrinking' '-m m.gguf m.gguf' '--compute-type int8' --keep-tokens \
    --allow-empty; do
    # shellcheck disable=SC2086
    says 'w1 Zürich w3' 'v1 Zürich v3' $kind
done
printf 'w1 Ab w2\n\nw3 w5\nCd w4 ef\n' > in
"$DRAGOMAN" translate -q -m m.gguf -i in > out
"$DRAGOMAN" translate -q -m m.gguf -i in --replace-unk -j 2 --batch-tokens 1 --maxi-batch 1 | cmp - out
"$DRAGOMAN" translate -q -m m.gguf -i in --n-best 3 > list
grep -q '^0 ||| v1 Ab v2 |||' list
test "$(grep -c '^[03] |||' list)" = 6
if grep '<unk>' list; then fail 'a mark in the list'; fi
"$DRAGOMAN" translate -q -m m.gguf -i in --scores --attention map > scored
cut -f 2 scored | cmp - out
"$DRAGOMAN" translate -q -m m.gguf -i in --scores --no-replace-unk | cut -f 1,3 > unmoved
cut -f 1,3 scored | cmp - unmoved
grep -q '"words":\["v1","Ab","v2"\],"pieces":\["v1","<unk>","v2","</s>"\],"word_of":\[0,1,2,-1\]' map
"$DRAGOMAN" draw attention -i map --line 1 -o map.svg
grep -q Ab map.svg
"$DRAGOMAN" translate -q -m m.gguf -i in --alignment links | cmp - out
printf '0-0 1-1 2-2\n\n0-0 1-1\n0-0 1-1 2-2\n' | cmp - links
# Of a line in parts, each has its own.
echo 'w1 Zürich w3! W2 w5 Łódź w4?' > in
for kind in --attention --alignment; do
    "$DRAGOMAN" translate -q -m m.gguf -i in --split sentence $kind map$kind > out
    test "$(cat out)" = 'v1 Zürich w3! v2 v5 Łódź w4?' || fail "$(cat out)"
done
grep -q '"words":\["v1","Zürich","w3!","v2","v5","Łódź","w4?"\]' map--attention || fail "$(cat map--attention)"
test "$(cat map--alignment)" = '0-0 1-1 2-2 3-3 4-4 5-5 6-6' || fail "$(cat map--alignment)"
# Where nothing is unknown, nothing changes.
head -n 20 s | grep -v -i rare > known
"$DRAGOMAN" translate -q -m m.gguf -i known --alignment links > out
"$DRAGOMAN" translate -q -m m.gguf -i known --alignment links2 --no-replace-unk | cmp - out
cmp links links2

# Without learned links it is asked for, and warned of once.
train_on='-t s t'
train p.gguf --after 20u --save-freq 20u
"$DRAGOMAN" translate -m p.gguf -i in 2> log > plain
silent 'learned links'
"$DRAGOMAN" translate -m p.gguf -i in --no-replace-unk 2> log | cmp - plain
"$DRAGOMAN" translate -m p.gguf -i in --replace-unk --alignment links 2> log > copied
test "$(grep -c 'learned links' log)" = 1
if grep '<unk>' copied; then fail 'a mark is left'; fi
# Of several models the links are those of the first that has learned any.
"$DRAGOMAN" translate -m p.gguf m.gguf -i in 2> log > both
silent 'learned links'
if grep '<unk>' both; then fail 'a mark is left of two models'; fi

# ---- pieces ----------------------------------------------------------------------------------------

# Letters that the codes do not know: each is a mark, and the word around it is put together again.
train_on='-t s t --guided-alignment a --guided-alignment-weight 1'
text aałbb łcc ddł ł
awk 'BEGIN {
    print "#version: 0.2"
    for (k = 0; k < 10; k++) print "w " k "</w>\nv " k "</w>"
    print "w 1\nv 1\nw1 0</w>\nw1 1</w>\nv1 0</w>\nv1 1</w>\na a\nb b</w>\nc c</w>\nd d"
    for (k = 0; k < 12; k++) { print "w" k, 9 > "vocab.s"; print "v" k, 9 > "vocab.t" }
    print "aa@@ 9\nbb 9\ncc 9\ndd@@ 9" > "vocab.s"
    print "aa@@ 9\nbb 9\ncc 9\ndd@@ 9" > "vocab.t"
}' > codes
learn codes=codes vocabs="vocab.s vocab.t" after=400u save-freq=400u tied-embeddings=decoder
train b.gguf
model=b.gguf
says 'w1 aałbb w2' 'v1 aa<unk> bb v2' --no-replace-unk
says 'w1 aałbb w2' 'v1 aałbb v2'
says 'AAŻBB w2' 'AAŻBB v2'
says 'w4 Żcc w5' 'v4 Żcc v5'
says 'w1 w4 ddŻ' 'v1 v4 ddŻ'
says 'w1 ❤️ w2' 'v1 ❤️ v2'
"$DRAGOMAN" translate -q -m b.gguf -i line --keep-tokens --alignment links > got
test "$(cat links)" = '0-0 1-1 2-2' || fail "links $(cat links)"

# Pieces of SentencePiece: what is unknown of a word is copied, and its blanks stay.
text 'aa😀' '😀' '😀bb'
cat s t | tr -d '😀' | "$DRAGOMAN" spm train -q -V 30 -o pieces
learn spm=pieces tokenize=spm after=200u save-freq=200u
grep -v bpe-merges small.conf > conf
mv conf small.conf
train u.gguf
# Whatever the translations are: where they have a mark, the only unknown thing of the line stands.
printf 'w1 🍣 w2\nw1 🍣\nw3 aa🍣 w2\nw1 w2 🍣bb\nw7 🍣 w4 w8\n' > in
"$DRAGOMAN" translate -q -m u.gguf -i in --no-replace-unk --allow-unk --protect none > marked
"$DRAGOMAN" translate -q -m u.gguf -i in --alignment links > out
test "$(grep -c ' ⁇ ' marked)" -ge 3 || fail "marks: $(cat marked)"
sed 's/ ⁇ /🍣/; s/ ⁇ //g' marked | cmp - out
paste -d '|' out links | awk -F '|' 'split($2, links, " ") > split($1, words, " ") { exit 1 }'
