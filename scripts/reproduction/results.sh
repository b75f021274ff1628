# results.sh: scores what is finished and writes the table.

# score_seed REFERENCE OUTPUT: `name score half-width p` of the rows whose file OUTPUT is there and that are
# finished, with tabs between.
score_seed() {
    reference=$1 output=$2 names=''
    set --
    while IFS=$tab read -r name _; do
        test -f "$out/$name/seed-$seed/facts" && test -f "$out/$name/seed-$seed/$output" || continue
        names="$names $name"
        set -- "$@" "$out/$name/seed-$seed/$output"
    done <<END
$(only='' && rows)
END
    test $# -gt 0 || return 0
    "$DRAGOMAN" score "$reference" $score_options --width 2 --paired-bs-n $samples --input "$1" \
        --paired-bs "$@" |
        awk -v names="$names" -v baseline="$baseline" '
        BEGIN { split(names, name, " ") }
        NR > 3 {
            this = name[NR - 3]
            sub(/\*$/, "", $4)
            print this "\t" $1 "\t" $3 "\t" (name[1] != baseline || this == baseline ? "-" : $4)
        }'
}

# report: the table of all that is known so far, in $out/TABLE.csv and TABLE.md, and the means over seeds,
# which figures show, in $out/means.
report() (
    : > "$out/scores"
    : > "$out/scores-valid"
    for seed in $seed_list; do
        score_seed "$test_target" output | awk -v seed="$seed" '{ print seed "\t" $0 }' >> "$out/scores"
        test -z "$validating" || score_seed "$valid_target" valid |
            awk -v seed="$seed" '{ print seed "\t" $0 }' >> "$out/scores-valid"
    done
    export chosen conditions # they have several lines, which -v need not accept
    case $chosen in *dbsa* | *lisa*) parsing=yes ;; *) parsing='' ;; esac
    (only='' && rows) | awk -F '\t' -v parsing="$parsing" -v out="$out" -v table="$table" -v seeds="$seed_list" \
        -v heading="$(directive published)" -v baseline="$baseline" -v sentences="$sentences" \
        -v validating="$validating" -f "$here/reproduction/report.awk"
)
