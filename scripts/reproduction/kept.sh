# kept.sh: trees of a corpus's source that come with the program, so that rows that need trees can be repeated
# without training a parser for hours. The corpus's file names their folder, `kept-trees`: train.gz, valid.gz,
# test.gz, a line for each sentence, HEAD/TAG/RELATION for each word (corpora/trees/README.md).

# kept_folder: prints where the trees of this corpus are, or nothing.
kept_folder() {
    folder=$(conf kept-trees)
    case $folder in '' | /*) ;; *) folder=$top/$folder ;; esac
    printf '%s' "$folder"
}

# kept_once SET TEXT: sets kept to the CoNLL-U that these trees and the words of a text make, which may be the
# first lines of the text that they are of. Where they do not fit, trees_given tells.
kept_once() {
    packed=$(kept_folder)/$1.gz
    case $1 in
    train) kept=$text_folder/train.kept.conllu ;;
    *) kept=$out/data/$1.kept.conllu ;;
    esac
    test -f "$kept" && return
    test -f "$packed" || { trees_given="there is no $packed"; return 1; }
    gzip -dc "$packed" > "$kept.trees" || { trees_given="cannot unpack $packed"; return 1; }
    lay_over "$kept.trees" "$2" > "$kept.part" || {
        trees_given="$packed does not fit: $(tail -n 1 "$kept.part")"
        rm -f "$kept.trees" "$kept.part"
        return 1
    }
    rm -f "$kept.trees" && mv "$kept.part" "$kept"
}

# lay_over TREES TEXT: CoNLL-U; or, at its end, a line that says why not, and 1.
lay_over() {
    awk -v text="$2" '
    function wrong(what) { print what; bad = 1; exit 1 }
    (getline line < text) <= 0 { exit }
    {
        count = split(line, word, " ")
        if (count != NF) wrong("line " NR " of " text " has " count " words, its tree " NF)
        if (NF == 0) print "# text ="
        for (i = 1; i <= NF; i++) {
            # A relation may have a slash in it, what stands before it not.
            head = $i; sub(/\/.*/, "", head)
            relation = substr($i, length(head) + 2)
            tag = relation; sub(/\/.*/, "", tag)
            relation = substr(relation, length(tag) + 2)
            print i "\t" word[i] "\t_\t" tag "\t_\t_\t" head "\t" relation "\t_\t_"
        }
        print ""
    }
    END { if (!bad && (getline line < text) > 0) wrong(text " has more lines than there are trees, " NR) }
    ' "$1"
}

# kept_trees: a kind of trees of the source (trees.sh). Rows of one folder have the trees of one parser, so that
# what is finished is marked as rows of a parser are.
kept_trees() {
    mark=$out/data/parser
    test ! -f "$mark" || test "$(cat "$mark")" = kept || {
        trees_given="needs the parser that $out was made with: --parser FILE"
        return 1
    }
    test -n "$dry" || echo kept > "$mark"
    tokenised && kept_once train "$text_source" && training="--train-trees=$kept" || return
    if test -n "$valid_source"; then
        kept_once valid "$valid_source" && training="$training$end--valid-trees=$kept" valid_parse=$kept || return
    fi
    kept_once test "$test_source" && test_parse=$kept
}
