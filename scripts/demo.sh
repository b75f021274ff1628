#!/bin/sh
# demo.sh: the main job in two minutes: makes the built-in treebank, trains a plain Transformer
# and one with dependency-scaled attention on it, translates the test set with both, and prints
# the two BLEU scores and a few translations.
#
# `make demo` runs it and tells where things are: srcdir, DRAGOMAN and GENERATE.
set -e
recipe=$srcdir/corpora/recipes/demo.conf
dir=${DEMO_DIR:-demo}
threads=${THREADS:-0}
mkdir -p "$dir"

say() { printf '\n== %s\n' "$*"; }

say "The built-in treebank: English and German with gold trees"
"$GENERATE" --seed 1 --out "$dir"
head -n 2 "$dir/train.en" "$dir/train.de"

# train NAME OPTION...: one model.
train() {
    name=$1
    shift
    say "Training $name"
    "$DRAGOMAN" train --config "$recipe" --threads "$threads" --no-resume --overwrite \
        --disp-freq 200u \
        --model "$dir/$name.gguf" --train-sets "$dir/train.en" "$dir/train.de" \
        --valid-sets "$dir/dev.en" "$dir/dev.de" "$@"
}
# translate NAME OPTION...: the test set by that model.
translate() {
    name=$1
    shift
    "$DRAGOMAN" translate --quiet --threads "$threads" --models "$dir/$name.gguf" \
        --input "$dir/test.en" --output "$dir/$name.de" "$@"
}

train plain
translate plain
train deps-san --syntax 'deps-san(layers=1,sigma=1)' \
    --train-trees "$dir/train.en.conllu" --valid-trees "$dir/dev.en.conllu"
translate deps-san --trees "$dir/test.en.conllu"

say "Translations of the test set"
for line in 3 57 121; do
    for file in test.en test.de plain.de deps-san.de; do
        printf '%-12s %s\n' "$file" "$(sed -n "${line}p" "$dir/$file")"
    done
    echo
done
for name in plain deps-san; do
    printf '%-12s %s\n' "$name" \
        "$("$DRAGOMAN" score --multi-bleu "$dir/test.de" --input "$dir/$name.de")"
done
echo "Models and texts are in $dir/; try: $DRAGOMAN inspect $dir/deps-san.gguf"
