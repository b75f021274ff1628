# resume_options.sh: every option of `train` and `train-parser`, changed where a run goes on, as its row says: the run is refused,
# or it ends with the bytes of a run that was never interrupted.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 60 --dev 5 --test 5

# Values that differ from those above and from the defaults, where kind and choices do not tell.
cat > others << 'END'
--attend-level 1
--attention-bias 0
--batch-tokens 200
--birnn 0
--check-device 1
--decoder recurrent
--dim-emb 16
--encoder sequential
--freeze decoder.*
--lock --no-lock
--lr-schedule noam
--output-bias 1
--ranks off
--shuffle-memory 2M
--source-end 0
--source-lang fr
--syntax shaw
--target-lang fr
--tied-embeddings none
--tokenize moses
--train-temperature 2
--transformer-heads 1
--vocab-type bpe
END
# Options that may change and yet give another model, or none: the mean of other checkpoints, gradients that are rounded, no training;
# those whose texts or model this run has not; the names of treebanks, which a checkpoint has in another place; and a recipe for more text than
# there is.
cat > apart << 'END'
--average
--dry-run
--init-partial
--recipe
--reduce-type
--train-tags
--treebanks
--tsv
--valid-names
--valid-tags
END
"$DRAGOMAN" help --all-options > options

# change: changes each option of the trainer, of what small.conf says, in a run that has made two updates of three.
change() {
    rm -rf ./*.gguf ./*.ckpt
    train whole.gguf --after 3u
    train begun.gguf
    awk -F '\t' -v trainer=$trainer 'FILENAME == "others" { split($0, part, " "); other[part[1]] = part[2] ~ /^--/ ? part[2] : $0; next }
    $1 != trainer || $4 ~ /^files?$/ || $2 ~ /^--(devices|gemm|precision|memory)$/ || $6 != "" { next }
    {
        count = split($5, choices, "|")
        line = $2 in other ? other[$2] : $4 == "flag" ? $2 : $4 ~ /^choice/ ? $2 " " choices[count] : \
            $4 == "real" || $4 == "reals" ? $2 " 0.25" : $4 == "length" ? $2 " 3u" : $4 == "bytes" ? $2 " 2M" : \
            $4 == "int" || $4 == "ints" ? $2 " 3" : $2 " x"
        print ($8 != "" ? "free" : "fixed") "\t" line
    }' others options > cases
    while IFS='	' read -r what option; do
        rm -rf m.gguf m.gguf.ckpt
        cp -r begun.gguf.ckpt m.gguf.ckpt
        cp begun.gguf m.gguf
        rc=0
        # shellcheck disable=SC2086
        (start m.gguf --after 3u $option 2> log) || rc=$?
        refused=$(grep -c -e 'checkpoints were trained with ' -e 'which have no such option' log || :)
        if test $what = fixed; then
            test $rc = 2 && test "$refused" = 1
        elif grep -q -x -e "${option%% *}" apart; then
            test "$refused" = 0
        else
            test $rc = 0 && cmp -s m.gguf whole.gguf
        fi || fail "$option, which is $what: exit code $rc: $(cat log)"
    done < cases
}
valid_on=
small after=2u dim-emb=8 transformer-dim-ffn=8 bpe-merges=20 save-freq=1u valid-freq=9u
change
settings after=2u dim-emb=8 dim-lstm=8 dim-piece=4 dim-piece-lstm=4 dim-arc=8 dim-label=4 dim-tag=4 enc-depth=1 batch-tokens=150 \
    save-freq=1u valid-freq=9u
echo '--encoder transformer' >> others
trainer=train-parser train_on='--train-sets data/train.en.conllu'
change
echo 'What a resumed run of train or train-parser may change, files apart:'
awk -F '\t' '$8 != "" { print $1 ": " $2 }' options | LC_ALL=C sort
