# figures.sh: the figures of a table, from what is known of its rows: figures/NAME.csv, drawn as
# figures/NAME.svg, and the end of TABLE.md.
#
# A line `@figure NAME | TYPE | X | Y | TITLE | ROWS` of a table asks for one. X says what its data are:
#
#     row             a bar for each row; Y is a column of the table's CSV
#     OPTION          the same along the value that rows give an option: --dynamic-z, or m of --syntax;
#                     OPTION/OPTION: one or the other
#     words, words:N  groups of N (5) lengths of the source; Y is bleu, valid_bleu, or more: that above
#                     the first of ROWS
#     repeated        lengths of phrases said twice in a row; Y is lines or valid_lines
#     layer           Y is what metrics.jsonl calls Y_1, Y_2, ...: its last value
#     update          the curve of the metrics Y of metrics.jsonl; the first seed's

# rows_of LIST: name and title of the rows of a list with commas, in this order; of all for -.
rows_of() {
    (only='' && rows) | awk -F '\t' -v list="$1" '
    { title[$1] = $2; order[NR] = $1 }
    END {
        count = list == "-" ? NR : split(list, order, ",")
        for (i = 1; i <= count; i++)
            if (order[i] in title) print order[i] "\t" title[order[i]]
    }'
}

# each_seed COMMAND...: for each finished run of the figure's rows, what COMMAND prints as `x value` with a
# tab, as lines `x name seed value`. COMMAND finds the run's folder in dir.
each_seed() {
    while IFS=$tab read -r name _ <&4; do
        for seed in $seed_list; do
            dir=$out/$name/seed-$seed
            test -f "$dir/facts" || continue
            "$@" < /dev/null | awk -F '\t' -v name="$name" -v seed="$seed" \
                '{ print $1 "\t" name "\t" seed "\t" $2 }'
        done
    done 4< "$shown"
}

# by_length STEP Y: the scores of a run's groups, without that of all; `dragoman score` prints - for a group
# without a line.
by_length() {
    source=$test_source target=$test_target output=$dir/output
    test "$2" != valid_bleu || source=$valid_source target=$valid_target output=$dir/valid
    test -f "$output" || return
    "$DRAGOMAN" score "$target" $score_options --width 2 --input "$output" --by-length "$source" \
        --length-step "$1" | awk 'NR > 2 && $NF != "-" && $1 != "all" {
            group = $1 == ">" ? $1 " " $2 : $1
            print group "\t" $NF
        }'
}

# repeated Y: lines of each length of a phrase that is said twice; the last two are all of them, and those
# where the second time is not quite the same.
repeated() {
    target=$test_target output=$dir/output
    test "$1" != valid_lines || target=$valid_target output=$dir/valid
    test -f "$output" || return
    "$DRAGOMAN" score "$target" --input "$output" --repetitions |
        awk 'NR > 1 && $1 != "of" { print $1 "\t" $2 }'
}

# by_layer KEY: the last KEY_1, KEY_2, ... of a run.
by_layer() {
    metrics=$dir/model.gguf.ckpt/metrics.jsonl
    test -f "$metrics" || return
    awk -v key="\"$1_" '{
        line = $0
        while ((at = index(line, key)) > 0) {
            line = substr(line, at + length(key))
            if (line !~ /^[0-9]+": *[-0-9.]/) continue
            layer = line + 0
            sub(/^[0-9]+": */, "", line)
            value[layer] = line + 0
            if (layer > most) most = layer
        }
    }
    END { for (layer = 0; layer <= most; layer++) if (layer in value) print layer "\t" value[layer] }' "$metrics"
}

# figure_data X Y: the CSV of a figure.
figure_data() {
    case $1 in
    words | words:*)
        step=5
        test "$1" = words || step=${1#words:}
        each_seed by_length "$step" "$2" | averaged words "$2" ;;
    repeated) each_seed repeated "$2" | averaged tokens "$2" ;;
    layer) each_seed by_layer "$2" | averaged layer "$2" ;;
    *) (only='' && rows) | along "$1" "$2" ;;
    esac
}

# averaged X Y: lines `x name seed value` as CSV, means over seeds.
averaged() {
    awk -F '\t' -v x="$1" -v y="$2" -v rows="$shown" \
        -f "$here/reproduction/figure-seeds.awk"
}

# along OPTION Y: the means of the rows of a table, one a line.
along() {
    awk -F '\t' -v x="$1" -v y="$2" -v rows="$shown" -v means="$out/means" \
        -f "$here/reproduction/figure-rows.awk"
}

# label COLUMN: in words, with the unit.
label() {
    case $1 in
    bleu) echo BLEU ;;
    valid_bleu) echo 'BLEU of the validation set' ;;
    more) echo "BLEU more than $(awk -F '\t' '{ print $2; exit }' "$shown")" ;;
    words) echo 'words of the source sentence' ;;
    tokens) echo 'tokens of the phrase' ;;
    lines | valid_lines) echo 'sentences that say a phrase twice' ;;
    uas_source | uas_target) echo 'words whose head is right, %' ;;
    encoder) echo 'weights of the encoder' ;;
    attention_entropy | self_attention_entropy) echo 'entropy of attention, nats' ;;
    seconds_per_100_updates) echo 'seconds for 100 updates' ;;
    sentences_per_second) echo 'sentences a second' ;;
    --*) echo "${1#--}" ;;
    *) echo "$1" ;;
    esac
}

# chart TYPE Y TITLE: draws $csv as $svg.
chart() {
    column=$(awk -F , '{ print $1; exit }' "$csv")
    set -- --type "$1" --x "$column" --y "$2" --title "$3" --x-label "$(label "$column")" \
        --y-label "$(label "$2")"
    test "$column" = row || set -- "$@" --series row
    # Bars may be many; a whisker on each is drawn where several seeds tell how long it is.
    test -z "$(awk -F , 'NR > 1 && $3 != "" { print "some"; exit }' "$csv")" || set -- "$@" --error sd
    "$DRAGOMAN" draw chart --quiet --input "$csv" --output "$svg" "$@"
}

# curves METRICS TITLE: draws the training of the rows with the first seed as $svg, unfinished ones too. Its
# data are figures/NAME/ROW.jsonl, as curves are named by their files.
curves() {
    logs=$out/figures/$figure metrics=$1 title=$2
    set --
    mkdir -p "$logs" && rm -f "$logs"/*.jsonl
    while IFS=$tab read -r name _; do
        log=$out/$name/seed-${seed_list%% *}/model.gguf.ckpt/metrics.jsonl
        test -s "$log" && cp "$log" "$logs/$name.jsonl" && set -- "$@" "$logs/$name.jsonl"
    done < "$shown"
    test $# -gt 0 || return 0
    # A training without a validation set has no metrics of it.
    metrics=$(cat "$@" | awk -v metrics="$metrics" '
    BEGIN { count = split(metrics, name, ",") }
    { for (i = 1; i <= count; i++) if (index($0, "\"" name[i] "\"")) there[i] = 1 }
    END { for (i = 1; i <= count; i++) if (i in there) { printf "%s%s", comma, name[i]; comma = "," } }')
    test -n "$metrics" || { say "the figure $figure has no data: its metrics were not logged"; return 0; }
    "$DRAGOMAN" draw training "$@" --quiet --output "$svg" --metrics "$metrics" --title "$title"
}

# put_figure: the figure in Markdown; groups as a table, a line for each row.
put_figure() {
    printf '\n## %s\n\n![%s](figures/%s.svg)\n' "$title" "$title" "$figure"
    case $x in
    words | words:* | repeated | layer) awk -f "$here/reproduction/figure-table.awk" "$csv" ;;
    esac
}

# draw_figures: all that the table asks for and that have data; 1 where one could not be drawn.
draw_figures() {
    undrawn=0 shown=$out/figures/rows
    test -n "$figure_list" || return 0
    mkdir -p "$out/figures" || exit 2
    while IFS=$tab read -r figure type x y title list <&5; do
        csv=$out/figures/$figure.csv svg=$out/figures/$figure.svg
        rm -f "$svg"
        rows_of "$list" > "$shown"
        if test "$x" = update; then
            curves "$y" "$title"
        else
            figure_data "$x" "$y" > "$csv"
            if awk 'NR > 1 { exit } END { exit NR < 2 }' "$csv"; then
                chart "$type" "$y" "$title"
            fi
        fi || { say "error: the figure $figure could not be drawn"; undrawn=1; }
        test ! -f "$svg" || put_figure >> "$out/$table.md"
    done 5<<END
$figure_list
END
    rm -f "$shown"
    return $undrawn
}
