# parse_forms.sh: what goes into parse and what comes out: lines, JSON, brackets, pictures; what waits at
# the other end of a pipe is answered, and no byte depends on that.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# unparsed CODE WORDS OPTION...: `parse` refuses, and writes nothing.
unparsed() {
    code=$1 says=$2
    shift 2
    refuse "$code" "$says" parse -m p.gguf "$@"
    test ! -s out || fail "output: $*"
}

# A treebank of sentences SUBJECT don't VERB OBJECT.
awk 'BEGIN {
    split("we they dogs cats", s, " "); split("see hear like know", v, " ")
    split("you them birds fish", o, " ")
    for (i = 1; i <= 4; i++) for (j = 1; j <= 4; j++) for (k = 1; k <= 4; k++) {
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
"$DRAGOMAN" train-parser --quiet --train-sets bank.conllu --model p.gguf --enc-depth 1 --dim-emb 16 \
    --dim-lstm 16 --pieces none --dim-arc 16 --dim-label 8 --dim-tag 8 --min-freq 1 --lr 0.02 --warmup 5 \
    --batch-tokens 100 --max-length 40 --tokenizer --dim-tokenizer 16 --after 60u
parse() { "$DRAGOMAN" parse --quiet -m p.gguf "$@"; }

grep '^# text' bank.conllu | cut -c 10- | head -n 12 > text
{ cat text; printf "\n  \ncats \"don't\" \\\\ see\tyou.\nw\303\244 \377 see\342\200\256 them!\n"; } > odd

# ---- what comes in ------------------------------------------------------------------------------------

parse < odd > raw.conllu
parse -f lines < odd | cmp - raw.conllu
parse --input-format lines --split none < odd | cmp - raw.conllu
unparsed 2 'split "lines" of lines' -f lines --split lines
unparsed 2 'split "document" of lines' -f lines --split document
"$DRAGOMAN" annotate -q -m p.gguf -f lines < odd > values
"$DRAGOMAN" annotate -q -m p.gguf < odd | cmp - values
unparsed 2 'format' -f vertical

# ---- what goes out ------------------------------------------------------------------------------------

# JSON: one line for each line, the columns of CoNLL-U, and where tokens stand.
parse --to json < odd > raw.json
test "$(wc -l < raw.json)" = "$(wc -l < odd)" || fail 'JSON: lines'
parse --output-format json --ranges < odd | cmp - raw.json
parse --to json -i odd -o out.json --threads 3 --batch-tokens 1
cmp raw.json out.json
parse --ranges < odd | "$DRAGOMAN" convert trees --allow-empty -t json | cmp - raw.json
grep -q '"ranges": \[{"id": "2-3", "form": "don'"'"'t", "start": 3, "end": 8}\]' raw.json || fail 'JSON: ranges'
sed -n 13p raw.json | grep -q '^{"sent_id": "13", "text": "", "words": \[\]}$' || fail 'JSON: a blank line'
grep -q '\\u202e' raw.json || fail 'JSON: escapes'
awk 'BEGIN { for (i = 0; i < 100001; i++) printf "see "; print "" }' | parse -f tokens --to json > long.json
test "$(tr , '\n' < long.json | grep -c '"id": ')" = 100001 || fail 'JSON: a long sentence'
parse --to json --prob marginal < text > prob.json
test "$(grep -o '"prob": [01]' prob.json | wc -l)" = "$(parse --prob marginal < text | grep -c Prob=)" ||
    fail 'JSON: probabilities'
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys
for line in open("raw.json", encoding="utf-8"):
    sentence = json.loads(line)
    heads = [word["head"] for word in sentence["words"]]
    assert [word["id"] for word in sentence["words"]] == list(range(1, len(heads) + 1))
    assert heads.count(0) == (len(heads) > 0)' || fail 'JSON: not JSON'
fi
parse -f conllu --to json < bank.conllu > bank.json
parse -f conllu < bank.conllu | "$DRAGOMAN" convert trees -t json | cmp - bank.json

# Brackets: the words, and the tree where no arcs cross.
parse --to brackets --projective < odd > raw.mrg
test "$(wc -l < raw.mrg)" = "$(wc -l < odd)" || fail 'brackets: lines'
parse --projective < text | grep -v '^#' | grep -v '[0-9]-' | cut -f 1,2,4,7,8 > heads
parse --projective --to brackets < text |
    "$DRAGOMAN" convert trees -f brackets --head-rules word --relations labels |
    grep -v '^#' | cut -f 1,2,4,7,8 | cmp - heads
parse < odd | "$DRAGOMAN" convert trees --allow-empty -t brackets > cross.mrg 2> /dev/null
parse --to brackets < odd | cmp - cross.mrg
long=$(awk 'BEGIN { for (i = 0; i < 41; i++) printf "we " }')
test "$(echo "$long" | parse -f tokens --to brackets | grep -o '\<we\>' | wc -l)" = 41 || fail 'brackets: a tree in parts'

# Dependencies of constituents are a treebank to train on.
"$DRAGOMAN" convert trees -t brackets < bank.conllu |
    "$DRAGOMAN" convert trees -f brackets --head-rules last > phrases.conllu
"$DRAGOMAN" train-parser --quiet --train-sets phrases.conllu --model phrases.gguf --enc-depth 1 \
    --dim-emb 16 --dim-lstm 16 --pieces none --dim-arc 16 --dim-label 8 --dim-tag 8 --min-freq 1 --after 2u
"$DRAGOMAN" convert trees -t words < phrases.conllu |
    "$DRAGOMAN" parse -q -m phrases.gguf -f tokens > again.conllu
"$DRAGOMAN" parse-eval phrases.conllu again.conllu > scores

# A picture is that of draw tree.
parse < text | "$DRAGOMAN" draw tree --format svg > text.svg
parse --to svg < text | cmp - text.svg
parse --to svg --threads 2 --batch-tokens 7 -i text -o out.svg
cmp out.svg text.svg
head -n 1 text | parse | "$DRAGOMAN" draw tree --format svg > one.svg
head -n 1 text | parse --to svg | cmp - one.svg
parse --to svg < /dev/null > none.svg
grep -q '</svg>' none.svg || fail 'no picture of nothing'

# IDs: the number of the line, whoever parses it; those that come in stay.
ids() { sed -n 's/^# sent_id = //p'; }
test "$(parse --sent-id 'a/b-' < odd | ids | tr '\n' ' ')" = "$(seq -f 'a/b-%g' "$(wc -l < odd)" | tr '\n' ' ')" || fail 'IDs'
test "$(parse --split lines --sent-id s --shard 2/3 < odd | ids | head -n 2 | tr '\n' ' ')" = 's2.1 s5.1 ' || fail 'IDs of a shard'
{ printf '# sent_id = mine\n'; sed -n '2,/^$/p' bank.conllu; cat bank.conllu; } | parse -f conllu --sent-id s | ids | head -n 3 |
    tr '\n' ' ' | grep -qx 'mine s2 s3 ' || fail 'IDs that come in'
parse -f conllu --sent-id s --shard 2/2 < bank.conllu | ids | head -n 2 | tr '\n' ' ' | grep -qx 's2 s4 ' || fail 'IDs of a shard of CoNLL-U'
for id in 'a b' "a$(printf '\302\240')" 'a/b/c' "$(printf 'a\377')"; do
    unparsed 2 'sent_id "a.*; expected UTF-8 without white space and with one slash at most' --sent-id "$id"
done

# What is written passes UD's validation (level 2), as convert trees --strict has it.
grep -v '^#' bank.conllu > bare.conllu
for options in '' '--split lines' '--split document --ranges' '-f tokens' '--tokenizer moses' '-f conllu'; do
    input=text
    test "$options" != '-f conllu' || input=bare.conllu
    parse $options -i $input > valid.conllu
    "$DRAGOMAN" convert trees --strict -i valid.conllu > /dev/null 2> log || fail "$options: $(cat log)"
done

# What has no place is said.
for form in brackets svg; do
    unparsed 2 "IDs (sent_id) in $form" --to $form --sent-id x
    unparsed 2 "probability \"row\" in $form" --to $form --prob row
    unparsed 2 "ranges in $form" --to $form --ranges
done
unparsed 2 'picture of a shard' --to svg --shard 1/2
unparsed 2 'expected one of conllu|json|brackets|svg' --to xml
unparsed 2 'ranges without' -f tokens --to json --ranges
for i in 1 2 3; do parse --to json --shard $i/3 < odd > shard.$i; done
"$DRAGOMAN" join shard.1 shard.2 shard.3 | cmp - raw.json

# ---- what waits -----------------------------------------------------------------------------------------

# until COUNT: the output has so many lines like this before anything more comes in.
until_there() {
    while test "$(grep -c "$2" out || true)" -lt "$1"; do
        kill -0 $pid 2> /dev/null || fail "no answer $1 like $2"
        sleep 0.1
    done
}
# slowly PATTERN INPUT OPTION...: sends INPUT piece by piece, each once the pieces before are answered.
slowly() {
    pattern=$1 input=$2
    shift 2
    parse "$@" < "$input" > whole
    rm -f pipe out
    mkfifo pipe
    : > out
    "$DRAGOMAN" parse --quiet -m p.gguf "$@" < pipe > out &
    pid=$!
    exec 9> pipe
}
slowly '^$' text
head -n 1 text >&9
until_there 1 '^$'
sed -n 2,3p text >&9
sed -n 4p text | tr -d '\n' >&9
until_there 3 '^$'
{ echo; sed -n '5,$p' text; } >&9
exec 9>&-
wait $pid
cmp whole out

slowly words text --to json
head -n 2 text >&9
until_there 2 words
sed -n '3,$p' text >&9
exec 9>&-
wait $pid
cmp whole out

# A sentence of CoNLL-U is answered when its blank line has come, though the next one has begun.
slowly '^$' bank.conllu -f conllu
sed -n 1,9p bank.conllu >&9
until_there 1 '^$'
sed -n 10,20p bank.conllu >&9
until_there 2 '^$'
sed -n '21,$p' bank.conllu >&9
exec 9>&-
wait $pid
cmp whole out
parse -f conllu --immediate < bank.conllu | cmp - whole

# A paragraph is answered when the next one has begun.
{ cat text; echo; cat text; } > paragraphs
slowly '^$' paragraphs --split document
sed -n 1,14p paragraphs >&9
until_there 1 '^$'
sed -n '15,$p' paragraphs >&9
exec 9>&-
wait $pid
cmp whole out

# A line that is longer than lines are read is told of, as everywhere.
(head -c 16777300 /dev/zero | tr '\0' a; echo) > long
"$DRAGOMAN" parse -m p.gguf -f tokens < long > out 2> err
grep -q ':1: line cut at 16777216 bytes' err || fail "$(cat err)"
