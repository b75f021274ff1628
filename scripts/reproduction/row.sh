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

# train OPTION...: what is there of this row is continued. Without any text where textless says so.
textless=''
train() {
    set -- "$@" --config "$recipe_file" --model "$dir/model.gguf" --threads "$threads" --seed "$seed"
    if test -z "$textless"; then
        set -- "$@" --train-sets "$train_source" "$train_target"
        test -z "$valid_source" || set -- "$@" --valid-sets "$valid_source" "$valid_target"
    fi
    set -- "$@" $corpus_options $scale_options
    if test -n "$updates"; then
        save=$((updates / 40 + 1)) show=$((updates < 100 ? updates : 100))
        set -- "$@" --after "${updates}u" --save-freq "${save}u" --disp-freq "${show}u"
    fi
    test "$options" = - || set -- "$@" $options
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

# translate: and how long it took, in processor seconds, which other programs do not stretch.
translate() {
    IFS=$end
    set -- $translating
    unset IFS
    set -- "$@" $decode_options --threads 1 --models "$dir/model.gguf" --input "$test_source" \
        --output "$dir/part"
    (
        "$DRAGOMAN" translate "$@" 2>> "$dir/log"
        result=$?
        times > "$dir/times"
        exit $result
    ) && mv "$dir/part" "$dir/output"
}

# gather: what the log tells of this row, as `name value` lines.
gather() {
    awk -v times="$dir/times" -v sentences="$sentences" '
    function seconds(text, part) { split(text, part, /[ms]/); return 60 * part[1] + part[2] }
    /^reproduce: / { at = 0 }
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
        while ((getline line < times) > 0) { count = split(line, part, " "); used = seconds(part[1]) + seconds(part[count]) }
        print "parameters", parameters ? parameters : "-"
        if (done) printf "pace %.2f\n", 100 * spent / done; else print "pace -"
        print "updates", updates ? updates : "-"
        if (used > 0) printf "speed %.1f\n", sentences / used; else print "speed -"
    }' "$dir/log" > "$dir/part" && mv "$dir/part" "$dir/facts"
}

# last_error: the message that ended a run.
last_error() {
    awk '/error:/ { line = $0 } END { sub(/.*error: /, "", line); gsub(/\t/, " ", line); print line ? line : "see its log" }' "$dir/log"
}

# run_row: leaves in $dir either `facts`, or `trouble` with the reason.
run_row() {
    mkdir -p "$dir" || exit 2
    tree_options "$trees"
    if test "$trees_given" != yes; then
        echo "waiting: $trees_given" > "$dir/trouble"
    elif ! test -f "$dir/trained" && ! { say "$name, seed $seed: training" && train; }; then
        echo "failed: $(last_error)" > "$dir/trouble"
    else
        : > "$dir/trained"
        if translate && gather; then
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
    tree_options "$trees"
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
