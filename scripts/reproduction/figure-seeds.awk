# figure-seeds.awk: lines `x name seed value` as the CSV of a figure: x, the mean over seeds, its standard
# deviation, the row's title. x, y: names of columns; rows: a file of names and titles; y = more: the
# difference from the first row with the same seed.
BEGIN {
    while ((getline line < rows) > 0) {
        split(line, cell, "\t")
        name[++row_count] = cell[1]
        title[cell[1]] = cell[2]
    }
}

{
    if (!($1 in known)) { known[$1] = 1; group[++group_count] = $1 }
    value[$1, $2, $3] = $4
    if (!($3 in seen)) { seen[$3] = 1; seed[++seed_count] = $3 }
}

function quote(text) {
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

# The value of a group, row and seed, in `got`; whether it is known.
function look(g, r, s) {
    if (!((group[g], name[r], seed[s]) in value)) return 0
    got = value[group[g], name[r], seed[s]]
    if (y != "more") return 1
    if (!((group[g], name[1], seed[s]) in value)) return 0
    got -= value[group[g], name[1], seed[s]]
    return 1
}

function put(g, r, s, n, sum, squares, mean) {
    n = sum = squares = 0
    for (s = 1; s <= seed_count; s++)
        if (look(g, r, s)) { n++; sum += got }
    if (n == 0) return
    mean = sum / n
    for (s = 1; s <= seed_count; s++)
        if (look(g, r, s)) squares += (got - mean) * (got - mean)
    printf "%s,%.4g,%s,%s\n", group[g], mean, (n > 1 ? sprintf("%.3g", sqrt(squares / (n - 1))) : ""),
        quote(title[name[r]])
}

# Groups come in the order of their first run, which may lack some: those that are numbers, or begin with
# one, are sorted by it.
function sort_groups(i, j, held) {
    for (i = 2; i <= group_count; i++) {
        held = group[i]
        for (j = i - 1; j >= 1 && place(group[j]) > place(held); j--) group[j + 1] = group[j]
        group[j + 1] = held
    }
}

function place(text) {
    if (text == "all") return 1e9
    if (text ~ /^[0-9]/) return text + 0
    if (match(text, /[0-9]+/)) return 1e8 + substr(text, RSTART)
    return 2e9
}

END {
    sort_groups()
    print x "," y ",sd,row"
    for (r = 1; r <= row_count; r++)
        for (g = 1; g <= group_count; g++)
            if (y != "more" || r > 1)
                put(g, r)
}
