#!/bin/sh
# fuzz.sh [TARGET...]: libFuzzer on these targets, or on all, from the corpora in tests/fuzz/corpus
# and what earlier runs found (out/corpus): FUZZ_SECONDS (60) each, JOBS (all processors) at a time.
# In a build that has them (make fuzz). Ends with one line: N passed, N failed.
top=$(cd "$srcdir" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' 0
trap 'exit 130' 1 2 15
. "$top/scripts/share-tests.sh"
passed=0 failed=0 skipped=0 V=''
test $# -gt 0 || set -- $(ls "$top"/tests/fuzz/fuzz_*.c | sed 's|.*/fuzz_||; s|\.c$||')

# fuzz_one NAME: a finding stays in out/found, to be repeated and put into the corpus.
fuzz_one() {
    mkdir -p "out/corpus/$1" out/found
    out/tests/fuzz/fuzz_$1-libfuzzer -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 \
        -rss_limit_mb=2048 -artifact_prefix="out/found/$1-" -print_final_stats=1 $FUZZ_FLAGS \
        "out/corpus/$1" $(ls -d "$top/tests/fuzz/corpus/$1" 2> /dev/null) > "$scratch/$1.log" 2>&1
}

inputs() { sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/$1.log"; }

# run_fuzz FOLDER JOB: the targets of one job.
run_fuzz() {
    folder=$1 job=$2 passed=0 failed=0
    shift 2
    for name in $targets; do
        mkdir "$folder/taken/$name" 2> /dev/null || continue
        if fuzz_one "$name"; then
            passed=$((passed + 1))
            echo "fuzz/$name: $(inputs "$name") inputs"
        else
            failed=$((failed + 1))
            echo "not ok - fuzz/$name"
            tail -n 40 "$scratch/$name.log" | sed 's/^/#   /'
            echo "#   again: make fuzz F=$name"
        fi
    done
    echo "$passed $failed 0" > "$folder/$job.counts"
    test $failed = 0
}

targets="$*"
share run_fuzz
echo "$passed passed, $failed failed"
test $failed = 0
