# recipes.sh: `train` takes every recipe, and every row of every table of scripts/tables.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 60 --dev 10 --test 10
: > wrong

# judge NAME MESSAGE
judge() { echo "$1: $2" >> wrong; }

for file in "$SOURCE"/corpora/recipes/*.conf; do
    name=${file##*/}
    case $name in
    parser-*)
        set -- train-parser --train-sets data/train.en.conllu --valid-sets data/dev.en.conllu ;;
    *)
        set -- train --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de \
            --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu
        case $name in dbsa.conf)
            set -- "$@" --train-target-trees data/train.de.conllu ;;
        esac
        # The baseline stays within reach.
        "$DRAGOMAN" train --config "$file" --dry-run --tokenize none --syntax none --train-sets data/train.en \
            data/train.de --valid-sets data/dev.en data/dev.de 2> err || judge "$name, plain" "$(tail -n 1 err)"
        set -- "$@" --tokenize none ;;
    esac
    command=$1
    shift
    "$DRAGOMAN" "$command" --config "$file" --dry-run "$@" 2> err || judge "$name" "$(tail -n 1 err)"
done

# Sentences of 80 words are the longest of Deps-SAN's paper; words that occur 5 times the rarest of DBSA's without BPE.
awk 'BEGIN { for (n = 79; n <= 82; n++) { for (i = 0; i < n; i++) printf "w "; print "" } }' > long
for recipe in deps-iwslt deps-iwslt-fork deps-wmt; do
    cp long other
    "$DRAGOMAN" train --config "$SOURCE/corpora/recipes/$recipe.conf" --dry-run --tokenize none --syntax none \
        --train-sets long other 2> err
    grep -q '4 pairs read, 2 used, 0 blank, 2 longer' err || judge "$recipe, 80 words" "$(tail -n 1 err)"
done
awk -F '|' '!/^[#@]/ && $4 !~ /--min-freq 5/ { print $1 }' "$SOURCE/scripts/tables/dbsa-3.table" > rare
test ! -s rare || judge dbsa-3 "words that occur once: $(cat rare)"

tables=0 rows=0
for file in "$SOURCE"/scripts/tables/*.table; do
    table=${file##*/} table=${table%.table}
    tables=$((tables + 1))
    sh "$SOURCE/scripts/reproduce" "$table" --corpus demo --data data --dry-run --out "out-$table" > got 2> err
    test -s got || echo "$table: $(cat err)" >> wrong
    rows=$((rows + $(wc -l < got)))
    while read -r row state message; do
        # Rows of a parser of their own wait for it: the built-in corpus has gold trees.
        case $state$message in *'waiting:'*'--parser second=FILE' | *'waiting:'*'--parser third=FILE') continue ;; esac
        case $table$state$message in sgsa-3*'--parser FILE') continue ;; esac
        test "$state" = ok: || judge "$table, $row" "$message"
    done < got
    # Its recipe and its way of decoding.
    recipe=$(awk '$1 == "@recipe" { print $2 }' "$file")
    test -f "$SOURCE/corpora/recipes/$recipe" || echo "$table: no recipe $recipe" >> wrong
    "$DRAGOMAN" translate $(awk '$1 == "@decode" { $1 = ""; print }' "$file") --dump-config > log 2> err ||
        echo "$table: @decode: $(cat err)" >> wrong
done
# The index names every table, and none that is not there; files that it names are figures of their tables.
sh "$SOURCE/scripts/reproduce" --list > index || judge index "reproduce --list: $?"
awk -F '|' '!/^#/ && NF == 3 { gsub(/ /, "", $2); if ($2 != "-") print $2 }' "$SOURCE/scripts/tables/index" |
    sort -u > named
ls "$SOURCE/scripts/tables" | sed -n 's/\.table$//p' | sort > there
diff named there > log || judge index "names and tables differ: $(cat log)"
while read -r table; do
    grep -q " $table  *[^ ]" index || judge index "reproduce --list does not show $table"
done < there
awk -F '|' '!/^#/ && NF == 3 {
    gsub(/ /, "", $2)
    while (match($3, /figures\/[a-z0-9-]*\.svg/)) {
        print $2, substr($3, RSTART + 8, RLENGTH - 12)
        $3 = substr($3, RSTART + RLENGTH)
    }
}' "$SOURCE/scripts/tables/index" > figures
while read -r table figure; do
    grep -q "^@figure *$figure *|" "$SOURCE/scripts/tables/$table.table" || judge index "$table has no figure $figure"
done < figures
test "$(wc -l < figures)" -ge 10 || judge index "few figures: $(wc -l < figures)"
cat wrong >&2
test ! -s wrong || exit 1
test $tables -ge 22 && test $rows -ge 170 || { echo "$tables tables, $rows rows" >&2; exit 1; }
