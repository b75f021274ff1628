#!/bin/sh
# bench.sh: from a build folder (make bench-peers), ourselves beside what people use: PyTorch,
# CTranslate2, the BLAS libraries, subword-nmt, sacremoses and sacreBLEU; tables in Markdown.
#
#   PEERS=FOLDER    the virtual environment of setup.sh, made if it is not there (out/peers)
#   PARTS='...'     of training, translation, products, text, and curves, which are ourselves alone
#                   over lengths, vocabularies and threads (the first four)
#   SOURCE, TARGET  two files of pairs, for training
#   TEXT            lines to translate, and to cut into words and pieces
#   MODELS='...'    plain Transformers, for translation
#   SHORT=--short   for models that hardly learned: their translations are cut (translation.py)
#   RECIPES='...'   of training (corpora/recipes/multi30k-tiny.conf and scripts/peers/d512.conf)
#   FIGURES=FOLDER  where curves draws what it prints, as SVG
#   THREADS='1 2'   ROUNDS=5   DRAGOMAN=./dragoman
#
# A part whose files are not given is named and left out. Nothing else should run meanwhile.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
root=$here/../..
peers=${PEERS:-out/peers} rounds=${ROUNDS:-5} threads=${THREADS:-1 2} dragoman=${DRAGOMAN:-./dragoman}
parts=${PARTS:-training translation products text}
recipes=${RECIPES:-$root/corpora/recipes/multi30k-tiny.conf $here/d512.conf}
python=$peers/bin/python

# needs PART NAME VALUE [NAME VALUE]...: true if all values are there
needs() {
    part=$1
    shift
    while test $# -gt 1; do
        test -n "$2" || { echo "$part: left out: set $1"; return 1; }
        shift 2
    done
}

conditions() {
    echo "# Beside peers, $(date -u +%Y-%m-%d)"
    echo
    "$dragoman" --version | head -n 1
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2> /dev/null | sort | uniq -c
    uptime
}

training() {
    needs training SOURCE "$SOURCE" TARGET "$TARGET" || return 0
    for recipe in $recipes; do
        for count in $threads; do
            echo
            echo "## Training, $(basename "$recipe" .conf), threads: $count"
            echo
            "$python" "$here/training.py" --dragoman "$dragoman" --config "$recipe" --rounds \
                "$rounds" --threads "$count" "$SOURCE" "$TARGET" || return 1
        done
    done
}

translation() {
    needs translation MODELS "$MODELS" TEXT "$TEXT" || return 0
    for model in $MODELS; do
        echo
        echo "## Translation, $(basename "$model")"
        echo
        "$python" "$here/translation.py" --dragoman "$dragoman" --rounds "$rounds" --threads \
            $threads $SHORT -- "$model" "$TEXT" || return 1
    done
}

products() {
    for count in $threads; do
        echo
        echo "## Matrix products, threads: $count"
        echo
        "$here/products.sh" "$count" || return 1
    done
}

text() {
    needs text TEXT "$TEXT" || return 0
    echo
    echo "## Text tools"
    echo
    "$python" "$here/text.py" --dragoman "$dragoman" --rounds "$rounds" "$TEXT"
}

curves() {
    set -- $recipes
    echo
    echo "## Cost by length, vocabulary and threads, $(basename "$1" .conf)"
    echo
    "$python" "$here/curves.py" --dragoman "$dragoman" --config "$1" --threads $threads \
        ${FIGURES:+--figures "$FIGURES"}
}

"$here/setup.sh" "$peers" || exit 1
conditions
for part in $parts; do
    case $part in
    training | translation | products | text | curves) "$part" || exit 1 ;;
    *)
        echo "bench.sh: unknown part $part: training, translation, products, text, curves" >&2
        exit 2
        ;;
    esac
done
