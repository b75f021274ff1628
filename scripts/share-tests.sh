# share-tests.sh: sourced by scripts that run tests: shares them out among JOBS processes (all
# processors). Each takes the next test that nobody has taken. From the script: $scratch, V,
# TARGET_EXEC, runner (the unit tests), and the counts passed, failed, skipped, which are added to.
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)}

# add_up FOLDER: prints what the jobs of a folder wrote, and adds their counts. A job that ended
# without counts, or badly without a failed test, counts as a failure.
add_up() {
    job=0
    while test $job -lt "$jobs"; do
        job=$((job + 1))
        cat "$1/$job.out"
        read -r p f s < "$1/$job.counts" || p=0 f=1 s=0
        read -r rc < "$1/$job.rc" || rc=1
        test "$rc" = 0 || test "$f" != 0 || f=1
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    done
}

# share COMMAND...: runs `COMMAND FOLDER JOB` once for each job, all at the same time.
share() {
    share=$scratch/share job=0
    rm -rf "$share"
    mkdir -p "$share/taken"
    while test $job -lt "$jobs"; do
        job=$((job + 1))
        (
            "$@" "$share" $job > "$share/$job.out" 2>&1
            echo $? > "$share/$job.rc"
        ) &
    done
    wait
    add_up "$share"
}

# run_unit FOLDER JOB: the unit tests of one job; $unit_options choose them, one word each. They count themselves what
# they leave behind: that LeakSanitizer looks for it, too, at the end of each takes as long as the tests.
run_unit() {
    ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} \
        $TARGET_EXEC $runner ${V:+-v} -s "$1/taken" -c "$1/$2.counts" $unit_options
}
