# placeholders.sh: a model that has learned where what is no word goes (train --placeholders) puts
# it there, though no word around it went there; what it loses, or says twice, goes by its links.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# A language that says the same words, v for w, and all addresses and numbers behind them.
awk 'BEGIN {
    seed = 7
    for (line = 0; line < 500; line++) {
        s = t = u = ""
        n = 1 + line % 4
        for (i = 0; i < n; i++) {
            seed = (seed * 16807) % 2147483647
            k = int(seed / 1000) % 6
            if (int(seed / 7000) % 2 && i < 2) {
                span = i ? line "%" : "http://x.org/" line
                s = s span " "; u = u " " span
            }
            s = s "w" k " "; t = t "v" k " "
        }
        print s > "s"; sub(/ $/, "", t); print t u > "t"
    }
}'
valid_on= train_on='-t s t'
small dropout=0 label-smoothing=0 batch-tokens=300 lr=0.01 dim-emb=32 transformer-dim-ffn=16 max-length=60 bpe-merges=0 \
    dim-vocabs=40 after=450u save-freq=450u disp-freq=450u
train m.gguf --placeholders 0.9
grep -q ' [1-9][0-9]* placeholders stand for spans' log
"$DRAGOMAN" inspect m.gguf | grep -q 'placeholders *[=:]* *0.9'
# says LINE WANT OPTION...: LINE becomes WANT.
says() {
    printf '%s\n' "$1" > line
    want=$2
    shift 2
    "$DRAGOMAN" translate -q -m m.gguf -i line "$@" > got
    test "$(cat got)" = "$want" || fail "$(cat line) becomes $(cat got), not $want: $*"
}
# No text that a shortlist is made of has placeholders: each may become itself.
"$DRAGOMAN" shortlist -q -m m.gguf -t s t --first 1 -o short
for kind in '-b 1' '-b 2 --shortlist short' '-b 4 --beam-rule shrinking' '-m m.gguf m.gguf' '-j 2 --compute-type int8' '--case auto'; do
    # shellcheck disable=SC2086
    says 'http://y.org/?a=b w1 w2' 'v1 v2 http://y.org/?a=b' $kind
done
says 'w3 12 km w1 w2' 'v3 v1 v2 12 km'
says 'http://y.org/?a=b w1 77% w2' 'v1 v2 http://y.org/?a=b 77%'
says '<b>' '<b>'
says 'w2 w1' 'v2 v1'
# The characters that placeholders are come from no text.
printf 'w1 \357\267\220 \357\267\220 w2 http://y.org\n' > in
"$DRAGOMAN" translate -q -m m.gguf -i in > out
test "$(grep -c 'http://y.org' out)" = 1
! grep -q "$(printf '\357\267')" out || fail "$(cat out)"
train p.gguf --after 1u
refuse 4 'placeholders = false; expected what the first model has, true' translate -m m.gguf p.gguf -i in
# A model that has not learned yet loses them, or says them twice: they are there once, in any case.
awk 'NR % 2 { print "<i>" NR "</i> (" $0 "), {x}: " $0 "." } NR == 60 { exit }' s > in
for text in 'tokenize=moses bpe-merges=20' 'tokenize=spm vocab-type=unigram dim-vocabs=60'; do
    # shellcheck disable=SC2086
    settings enc-depth=1 dec-depth=1 dim-emb=16 transformer-heads=2 max-length=200 after=3u source-lang=en target-lang=de placeholders=1 $text
    train u.gguf --overwrite
    "$DRAGOMAN" translate -q -m u.gguf -i in --max-length-factor 3 > out
    for file in in out; do
        awk '{ print gsub(/<i>/, ""), gsub(/<\/i>/, ""), gsub(/\{x\}/, ""), gsub(/http:\/\/x.org\/[0-9]+/, "") }' $file > $file.counts
    done
    cmp in.counts out.counts
    ! grep -q "$(printf '\357\267')" out || fail "$text: a placeholder is left"
done
untrained 2 '--placeholders with --guided-alignment' --placeholders 0.5 --guided-alignment s
untrained 2 '--placeholders with --multitask' --placeholders 0.5 --multitask --train-trees s
