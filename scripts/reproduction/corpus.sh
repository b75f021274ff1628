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
        case $data in /*) ;; *) data=$top/$data ;; esac
    fi
    test -d "$data" || refuse "there is no folder $data; --data names that of corpus $corpus"
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
