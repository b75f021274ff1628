# rules.sh: every rule of every row of every command, as `help --all-options` lists them: what an option needs, typed without it,
# and what it excludes, typed beside it, is refused with one message, before any file is touched; given what it needs, the option
# is not refused for that. rules.out has the messages. And help that names another option has a rule about it, or says why not.
. "$SOURCE/tests/support/shell/lib.sh"
test -z "$TARGET_EXEC" || skip "the program is run by a script here"
"$DRAGOMAN" help --all-options > options || exit 1

# Lines "alone|with TAB command TAB option TAB arguments" for each clause. Values of the right kind that are no defaults; names of
# files that are not there, each another one, since no file may be read and written.
awk -F '\t' '
function value(option, type, choices,    list, count) {
    count = split(choices, list, "|")
    if (type == "flag") return ""
    if (option == "--transformer-norm") return "post"
    if (type == "choice" || type == "choices") return list[count]
    if (type ~ /^int/) return "7"
    if (type ~ /^real/) return "0.5"
    if (type == "length") return "5u"
    if (type == "bytes") return "1M"
    return "no" option
}
function given(command, option) {
    return option " " value(option, kind[command, option], choices[command, option])
}
# A value of the option that is not among `wanted`; or nothing, where it has others unless it is given.
function other(command, option, wanted,    list, count, i) {
    count = split(choices[command, option], list, "|")
    for (i = 1; i <= count; i++)
        if (index("|" wanted "|", "|" list[i] "|") == 0)
            return option " " list[i]
    return ""
}
function partner(text,    parts) {
    split(text, parts, "=")
    name = "--" parts[1]
    wanted = parts[2]
}
function clauses(command, option, column, is_needed,    list, count, i, names, many, k, first) {
    count = split(column, list, "; ")
    for (i = 1; i <= count; i++) {
        sub(/^[!~]*/, "", list[i])
        sub(/,.*/, "", list[i])
        many = split(list[i], names, " ")
        for (k = 1; k <= many; k++) {
            partner(names[k])
            if (!((command, name) in kind)) {
                print command " " option ": no option " name > "/dev/stderr"
                exit 1
            }
            split(wanted, first, "|")
            with = wanted != "" ? name " " first[1] : given(command, name)
            without = wanted != "" ? other(command, name, wanted) : ""
            if (is_needed && k == 1)
                print "refused\t" command "\t" option "\t" given(command, option) " " without
            print (is_needed ? "passes" : "refused") "\t" command "\t" option "\t" given(command, option) " " with
        }
    }
}
NR == FNR {
    kind[$1, $2] = $4
    choices[$1, $2] = $5
    next
}
{
    clauses($1, $2, $6, 1)
    clauses($1, $2, $7, 0)
}' options options > cases || exit 1
test "$(wc -l < cases)" -gt 90 || { echo "few cases: $(wc -l < cases)"; exit 1; }

mkdir empty
cd empty
while read -r line; do
    IFS='	' read -r what command option arguments << END
$line
END
    case $command in clean | split) argument=notext ;; parse-eval) argument='notext notree' ;; *) argument= ;; esac
    rc=0
    "$DRAGOMAN" $command $argument $arguments < /dev/null > ../result 2> ../err || rc=$?
    said=$(head -n 1 ../err)
    if test $what = refused; then
        echo "$command: ${said#dragoman: error: }"
        test $rc = 2 && test "$(wc -l < ../err)" = 1 || echo "exit code $rc: $(cat ../err)"
        case $said in "dragoman: error: $option "*) ;; *) echo "not about $option: $arguments" ;; esac
    else
        case $said in
            "dragoman: error: $option goes with "* | "dragoman: error: $option with --"*) echo "$command $arguments: $said" ;;
        esac
    fi
    test -z "$(ls -A)" || { echo "$command $arguments: files:"; ls -A; rm -rf ./*; }
done < ../cases | LC_ALL=C sort # rows may move in their tables
cd ..

# Options that the help of another one names although there is no rule between them: the sentence compares, or points on.
cat > without << 'END'
clean --output --trees
devices --explain --devices
devices --tune --devices
rescore --line-tags --tag
score --baseline --input
score --paired-ar --input
score --paired-bs --input
score --read-scores --input
score --runs --input
score --ter-asian-support --ter-normalized
split --train --dev
split --train --test
split --train --trees
spm train --output --vocab-size
train --allow-missing-checkpoints --average
train --batch-tokens --memory
train --init-partial --init
train --keep-last --average
train --link --ranks
train --optimizer --lr
train --overwrite --model
train --ranks --dry-run
train --tokenize --spm
train --train-cache --shuffle-memory
train --vocab-type --dim-vocabs
train --vocabs --init
train-parser --allow-missing-checkpoints --average
train-parser --batch-tokens --memory
train-parser --keep-last --average
train-parser --link --ranks
train-parser --optimizer --lr
train-parser --overwrite --model
train-parser --ranks --dry-run
train-parser --treebanks --train-sets
train-parser --valid-metrics --columns
train-parser --valid-treebanks --valid-sets
translate --line-tags --tag
vectors train --min-freq --vocab-size
END
cut -f 1 options | sort -u | while read -r command; do
    test -z "$command" || "$DRAGOMAN" help $command | awk -v command="$command" '
        /^  [- ][a-z ][, ] --/ {
            sub(/^ +(-[a-z], )?/, "")
            option = $1
            sub(/\[no-\]/, "", option)
            sub(/^[^ ]+/, "")
        }
        /^ / && option != "" {
            for (; match($0, /--[a-z][a-z-]+/); $0 = substr($0, RSTART + RLENGTH))
                print command "\t" option "\t" substr($0, RSTART, RLENGTH)
        }'
done | sort -u > mentions
awk -F '\t' '
FILENAME == "without" {
    without[$0] = 1
    next
}
FILENAME == "options" {
    known[$1, $2] = 1
    rules = $6 "; " $7
    gsub(/,[^;]*|[!~;]/, "", rules)
    count = split(rules, names, " ")
    for (i = 1; i <= count; i++) {
        sub(/=.*/, "", names[i])
        ruled[$1, $2, "--" names[i]] = ruled[$1, "--" names[i], $2] = 1
    }
    next
}
$2 != $3 && (($1, $3) in known) && !(($1, $2, $3) in ruled) {
    line = $1 " " $2 " " $3
    if (line in without)
        delete without[line]
    else
        print line ": help names it, and there is no rule"
}
END {
    for (line in without)
        print line ": no help names it"
}' without options mentions
