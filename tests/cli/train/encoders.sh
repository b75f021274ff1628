# encoders.sh: the sizes of recurrent encoders, as `train --dry-run` tells them and as the table of their paper has them;
# refusals of options that do not fit together.
. "$SOURCE/tests/support/shell/lib.sh"
recipe=$SOURCE/corpora/recipes/dynamic-rnn.conf

cat > want <<'END'
sequential 3500000 3.50M 3503500
sequential-750 7875000 7.88M 7880250
constituency 9500000 9.50M 9509500
constituency-0 5750000 5.75M 5756000
constituency-dynamic 8110000 8.11M 8117400
dependency 7000000 7.00M 7006500
dependency-0 3500000 3.50M 3503500
lexicalized 8750000 8.75M 8757500
lexicalized-0 5000000 5.00M 5004000
lexicalized-dynamic 6970000 6.97M 6975300
lexicalized-dynamic-0 3220000 3.22M 3221800
END

# sizes: `weights rounded with-vectors` out of the line that tells them.
sizes() { sed -n 's/.*encoder: \([0-9]*\) weights (\([0-9.]*M\)), \([0-9]*\) with vectors; without embeddings$/\1 \2 \3/p'; }

# The ten rows of table 3, and the one that it lacks, with the recipe of the paper.
awk -F '|' '!/^[#@]/ && NF == 6 { gsub(/ +$/, "", $1); print $1 "|" $4 }' "$SOURCE/scripts/tables/dynamic-3.table" > rows
while IFS='|' read -r name options; do
    "$DRAGOMAN" train --dry-run --config "$recipe" $options 2> log || { cat log; fail "$name: refused"; }
    echo "$name $(sizes < log)"
done < rows > got
diff want got || fail 'other sizes'

# A Transformer has no such size; with a recurrent decoder it has one.
"$DRAGOMAN" train --dry-run --dim-vocabs 100 2> log || fail 'a Transformer'
grep -q 'encoder:' log && fail 'the size of a Transformer as an encoder'
"$DRAGOMAN" train --dry-run --dim-vocabs 100 --decoder recurrent --enc-depth 1 --dim-emb 8 --transformer-heads 2 \
    --transformer-dim-ffn 16 --dim-rnn 4 2> log || { cat log; fail 'a recurrent decoder over a Transformer'; }
# Attention 4 * 8 * 8, feed-forward 2 * 8 * 16, 4 * 8 before the decoder; biases, two norms.
test "$(sizes < log)" = '544 0.00M 636' || { cat log; fail 'the size of a small Transformer'; }

# refused STATUS TEXT OPTION...
refused() {
    want=$1 text=$2
    shift 2
    refuse "$want" "$text" train --dry-run --config "$recipe" "$@"
}
refused 2 'dragoman help encoders' --encoder recurrent
refused 2 'dragoman help encoders' --encoder lexicalized --decoder lexicalized
refused 2 'expected lexicalized or constituency' --encoder sequential --dynamic-z 10
refused 2 'expected lexicalized or constituency' --encoder sequential-dependency --dynamic-z 10
refused 2 'expected --birnn 1' --encoder sequential --birnn 0
refused 2 'expected tg10' --encoder constituency --dynamic-z 10 --tree-cell tg12
refused 2 'equal to --dim-rnn' --encoder constituency --birnn 0 --dim-rnn 100
refused 2 'a level from 1' --encoder constituency --attend-level 0
refused 2 '--src-eos 1' --encoder lexicalized --src-eos 1
refused 2 'expected --encoder' --encoder sequential --syntax shaw

# What neither side has is refused if it was typed, and asks for something; a settings file may serve several encoders.
unused() { refused 2 "$@"; }
unused '--carry mean with --encoder constituency and --decoder recurrent, which have no such option; expected it with --encoder lexicalized$' \
    --encoder constituency --carry mean
unused '--tree-cell tg12 with --encoder lexicalized.*expected it with --encoder constituency$' --encoder lexicalized --tree-cell tg12
unused '--no-parse reject with --encoder sequential.*--encoder sequential-dependency or lexicalized or constituency$' --encoder sequential --no-parse reject
unused '--enc-depth 3 with --encoder sequential.*expected it with --encoder transformer$' --encoder sequential --enc-depth 3
unused '--dec-depth 3 with .*--decoder recurrent.*expected it with --decoder transformer or ssru$' --encoder sequential --dec-depth 3
unused '--dim-rnn 20 with --encoder transformer and --decoder transformer' --encoder transformer --decoder transformer \
    --transformer-heads 5 --dim-rnn 20
cat > many.conf <<'END'
carry = mean
enc-depth = 3
END
for options in '--carry sum' '--syntax none' '--dynamic-z 0' '--config many.conf' '--label-smoothing 0.2' '--dropout 0.3'; do
    "$DRAGOMAN" train --dry-run --config "$recipe" --encoder sequential $options 2> log || { cat log; fail "refused: $options"; }
done
"$DRAGOMAN" train --dry-run --config "$recipe" --encoder sequential --decoder transformer --dec-depth 2 --transformer-heads 5 2> log ||
    { cat log; fail 'options of the decoder'; }

# The same from `reproduce`: of rows that wait for trees too.
cat > bare.conf <<'END'
options = --tokenize none
recipe = demo.conf
train = source target
valid = source target
test = source target
score = --multi-bleu
END
mkdir -p data
echo 'a b c' | tee data/source > data/target
sh "$SOURCE/scripts/reproduce" dynamic-3 --corpus ./bare.conf --data data --scale paper --dry-run --out table > told 2> err
test $? = 1 || { cat told err; fail 'rows that wait, and exit code 0'; }
awk '{ line = $1 " " ($2 == "ok:" || $2 == "waiting:"); sub(/.*encoder: /, ""); print line, $1, $3, $4 }' told |
    sed 's/[(),]//g' > got
awk '{ print $1, 1, $2, $3, $4 }' want > expected
diff expected got || { cat told; fail 'reproduce tells other sizes'; }

# Figure 5 of the same paper, by its arithmetic: millions of weights for z = 25, 50, 75, 100, 150, 200.
sh "$SOURCE/scripts/reproduce" dynamic-f5 --corpus ./bare.conf --data data --scale paper --dry-run --out out-f5 > told 2> err
sed 's/.*encoder: \([0-9]*\) weights.*/\1/' told | tr '\n' ' ' > got
test "$(cat got)" = '8750000 4926250 5605000 6286250 6970000 8345000 9730000 ' || { cat told; fail 'sizes of figure 5'; }
