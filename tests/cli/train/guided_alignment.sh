# guided_alignment.sh: attention that learns the links of a file (train --guided-alignment), and is
# shown (translate --alignment): in memory and from a file of encoded text, after stops, on any
# devices and threads; what is wrong with such a file, and what it does not go with.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# Sources of some words, and their translations, the same words in capitals: word i is linked to
# word i.
awk 'BEGIN {
    seed = 7
    for (line = 0; line < 300; line++) {
        s = t = a = ""
        n = 2 + line % 5
        for (i = 0; i < n; i++) {
            seed = (seed * 137 + 29) % 10007
            w = "w" (seed % 12)
            s = s (i ? " " : "") w
            t = t (i ? " " : "") "W" substr(w, 2)
            a = a (i ? " " : "") i "-" i
        }
        print s > "s"; print t > "t"; print a > "a"
    }
}'
sed 's/0-[0-9]*//' a > other
head -n 40 s > s2; head -n 40 t > t2; head -n 40 a > a2
train_on='-t s t' valid_on=
small bpe-merges=6 dec-depth=2 transformer-dim-ffn=16 batch-tokens=200 lr=0.02 disp-freq=1u save-freq=4u after=12u
sums() { "$DRAGOMAN" inspect -n 9999 "$1" | grep checksums; }

# None, and a text without links, change nothing; links do, and the log has their loss.
train plain.gguf
if grep -q Links log; then fail 'a loss of links without links'; fi
train none.gguf --guided-alignment none
cmp plain.gguf none.gguf
train one.gguf --guided-alignment a -j 1
said ' : Links [0-9]'
grep -q '"link_loss": [0-9]' one.gguf.ckpt/metrics.jsonl
if test "$(sums one.gguf)" = "$(sums plain.gguf)"; then fail 'links have no effect'; fi

# The same bytes on threads, devices, after stops, from a file of encoded text, with less memory.
train two.gguf --guided-alignment a -j 2
cmp one.gguf two.gguf
train parts.gguf --guided-alignment a --after 7u
train parts.gguf --guided-alignment a
cmp one.gguf parts.gguf
train cached.gguf --guided-alignment a --train-cache text.cache
cmp one.gguf cached.gguf
train cached2.gguf --guided-alignment a --train-cache text.cache
said 'read from text.cache'
cmp one.gguf cached2.gguf
train again.gguf --guided-alignment a --recompute
cmp one.gguf again.gguf
train several.gguf --guided-alignment a --accumulate 3 --after 4u -d cpu,cpu
train several1.gguf --guided-alignment a --accumulate 3 --after 4u
cmp several.gguf several1.gguf
if has_gzip; then
    gzip -c a > a.gz
    train packed.gguf --guided-alignment a.gz
    cmp one.gguf packed.gguf
fi
paste s t > both.tsv
train_on=
train tsv.gguf -t both.tsv --tsv --guided-alignment a
test "$(sums tsv.gguf)" = "$(sums one.gguf)" || fail 'another model from one file'
train_on='-t s t'

# Other links are another text, for a cache and for a resume.
train cached3.gguf --guided-alignment other --train-cache text.cache
said 'made anew'
ends 2 'training text' start one.gguf --guided-alignment other --after 20u
ends 2 'training text' start one.gguf --after 20u
ends 2 'guided-alignment-weight = 0.2' start one.gguf --guided-alignment a --guided-alignment-weight 0.2 --after 20u

# A file for each of several texts, or none; a list; a weight of 0.1 is that of none given; weights
# of pairs multiply losses of links.
train pair.gguf -t s2 t2 --guided-alignment a none --guided-alignment-weight 0.1
printf 's\tt\ns2\tt2\n' > list
train_on=
train listed.gguf --train-list list --guided-alignment a none
train_on='-t s t'
test "$(sums pair.gguf)" = "$(sums listed.gguf)" || fail 'another model from a list'
train tagged.gguf -t s2 t2 --guided-alignment a a2 --train-tags '<x>,<y>'
awk '{ print 2 }' s > twos
link_loss() { sed -n 's/.*"update": 1,.*"link_loss": \([0-9.]*\),.*/\1/p' "$1.ckpt/metrics.jsonl"; }
train twos.gguf --guided-alignment a --sentence-weights twos
awk -v one="$(link_loss one.gguf)" -v two="$(link_loss twos.gguf)" \
    'BEGIN { d = two - 2 * one; exit !(one > 0 && d < 1e-4 && -d < 1e-4) }' ||
    fail "losses: $(link_loss one.gguf), $(link_loss twos.gguf)"

# A pair that is skipped takes its links along.
{ printf 'w1 \377\n'; cat s; } > bad.s
{ echo 'W1'; cat t; } > bad.t
{ echo 'no links'; cat a; } > bad.a
train_on='-t bad.s bad.t'
train skipped.gguf --guided-alignment bad.a --on-bad-line skip
train_on='-t s t'

# What a layer learned is shown, and the model knows which it was.
learn='--guided-alignment a --guided-alignment-weight 1 --after 150u --save-freq 150u --disp-freq 150u'
train first.gguf --guided-alignment-layer 1 $learn
train recurrent.gguf --encoder sequential --decoder recurrent --dim-rnn 16 --enc-depth 6 --dec-depth 6 \
    --transformer-heads 8 --transformer-dim-ffn 2048 $learn
{ head -n 5 s; echo; tail -n 4 s; } > in
for model in first recurrent; do
    show() { "$DRAGOMAN" translate -q -m $model.gguf --keep-tokens -b 1 "$@" < in; }
    show --alignment links > out
    show | cmp - out
    test "$(wc -l < links)" = 10
    test -z "$(sed -n 6p links)"
    show --alignment links1 -j 1 --batch-tokens 1 --maxi-batch 3 | cmp - out
    cmp links links1
    # Whatever the words are: most are linked to the one that they should come from.
    paste -d '|' in out links | awk -F '|' -v model=$model '
        {
            n = split($1, s, " "); m = split($2, t, " "); k = split($3, links, " ")
            for (l = 1; l <= k; l++) {
                split(links[l], link, "-")
                if (link[1] >= n || link[2] >= m) exit bad = 1
                if (link[2] >= n) continue
                all++
                right += link[1] == link[2]
            }
        }
        END {
            if (!bad && all >= 20 && right >= 0.6 * all) exit 0
            print model ": " right " of " all " links are right"
            exit 1
        }' || fail "$model"
done
"$DRAGOMAN" inspect first.gguf | grep -q 'guided-alignment-layer = 1' || fail 'the layer is not told'

# ---- what is refused -----------------------------------------------------------------------------

untrained 2 '\-\-guided-alignment has 2 values for 1 text' --guided-alignment a a
untrained 2 'normalize-punctuation, which makes other words' --guided-alignment a --normalize-punctuation
untrained 3 'nothing: error' --guided-alignment nothing
untrained 3 'a2: error: 40 lines of links; expected one for each line of s, also for line 41' \
    --guided-alignment a2
(cat a; echo 0-0) > long
untrained 3 'long:301: error: more lines of links than the 300 lines' --guided-alignment long
for bad in 0 x 0:0 0-0-0 -1-0 0-x; do
    (head -n 2 a; echo "$bad"; tail -n 297 a) > bad
    untrained 3 'bad:3: error: link ".*"; expected source word and target word' --guided-alignment bad
done
(head -n 2 a; echo 0-9; tail -n 297 a) > bad
untrained 3 'bad:3: error: link "0-9" of a pair of 4 and 4 words' --guided-alignment bad
untrained 2 'standard input' --guided-alignment -
untrained 2 'multitask' --guided-alignment a --multitask --train-brackets a
untrained 2 'tokenize moses' --guided-alignment a --tokenize moses
untrained 2 'layer 3 of a decoder with 2 layers' --guided-alignment a --guided-alignment-layer 3
untrained 2 'guided-alignment-weight' --guided-alignment a --guided-alignment-weight 0
untrained 2 'weight goes with --guided-alignment, which' --guided-alignment-weight 1
untrained 2 'layer goes with --guided-alignment, which' --guided-alignment-layer 1
refuse 2 alignment translate -q -i in -m first.gguf --alignment bad --attention bad2
refuse 2 alignment translate -q -i in -m first.gguf first.gguf --alignment bad
refuse 2 alignment translate -q -i in -m first.gguf --alignment first.gguf
refuse 2 'guided-alignment' train-parser --train-sets a --guided-alignment a
