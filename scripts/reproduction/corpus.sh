# corpus.sh: what a .conf file says: a corpus's texts and trees, made or tokenised where that is needed.

# conf NAME: the value of `NAME = value` in the corpus's file.
conf() {
    awk -v name="$1" '$1 == name && $2 == "=" { sub(/^[^=]*=[ \t]*/, ""); print; exit }' "$corpus_file"
}

# find_data: sets data to the folder of the corpus's files, which a generator may have to make first.
find_data() {
    mkdir -p "$out/data" || exit 2
    generate=$(conf generate)
    if test -z "$data" && test -n "$generate"; then
        data=$out/data
        if ! test -f "$data/made"; then
            command -v "$GENERATE" > /dev/null 2>&1 ||
                refuse "$GENERATE is not there; run this in a build folder after make demo, or set GENERATE"
            "$GENERATE" $generate --out "$data" > "$out/data/log" || refuse "$GENERATE failed"
            : > "$data/made"
        fi
    elif test -z "$data"; then
        data=$(conf data)
        case $data in
        /*) ;;
        *) if test "$corpus_file" = "$here/corpora/$corpus.conf"; then data=$top/$data; else data=${corpus_file%/*}/$data; fi ;;
        esac
    fi
    test -d "$data" || refuse "there is no folder $data; --data names that of corpus $corpus, doc/data.md says where to get it"
}

# files NAME: sets first and second to the files that the corpus calls NAME, or to nothing.
files() {
    names=$(conf "$1")
    first=${names%% *} second=${names#* }
    test -z "$first" || first=$data/$first
    test -z "$second" || second=$data/$second
    for file in "$first" "$second"; do
        test -z "$file" || test -f "$file" || refuse "there is no $file"
    done
}

# find_files: sets train_source and its like, or leaves them empty where the corpus lacks the file.
find_files() {
    files train && train_source=$first train_target=$second
    files test && test_source=$first test_target=$second
    files valid && valid_source=$first valid_target=$second
    files train-trees && train_trees=$first
    files valid-trees && valid_trees=$first
    files test-trees && test_trees=$first
    files train-target-trees && train_target_trees=$first
    files test-target-trees && test_target_trees=$first
}

# tokenise_valid: what is there as running text only is tokenised, once.
tokenise_valid() {
    files raw-valid
    test -n "$first" || return 0
    languages=$(conf languages)
    for side in source target; do
        raw=$first language=${languages%% *}
        test $side = source || raw=$second language=${languages#* }
        test -f "$out/data/valid.$side" ||
            { "$DRAGOMAN" tok $(conf tok) --language "$language" --input "$raw" \
                --output "$out/data/part" && mv "$out/data/part" "$out/data/valid.$side"; } ||
            refuse "cannot tokenise $raw"
    done
    valid_source=$out/data/valid.source valid_target=$out/data/valid.target
}

# ---- the first lines of the training text ------------------------------------------------

# lines_of TEXT HOW_MANY: the number that `N` or `N%` of its lines are; nothing where it is neither, or
# where the text has fewer.
lines_of() {
    awk -v want="$2" 'END {
        lines = want ~ /^[0-9]+%$/ ? int(NR * want / 100) : want ~ /^[0-9]+$/ ? want + 0 : 0
        if (lines >= 1 && lines <= NR) print lines
    }' "$1"
}

# cut_trees FILE LINES: brackets have one tree a line; in CoNLL-U a blank line ends each.
cut_trees() {
    awk -v most="$2" '
    !kind && NF { kind = $1 ~ /^\(/ ? "brackets" : "sentences" }
    { print }
    kind == "brackets" && NR == most { exit }
    kind == "sentences" && /^[ \t\r]*$/ { count += open; open = 0; if (count == most) exit; next }
    { open = 1 }' "$1"
}

# cut_text LINES: the first lines of the training text and their trees, once, in text_folder. Sets
# text_source and its like to what rows train on: those files, or all of the corpus where LINES is empty.
cut_text() {
    text_folder=$out/data text_source=$train_source text_target=$train_target
    text_trees=$train_trees text_target_trees=$train_target_trees
    test -n "$1" || return 0
    case $train_source$train_target$train_trees$train_target_trees in *.gz*)
        refuse "--train-lines: $train_source or its trees are compressed; expected text" ;;
    esac
    text_folder=$out/data/lines-$1
    if ! test -f "$text_folder/made"; then
        mkdir -p "$text_folder" && head -n "$1" "$train_source" > "$text_folder/source" &&
            head -n "$1" "$train_target" > "$text_folder/target" &&
            { test -z "$train_trees" || cut_trees "$train_trees" "$1" > "$text_folder/source.trees"; } &&
            { test -z "$train_target_trees" ||
                cut_trees "$train_target_trees" "$1" > "$text_folder/target.trees"; } &&
            : > "$text_folder/made" || refuse "cannot write to $text_folder"
    fi
    text_source=$text_folder/source text_target=$text_folder/target
    test -z "$train_trees" || text_trees=$text_folder/source.trees
    test -z "$train_target_trees" || text_target_trees=$text_folder/target.trees
}
