# Every option of every command stands in the man page, in the section of its command, and the
# page has no section for a command that does not exist.
page=$SOURCE/doc/dragoman.1
"$DRAGOMAN" help --all-options > options || exit 1
test "$(wc -l < options)" -gt 50 || { echo "help --all-options lists too little"; exit 1; }
awk -F '\t' '
NR == FNR {
    line = $0
    gsub(/\\-/, "-", line)
    if (line ~ /^\.S[HS] /) {
        section = substr(line, 5)
        if (line ~ /^\.SS /)
            sections[section] = 1
        else if (line ~ /^\.SH OPTIONS OF EVERY/)
            section = ""
        else if (line ~ /^\.SH OPTIONS OF COMMANDS THAT COMPUTE/)
            section = "computes"
    }
    text[section] = text[section] line "\n"
    next
}
{
    commands[$1] = 1
    if ($2 ~ /^--(devices|gemm|precision|memory)$/)
        $1 = "computes"
    else if ($1 != "" && !($1 in sections)) {
        if (!told[$1]++)
            print "no section for the command: " $1
        next
    }
    if (index(text[$1], "\\fB" $2 "\\fR") == 0) {
        print "missing in the section of \"" $1 "\": " $2 " " $3
    } else if ($3 != "" && index(text[$1], "\\fB" $3 "\\fR, \\fB" $2 "\\fR") == 0) {
        print "wrong letter in the section of \"" $1 "\": expected " $3 ", " $2
    }
}
END {
    for (section in sections)
        if (section != "devices" && section != "completion" && !(section in commands))
            print "a section for no command: " section
}' "$page" options > bad
cat bad
test ! -s bad || exit 1
# The paragraph of an option names what it needs and what it does not go with.
awk -F '\t' '
NR == FNR {
    line = $0
    gsub(/\\-/, "-", line)
    if (line ~ /^\.(TP|SS|SH|PP)/)
        option = ""
    if (line ~ /^\.SS /)
        section = substr(line, 5)
    if (is_head && match(line, /--[a-z0-9-]+/))
        option = substr(line, RSTART, RLENGTH)
    is_head = line ~ /^\.TP/
    text[section, option] = text[section, option] line "\n"
    next
}
{
    rules = $6 "; " $7
    gsub(/,[^;]*|[!~;]/, "", rules)
    count = split(rules, names, " ")
    for (i = 1; i <= count; i++) {
        sub(/=.*/, "", names[i])
        if (index(text[$1, $2], "--" names[i]) == 0)
            print "section \"" $1 "\", " $2 ": expected --" names[i] ", as its row says"
    }
}' "$page" options > bad
cat bad
test ! -s bad || exit 1
# A command that trains has the sections of its help, and in each the same options; --devices and --config stand with those of all.
for command in train train-parser; do
    "$DRAGOMAN" help $command | sed -n '/^Options of commands that compute:$/q
        s/^\([A-Z][^:]*\):$/\1/p; s/^  [- ][a-z ][, ] --\(\[no-\]\)*\([a-z0-9-]*\).*/--\2/p' |
        grep -v -x -e --devices -e --config > wanted
    sed 's/\\-/-/g' "$page" | awk -v command=$command '
        /^\.SS / { is_here = $2 == command }
        is_here && /^\\fI[A-Z][^\\]*\\fR$/ { print substr($0, 4, length($0) - 6) }
        is_here && is_head && match($0, /--[a-z0-9-]+/) { print substr($0, RSTART, RLENGTH) }
        { is_head = /^\.TP/ }' | sed 's/^--no-resume$/--resume/; s/^--no-lock$/--lock/' > found
    diff wanted found || { echo "other sections or options of $command"; exit 1; }
done
for name in SYNOPSIS 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
    grep -q "^\.SH $name" "$page" || { echo "no section $name"; exit 1; }
done
