# trees.sh: the trees that a row needs: of the corpus, of a parser, random ones, or none.
#
# tree_options sets `trees_given` to yes, or to why the trees of a row are not there; `training`, options
# of `train`, one a line; test_parse and valid_parse, which `translate --trees` reads for either set.

# add_parser NAME=FILE or FILE: a line of `parsers`; that without a name is the default.
parsers=''
add_parser() {
    parser_name='' file=$1
    case ${1%%=*} in
    "$1" | '' | *[!a-z0-9-]*) ;;
    *) parser_name=${1%%=*} file=${1#*=} ;;
    esac
    test -f "$file" || refuse "there is no parser $file"
    case $end$parsers in
    *"$end$parser_name=$tab"*) refuse "two parsers${parser_name:+ $parser_name}; expected one" ;;
    esac
    parsers="$parsers$parser_name=$tab$file$end"
}

# parser_file NAME: that parser's file, or nothing.
parser_file() {
    printf '%s' "$parsers" | awk -F '\t' -v name="$1=" '$1 == name { print $2 }'
}

# known_parser NAME FILE: finished rows of a folder that were made with another parser could not be compared
# with those to come. What is kept is a checksum, as a parser is often trained again under the same name.
known_parser() {
    known=$out/data/parser${1:+-$1} now=$(cksum < "$2")
    test ! -f "$known" || test "$(cat "$known")" = "$now" ||
        refuse "$out was made with another parser than $2; expected that parser, or another --out"
}

# keep_parser NAME FILE: a row is about to use it.
keep_parser() {
    test -n "$dry" || cksum < "$2" > "$out/data/parser${1:+-$1}"
}

# check_parsers: all that are given, although rows that use them may be finished: each is the one that the
# folder began with, and a name is one that some row asks for.
check_parsers() {
    test -z "$target_parser" || known_parser of.target "$target_parser"
    while IFS= read -r line; do
        test -n "$line" || continue
        wanted=${line%%=*}
        test -z "$wanted" || (only='' && rows) | awk -F '\t' -v kind="parser=$wanted" '
            { sub(/^[^:]*:/, "", $5); if ($5 == kind) found = 1 } END { exit !found }' ||
            refuse "--parser $wanted=FILE: no row of $table asks for trees of a parser $wanted"
        known_parser "$wanted" "${line#*$tab}"
    done <<END
$parsers
END
}

# parse_once SIDE NAME PARSER TEXT: sets parsed to the trees of a training text, which all rows share; where
# that fails, trees_given tells. The parser cuts running text; `train` lays its trees over the model's words.
parse_once() {
    parsed=$text_folder/train.$1${2:+-$2}.conllu
    test -f "$parsed" && return
    readable || return
    if words_given; then form='--format tokens'; else form="--format lines --language $(language_of "$1")"; fi
    say "parsing $4"
    "$DRAGOMAN" parse --quiet --threads "$threads" $form --model "$3" --input "$4" \
        --output "$parsed.part" && mv "$parsed.part" "$parsed" || {
        trees_given="the parser $3 failed"
        return 1
    }
}

# readable: whether `parse` and awk can read the training text.
readable() {
    case $train_source in *.gz)
        trees_given='needs trees that the corpus names: its text is compressed'
        return 1 ;;
    esac
}

# words_given: whether the words of the text are what stands between its blanks.
words_given() {
    case $corpus_options in *'--tokenize none'*) ;; *) return 1 ;; esac
}

# tokenised: both, or trees_given tells what is missing.
tokenised() {
    readable || return
    words_given && return
    trees_given='needs --parser, or trees that the corpus names: its text is not tokenised'
    return 1
}

# language_of SIDE: as the corpus's options have it; where they do not, that of `train`.
language_of() {
    printf '%s' "$corpus_options" | awk -v option="--$1-lang" -v usual="$(test "$1" = source && echo en || echo de)" '
        { for (i = 1; i < NF; i++) if ($i == option) usual = $(i + 1) }
        END { print usual }'
}

# random_once SET TEXT: sets drawn to random trees of this seed over the words of a text.
random_once() {
    drawn=$text_folder/$1.random-$seed.conllu
    test -f "$drawn" && return
    awk '{
        if (NF == 0) print "# text ="
        for (i = 1; i <= NF; i++) printf "%d\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n", i, $i
        print ""
    }' "$2" | "$DRAGOMAN" convert trees --quiet --allow-empty --random "$seed" --output "$drawn.part" &&
        mv "$drawn.part" "$drawn" || {
        trees_given="there are no random trees of $2"
        return 1
    }
}

# ---- trees of the source, by kind: each returns 1 where they are not there -------------------

gold_trees() {
    test -n "$text_trees" || { trees_given='needs trees of the source that the corpus names'; return 1; }
    training="--train-trees=$text_trees"
    test -z "$valid_trees" || training="$training$end--valid-trees=$valid_trees"
    test_parse=${test_trees:-auto} valid_parse=${valid_trees:-auto}
}

# parser_trees NAME: the parser goes into the model, which then parses what it translates.
parser_trees() {
    file=$(parser_file "$1")
    if test -z "$file"; then
        trees_given="needs trees of the source: --parser ${1:+$1=}FILE"
        return 1
    fi
    training="--parser=$file"
    keep_parser "$1" "$file"
    test -n "$dry" || { parse_once source "$1" "$file" "$text_source" &&
        training="$training$end--train-trees=$parsed"; } || return
    test_parse=auto valid_parse=auto
}

random_trees() {
    tokenised && random_once train "$text_source" && training="--train-trees=$drawn" || return
    if test -n "$valid_source"; then
        random_once valid "$valid_source" && training="$training$end--valid-trees=$drawn" valid_parse=$drawn || return
    fi
    random_once test "$test_source" && test_parse=$drawn
}

# source_trees KIND: what the table leaves open is gold where the corpus has trees.
source_trees() {
    case $1 in
    gold) gold_trees ;;
    random) random_trees ;;
    none) training="--train-trees=none${valid_source:+$end--valid-trees=none}" ;;
    parser=*) parser_trees "${1#parser=}" ;;
    parser) own_trees ;;
    *) if test -n "$train_trees"; then gold_trees; else own_trees; fi ;;
    esac
}

# own_trees: of --parser FILE, else those that came with the program, which a parser made before.
own_trees() {
    if test -z "$(parser_file '')" && test -n "$(kept_folder)"; then kept_trees; else parser_trees ''; fi
}

target_trees() {
    if test -n "$text_target_trees"; then
        training="$training$end--train-target-trees=$text_target_trees"
    elif test -n "$target_parser"; then
        keep_parser of.target "$target_parser"
        parse_once target '' "$target_parser" "$text_target" || return
        training="$training$end--train-target-trees=$parsed"
    else
        trees_given='needs trees of the target: --target-parser FILE'
        return 1
    fi
}

# tree_options WHICH: what the table says of a row: a side, and with a colon the kind of its trees.
tree_options() {
    training='' test_parse=none valid_parse=none trees_given=yes kind=''
    case $1 in *:*) kind=${1#*:} ;; esac
    case $1 in
    source* | training | training:* | training-both) source_trees "$kind" || return ;;
    esac
    case $1 in
    training-target | training-both) target_trees || return ;;
    esac
    # Trees in training only: the model must translate without.
    case $1 in training*) test_parse=none valid_parse=none ;; esac
}
