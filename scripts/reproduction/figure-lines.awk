# figure-lines.awk: the `@figure` lines of a table as name, type, x, y, title, rows (or -), with tabs between;
# 1, and what is wrong with the first bad one, where nothing could be drawn. figures.sh says what they mean.
function complain(line, text) {
    printf "%s:%d: %s\n", file, line, text > "/dev/stderr"
    bad = 1
    exit 1
}

BEGIN {
    columns = " bleu valid_bleu parameters encoder seconds_per_100_updates sentences_per_second updates " \
        "uas_source uas_target "
    known["row"] = columns
    known["words"] = " bleu valid_bleu more "
    known["repeated"] = " lines valid_lines "
}

$1 == "@figure" {
    sub(/^[ \t]*@figure[ \t]*/, "")
    count = split($0, cell, "|")
    if (count != 5 && count != 6) complain(NR, count " fields of @figure; expected 5 or 6")
    for (i = 1; i <= count; i++) gsub(/^[ \t]+|[ \t]+$/, "", cell[i])
    if (cell[1] ~ /[^a-z0-9-]/ || cell[1] == "" || cell[1] in seen) complain(NR, "bad name of a figure: " cell[1])
    if (cell[2] != "bars" && cell[2] != "lines")
        complain(NR, "type of a figure: expected bars or lines, got " cell[2])
    if (cell[3] == "" || cell[4] == "" || cell[5] == "") complain(NR, "a figure needs x, y and a title")
    seen[cell[1]] = 1
    list = count == 6 ? cell[6] : ""
    gsub(/[ \t]/, "", list)
    figures++
    line_of[figures] = NR; x[figures] = cell[3]; y[figures] = cell[4]; rows_of[figures] = list
    text[figures] = cell[1] "\t" cell[2] "\t" cell[3] "\t" cell[4] "\t" cell[5] "\t" (list == "" ? "-" : list)
    next
}

/^[ \t]*(#|@|$)/ { next }

{
    split($0, cell, "|")
    gsub(/[ \t]/, "", cell[1])
    row[cell[1]] = 1
    settings = settings " " cell[3] " " cell[4] " "
}

# Whether some row gives the option: --NAME of train, or NAME of --syntax; NAME/NAME: one of them.
function is_given(options, part, count, i) {
    count = split(options, part, "/")
    for (i = 1; i <= count; i++)
        if (part[i] ~ /^(--)?[a-z][a-z0-9_-]*$/ &&
            settings ~ (part[i] ~ /^--/ ? " " part[i] "[ =]" : "[(,]" part[i] "="))
            return 1
    return 0
}

function check(f, kind, part, count, i) {
    kind = x[f]
    if (kind ~ /^words:[1-9][0-9]*$/) kind = "words"
    if (kind != "layer" && kind != "update") {
        if (!(kind in known) && !is_given(kind)) complain(line_of[f], "no row gives the option " kind)
        if (index(kind in known ? known[kind] : columns, " " y[f] " ") == 0)
            complain(line_of[f], "a figure along " kind " has no " y[f])
    }
    count = split(rows_of[f], part, ",")
    for (i = 1; i <= count; i++)
        if (!(part[i] in row)) complain(line_of[f], "no row " part[i])
}

END {
    for (f = 1; f <= figures && !bad; f++) check(f)
    for (f = 1; f <= figures && !bad; f++) print text[f]
    exit bad
}
