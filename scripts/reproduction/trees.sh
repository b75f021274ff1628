# trees.sh: the trees that a row needs, from the corpus or from a parser.

# parse_once SIDE PARSER TEXT: sets parsed to the trees of a training text, which all rows share; where
# that fails, trees_given tells.
parse_once() {
    parsed=$out/data/train.$1.conllu
    test -f "$parsed" && return
    case $corpus_options in *'--tokenize none'*) ;; *)
        trees_given='needs trees that the corpus names: its text is not tokenised'
        return 1 ;;
    esac
    say "parsing $3"
    "$DRAGOMAN" parse --quiet --threads "$threads" --format tokens --model "$2" --input "$3" \
        --output "$parsed.part" && mv "$parsed.part" "$parsed" || {
        trees_given="the parser $2 failed"
        return 1
    }
}

# tree_options WHICH: sets `trees_given` to yes, and the options of training and of translating, one a
# line; or to why the trees that a row needs are not there.
tree_options() {
    training='' translating="--trees${end}none" trees_given=yes
    case $1 in
    source | training | training-both)
        if test -n "$train_trees"; then
            training="--train-trees=$train_trees"
            test -z "$valid_trees" || training="$training$end--valid-trees=$valid_trees"
        elif test -n "$parser"; then
            training="--parser=$parser"
            test -n "$dry" || { parse_once source "$parser" "$train_source" &&
                training="$training$end--train-trees=$parsed"; } || return
        else
            trees_given='needs trees of the source: --parser FILE'
            return
        fi ;;
    esac
    case $1 in
    training-target | training-both)
        if test -n "$train_target_trees"; then
            training="$training$end--train-target-trees=$train_target_trees"
        elif test -n "$target_parser"; then
            parse_once target "$target_parser" "$train_target" || return
            training="$training$end--train-target-trees=$parsed"
        else
            trees_given='needs trees of the target: --target-parser FILE'
            return
        fi ;;
    esac
    test "$1" != source || translating="--trees${end}auto"
    test "$1" != source || test -z "$test_trees" || translating="--trees$end$test_trees"
}
