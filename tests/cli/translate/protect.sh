# protect.sh: what is no word comes through as it is, where the words around it went (translate
# --protect): addresses, tags, placeholders, emoji, code, numbers; of lines in parts, in lists, in capitals.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# A language that says the same words, v for w, the last one first.
awk 'BEGIN {
    seed = 7
    for (line = 0; line < 400; line++) {
        s = t = a = ""
        n = 2 + line % 4
        for (i = 0; i < n; i++) {
            seed = (seed * 16807) % 2147483647
            k = int(seed / 1000) % 12
            s = s (i ? " " : "") "w" k
            t = "v" k (i ? " " : "") t
            a = a (i ? " " : "") i "-" n - 1 - i
        }
        print s > "s"; print t > "t"; print a > "a"
    }
}'
valid_on= train_on='-t s t --guided-alignment a --guided-alignment-weight 1'
small dropout=0 label-smoothing=0 batch-tokens=200 lr=0.02 transformer-dim-ffn=16 max-length=60 bpe-merges=0 \
    after=200u save-freq=200u disp-freq=200u
train m.gguf
# says LINE WANT OPTION...: LINE becomes WANT.
says() {
    printf '%s\n' "$1" > line
    want=$2
    shift 2
    "$DRAGOMAN" translate -q -m m.gguf -i line --protect all "$@" > got
    test "$(cat got)" = "$want" || fail "$(cat line) becomes $(cat got), not $want: $*"
}
says 'w1 w2 w3' 'v3 v2 v1'
says 'w1 <b>w2</b> w3' 'v3 <b>v2</b> v1'
says '<p>w1 <b>w2 <i>w3</i></b></p>' '<p><b><i>v3</i> v2</b> v1</p>'
says 'w1 w2 http://x.org/a?b=c' 'v2 http://x.org/a?b=c v1'
says '{name} w4 w5' 'v5 {name} v4'
says 'w4 w5 👍🏽' 'v5 👍🏽 v4'
says 'w4 `a  <  b` w5' '`a  <  b` v5 v4'
says 'w4 3.5 kg w5' '3.5 kg v5 v4'
says 'mail@x.org' 'mail@x.org'
says '  <br/> %s ' '  <br/> %s '
says '' ''
for kind in '-b 1' '-b 3 --beam-rule shrinking' '-m m.gguf m.gguf' '--compute-type int8' --keep-tokens '--split none' \
    '--no-replace-unk' '--split sentence'; do
    # shellcheck disable=SC2086
    says 'w1 <b>w2</b> w3' 'v3 <b>v2</b> v1' $kind
done
# Lists, many lines in any company, and none of it.
awk 'NR <= 40 { gsub(/w2/, "<b>w2</b>"); gsub(/w5/, "{w5}"); sub(/ /, " http://x.org/" NR " ") } { print } NR == 40 { exit }' s > in
"$DRAGOMAN" translate -q -m m.gguf --protect all -i in > out
"$DRAGOMAN" translate -q -m m.gguf --protect all -i in -j 2 --batch-tokens 1 --maxi-batch 7 | cmp - out
for file in in out; do
    awk '{ print gsub(/<b>/, ""), gsub(/<\/b>/, ""), gsub(/\{w5\}/, ""), gsub(/http:\/\/x.org\/[0-9]+/, "") }' $file > $file.counts
done
cmp in.counts out.counts
"$DRAGOMAN" translate -q -m m.gguf --protect all -i in --n-best 2 > list
test "$(grep -c 'http://x.org/7 ' list)" = 2
# Of a line in parts, too; what else is said is what is said without them.
for words in 'w1 <b>w2</b> w3! W4 {x} w5 w6?' 'W1 W2! {x} W3? <i>W4</i> W5.'; do
    echo "$words" > in2
    sed 's/<[^>]*>//g; s/{x} //' in2 > bare
    for kind in keep auto; do
        "$DRAGOMAN" translate -q -m m.gguf --split sentence --case $kind -i bare > want
        "$DRAGOMAN" translate -q -m m.gguf --split sentence --case $kind --protect all -i in2 > out2
        test "$(grep -o '<[^>]*>\|{x}' out2 | sort)" = "$(grep -o '<[^>]*>\|{x}' in2 | sort)" || fail "$(cat out2)"
        sed 's/<[^>]*>//g; s/{x}//; s/   */ /g; s/^ //; s/ $//' out2 | cmp - want || fail "$(cat out2 want)"
    done
done
refuse 2 'protect "url" with trees, attention or alignment' translate -m m.gguf --protect url --alignment x -i in
refuse 2 'protect: "links"; expected auto, all, none' translate -m m.gguf --protect links -i in
"$DRAGOMAN" translate -q -m m.gguf -i in --alignment links > whole
"$DRAGOMAN" translate -q -m m.gguf -i in --protect none | cmp - whole
# Of words between blanks nothing is kept unless it is asked for; of running text everything.
"$DRAGOMAN" translate -q -m m.gguf -i in | cmp - whole
{ cat s; echo 7 km; } > s2
{ cat t; echo 7 km; } > t2
train_on="-t s2 t2"
train r.gguf --after 1u --tokenize moses --source-lang en --target-lang de
echo "http://x.org/?a=b {name}" > in
"$DRAGOMAN" translate -q -m r.gguf -i in | cmp - in
"$DRAGOMAN" translate -q -m r.gguf -i in --protect placeholder > out
grep -qF "{name}" out
differ in out
# Numbers are the models' affair where their vocabulary spells them, unless they are asked for.
printf '7 km\n8 km\n' > in
"$DRAGOMAN" translate -q -m r.gguf -i in > out
test "$(sed -n 1p out)" != '7 km'
test "$(sed -n 2p out)" = '8 km'
"$DRAGOMAN" translate -q -m r.gguf -i in --protect auto | cmp - out
"$DRAGOMAN" translate -q -m r.gguf -i in --protect number | cmp - in
"$DRAGOMAN" translate -q -m r.gguf -i in --protect all | cmp - in
"$DRAGOMAN" translate -q -m r.gguf -i in --protect url > none
test "$(sed -n 2p none)" != '8 km'
