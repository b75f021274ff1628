# row.sh: trains one row with one seed, translates the test set, and gathers what the log tells.

# interrupted SIGNAL: waits for a training run to save. A terminal's ^C reaches that run as well, and a
# second signal would make it leave at once; any other signal is handed on.
child=''
interrupted() {
    trap '' INT TERM
    if test -n "$child"; then
        test "$1" = INT || kill -TERM "$child" 2> /dev/null
        wait "$child"
    fi
    say "interrupted; the same command goes on"
    exit 130
}

# split_options: sets row_lines to the --train-lines of the row's options, plain_options to the others.
split_options() {
    row_lines='' plain_options=''
    test "$options" = - && return
    set -f # a value such as >1 or * is no file
    set -- $options
    set +f
    while test $# -gt 0; do
        case $1 in
        --train-lines=*) row_lines=${1#*=} ;;
        --train-lines) row_lines=${2-} && shift $(($# > 1)) ;;
        *) plain_options="$plain_options $1" ;;
        esac
        shift
    done
}

# choose_text: the text of a row; without it `trees_given` says why.
choose_text() {
    split_options
    text_lines=$train_lines
    if test -n "$row_lines"; then
        cut_text "$train_lines"
        text_lines=$(lines_of "$text_source" "$row_lines")
        test -n "$text_lines" || {
            count=$(awk 'END { print NR }' "$text_source")
            trees_given="needs --train-lines $row_lines, and the text has $count lines"
            return 1
        }
    fi
    cut_text "$text_lines"
}

# train OPTION...: what is there of this row is continued. Without any text where textless says so.
textless=''
train() {
    set -- "$@" --config "$recipe_file" --model "$dir/model.gguf" --threads "$threads" --seed "$seed"
    if test -z "$textless"; then
        set -- "$@" --train-sets "$text_source" "$text_target"
        test -z "$valid_source" || set -- "$@" --valid-sets "$valid_source" "$valid_target"
    fi
    set -- "$@" $corpus_options $scale_options
    if test -n "$updates"; then
        save=$((updates / 40 + 1)) show=$((updates < 100 ? updates : 100))
        set -- "$@" --after "${updates}u" --save-freq "${save}u" --disp-freq "${show}u"
    fi
    set -- "$@" $plain_options
    IFS=$end
    set -- "$@" --syntax "$syntax" $training
    unset IFS
    printf 'reproduce: %s\n' "$*" >> "$dir/log"
    "$DRAGOMAN" train "$@" 2>> "$dir/log" &
    child=$!
    wait "$child"
    result=$?
    child=''
    return $result
}

# translate INPUT TREES OUTPUT TIMES: and how long it took, in processor seconds, which other programs do
# not stretch.
translate() {
    (
        "$DRAGOMAN" translate --trees "$2" --split none --lines tokens $decode_options --threads 1 --models "$dir/model.gguf" \
            --input "$1" --output "$dir/part" 2>> "$dir/log"
        result=$?
        times > "$4"
        exit $result
    ) && mv "$dir/part" "$3"
}

# translate_sets: the test set, and the validation set where the table reports it.
translate_sets() {
    test -f "$dir/facts" || translate "$test_source" "$test_parse" "$dir/output" "$dir/times" || return
    test -z "$validating" || test -f "$dir/valid" ||
        translate "$valid_source" "$valid_parse" "$dir/valid" "$dir/valid.times"
}

# finished: nothing is left to do for this row and seed.
finished() {
    test -f "$dir/facts" && { test -z "$validating" || test -f "$dir/valid"; }
}

# gather: what the log tells of this row, as `name value` lines.
gather() {
    awk -v times="$dir/times" -v sentences="$sentences" '
    function seconds(text, part) { split(text, part, /[ms]/); return 60 * part[1] + part[2] }
    /^reproduce: / { at = 0 }
    / encoder: [0-9]+ weights / { for (i = 1; i < NF; i++) if ($i == "encoder:") encoder = $(i + 1) }
    / parameters: / { for (i = 1; i < NF; i++) if ($i == "parameters:") parameters = $(i + 1) }
    / resuming after update / { at = $NF }
    / Up\. [0-9]+ : .* Time / {
        for (i = 1; i < NF; i++) {
            if ($i == "Up.") now = $(i + 1)
            if ($i == "Time") took = $(i + 1) + 0
        }
        if (now > at) { spent += took; done += now - at; at = now }
    }
    / finished after update / { for (i = 1; i < NF; i++) if ($i == "update") updates = $(i + 1) + 0 }
    END {
        while ((getline line < times) > 0) {
            count = split(line, part, " ")
            used = seconds(part[1]) + seconds(part[count])
        }
        print "parameters", parameters ? parameters : "-"
        print "encoder", encoder ? encoder : "-"
        if (done) printf "pace %.2f\n", 100 * spent / done; else print "pace -"
        print "updates", updates ? updates : "-"
        # The shell counts in hundredths of a second: of less than a second nothing can be told.
        if (used >= 1) printf "speed %.1f\n", sentences / used; else print "speed -"
    }' "$dir/log" > "$dir/part" && gather_heads >> "$dir/part" && mv "$dir/part" "$dir/facts"
}

# last_error: the message that ended a run.
last_error() {
    awk '/error:/ { line = $0 }
    END {
        sub(/.*error: /, "", line)
        gsub(/\t/, " ", line)
        print line ? line : "see its log"
    }' "$dir/log"
}

# run_row: leaves in $dir either `facts`, or `trouble` with the reason.
run_row() {
    mkdir -p "$dir" || exit 2
    choose_text && tree_options "$trees"
    if test "$trees_given" != yes; then
        echo "waiting: $trees_given" > "$dir/trouble"
    elif ! test -f "$dir/trained" && ! { say "$name, seed $seed: training" && train; }; then
        echo "failed: $(last_error)" > "$dir/trouble"
    else
        : > "$dir/trained"
        if translate_sets && gather; then
            rm -f "$dir/trouble"
            return 0
        fi
        echo "failed: $(last_error)" > "$dir/trouble"
    fi
    say "$name, seed $seed: NOT DONE: $(cat "$dir/trouble")"
    return 1
}

# sizes: what `train --dry-run` has told of the model: its parameters and, if it is recurrent, its encoder's size.
sizes() {
    awk '!/^reproduce: / && match($0, / (parameters|encoder): /) {
        text = text between substr($0, RSTART + 1)
        between = "; "
    }
    END { sub(/^parameters: /, "", text); print text }' "$dir/log"
}

# try_row: whether training takes it: `row ok: parameters`, or why not.
try_row() {
    : > "$dir/log"
    choose_text && tree_options "$trees"
    if test "$trees_given" != yes; then
        # Its size is known where the recipe names that of the vocabularies.
        textless=yes training=''
        train --dry-run && trees_given="$trees_given; parameters: $(sizes)"
        textless=''
        echo "$name waiting: $trees_given"
        return 1
    fi
    if train --dry-run; then
        echo "$name ok: $(sizes)"
        return 0
    fi
    echo "$name refused: $(last_error)"
    return 1
}
