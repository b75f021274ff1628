# constituency.sh: constituency trees of bracket files: the same as those derived from the dependency
# trees that they were made of; killed, resumed, any threads; what is no tree, or does not fit, gets
# the promised answer from `train`, and costs its line the tree in `translate`.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 60 --dev 10 --test 12
for text in train dev test; do
    "$DRAGOMAN" convert trees -i data/$text.en.conllu -t binary -o $text.mrg
done

small encoder=constituency decoder=recurrent bpe-merges=40 dim-emb=12 dim-rnn=8 lr=0.05 warmup=2 after=12u \
    save-freq=5u valid-freq=6u valid-trees=dev.mrg
bracketed() { train "$@" --quiet; }
score() { "$DRAGOMAN" translate -q --scores -m "$@" < data/test.en; }


# Trees that are derived, once by us, once by the reader.
train heads.gguf --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu
test "$(grep -c 'derived from the dependency trees of data/train.en.conllu' log)" = 1
bracketed m.gguf --train-trees train.mrg
score heads.gguf --trees data/test.en.conllu > heads.de
score m.gguf --trees test.mrg > tree.de
cmp heads.de tree.de
score m.gguf --trees data/test.en.conllu | cmp - tree.de
"$DRAGOMAN" translate -m m.gguf --trees data/test.en.conllu < data/test.en 2>&1 > words |
    grep -q 'derived from the dependency trees of data/test.en.conllu'
score m.gguf --trees none > none.de
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
    test "$(sed -n ${n}p none.de)" != "$(sed -n ${n}p tree.de)"
done
score m.gguf --trees test.mrg --batch-tokens 1 --threads 2 | cmp - tree.de
cut -f 1 tree.de > tree.score
cut -f 2 tree.de > words.de
"$DRAGOMAN" rescore data/test.en words.de -q -m m.gguf --trees test.mrg > rescored
"$DRAGOMAN" rescore data/test.en words.de -q -m m.gguf --trees data/test.en.conllu | cmp - rescored

# Other brackets around the same tree: unary chains, traces, labels, line ends.
sed 's/^(X/(TOP (S-2 (-NONE- *T*-1) (X/; s/$/))/; s/(X \([^ ()]*\) /(NP (NP (NP \1))(-NONE- *) /g' \
    train.mrg | sed 's/(NP (NP (NP/(X (NP (NP/g' | awk '{ printf "%s\r\n", $0 }' > odd.mrg
bracketed odd.gguf --train-trees odd.mrg
score odd.gguf --trees test.mrg | cmp - tree.de
if has_gzip; then
    { printf '\357\273\277'; cat train.mrg; } | gzip > train.mrg.gz
    bracketed t2.gguf --train-trees train.mrg.gz --threads 2
    cmp m.gguf t2.gguf
fi

# Killed and resumed: the same bytes. Other constituents are other training data.
for pause in 0.02 0.05 0.1; do
    rm -rf killed.gguf killed.gguf.ckpt
    killed $pause start killed.gguf --quiet --train-trees train.mrg
    bracketed killed.gguf --train-trees train.mrg
    cmp m.gguf killed.gguf
done
bracketed part.gguf --train-trees train.mrg --after 5u
sed '5s/.*//' train.mrg > other.mrg
for trees in other.mrg data/train.en.conllu; do
    ends 2 'allow-data-change' start part.gguf --train-trees $trees
done
bracketed part.gguf --train-trees train.mrg
cmp m.gguf part.gguf

# Sentences that could not be parsed: chains, or refused.
sed '5s/.*//; 6s/.*/(())/; 7s/.*/( () )/' train.mrg > none.mrg
train none.gguf --train-trees none.mrg
grep -q 'training text: 3 of 60 sentences have no tree in none.mrg' log
untrained 3 'data/train.en:5: error: no tree for this line.*no-parse star' --no-parse reject --train-trees none.mrg
other=$valid_on valid_on='--valid-sets data/train.en data/train.de'
untrained 3 'no tree for this line' --no-parse reject --train-trees train.mrg --valid-freq 1u \
    --valid-trees none.mrg
valid_on=$other

# What is wrong with a tree is said with file and line.
deep=$(awk 'BEGIN { for (i = 0; i < 10000; i++) printf "(X "; printf "w"
                    for (i = 0; i < 10000; i++) printf ")" }')
byte=$(printf '\377')
damage() { LC_ALL=C sed "$1" train.mrg > bad.mrg; }
damage '7s/)$//'; untrained 3 'bad.mrg:7:.*1 bracket still open.*expected ")"' --train-trees bad.mrg
damage '7s/$/)/'; untrained 3 'bad.mrg:7:.*E_PTB' --train-trees bad.mrg
damage '7s/$/ (X a)/'; untrained 3 'bad.mrg:7:.*second tree in one line' --train-trees bad.mrg
damage '7s/.*/(X (Y))/'; untrained 3 'bad.mrg:7:.*E_PTB' --train-trees bad.mrg
damage '7s/.*/(X (-NONE- *))/'; untrained 3 'bad.mrg:7:.*without words' --train-trees bad.mrg
damage '7s/^(X/(X '"$byte/"; untrained 3 'bad.mrg:7:.*E_UTF8' --train-trees bad.mrg
damage "7s/.*/$deep/"; untrained 3 'bad.mrg:7:.*at most 1000 open.*E_LIMIT' --train-trees bad.mrg
damage '7s/.*/(X w)/'; untrained 3 'train.en:7:.*tree has 1 words.*E_ALIGN' --train-trees bad.mrg
damage '7s/(X \([a-z]\)/(X q\1/'; untrained 3 'train.en:7:.*same words.*E_ALIGN' --train-trees bad.mrg
damage 60d; untrained 3 'bad.mrg: .*59 sentences; expected one for each line' --train-trees bad.mrg
damage 60p; untrained 3 'bad.mrg:61:.*more sentences than the 60 lines' --train-trees bad.mrg
: > bad.mrg
untrained 3 'bad.mrg: .*0 sentences; expected one for each line' --train-trees bad.mrg

# Each of these costs its line the tree, no other line anything.
{
    sed -n '1s/)$//p; 2s/$/)/p' test.mrg
    printf '\n(())\n%s\n(X w)\n\n' "$deep"
    printf '(X \377)\n'
    LC_ALL=C sed -n "9s/^(X/($byte/p; 10,\$p" test.mrg
} > bad.mrg
"$DRAGOMAN" translate --scores -m m.gguf --trees bad.mrg < data/test.en > bad.de 2> err
{ sed -n 1,8p none.de; sed -n '9,$p' tree.de; } | cmp - bad.de
grep -q 'bad.mrg:1: .*E_PTB.*goes on without a parse' err
grep -q 'line 6: tree has 1 words.*translated without its tree' err
sed 4q test.mrg > bad.mrg
rc=0
score m.gguf --trees bad.mrg > bad.de 2> err || rc=$?
test $rc = 3
grep -q '4 sentences; expected one for each line' err

# Who reads heads says so.
dependencies='trees in brackets; expected CoNLL-U:'
for encoder in lexicalized sequential-dependency; do
    untrained 2 "$dependencies --encoder $encoder needs" --encoder $encoder --train-trees train.mrg
    untrained 2 "$dependencies --encoder $encoder needs" --encoder $encoder --valid-trees dev.mrg \
        --train-trees data/train.en.conllu
done
transformer='--encoder transformer --decoder transformer --transformer-heads 2'
for syntax in 'deps-san(layers=1)' tags; do
    untrained 2 "$dependencies --syntax $syntax needs" $transformer --syntax "$syntax" \
        --train-trees train.mrg
done
untrained 2 "$dependencies --multitask has --train-brackets" $transformer --multitask \
    --train-trees train.mrg
untrained 2 'multitask with --encoder constituency' --multitask --train-brackets train.mrg

# Heads that run in a circle: an error in training, a line without its tree in translation.
awk '/^1\t/ && !done { sub(/\t[0-9]+\t[a-z:]+\t_\t/, "\t2\tdep\t_\t") }
     /^2\t/ && !done { sub(/\t[0-9]+\t[a-z:]+\t_\t/, "\t1\tdep\t_\t"); done = 1 } { print }' \
    FS='\t' data/test.en.conllu > circle.conllu
cmp -s circle.conllu data/test.en.conllu && exit 1
for encoder in constituency lexicalized sequential-dependency; do
    train $encoder.gguf --quiet --encoder $encoder --train-trees data/train.en.conllu \
        --valid-trees data/dev.en.conllu --after 2u
    score $encoder.gguf --trees data/test.en.conllu > tree.de
    score $encoder.gguf --trees none > none.de
    "$DRAGOMAN" translate --scores -m $encoder.gguf --trees circle.conllu < data/test.en \
        > circle.de 2> err
    grep -q 'E_CYCLE' err
    { sed -n 1p none.de; sed -n '2,$p' tree.de; } | cmp - circle.de
    train_on='--train-sets data/test.en data/test.de'
    untrained 3 'circle.conllu:.*E_CYCLE' --encoder $encoder --train-trees circle.conllu
    train_on='--train-sets data/train.en data/train.de'
done
rc=0
score lexicalized.gguf --trees test.mrg 2> err || rc=$?
test $rc = 2
grep -q "$dependencies --encoder lexicalized needs" err
