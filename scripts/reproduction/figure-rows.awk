# figure-rows.awk: the means of a table's rows as the CSV of a figure, along the titles of the rows (x = row)
# or along the value that they give an option: --NAME of train, or NAME of --syntax; NAME/NAME: one or the
# other. Rows without that option are the same everywhere: a flat line. Rows on standard input; rows: a file
# with the wanted ones; means: a file of name, column, mean, standard deviation.
BEGIN {
    while ((getline line < rows) > 0) { split(line, cell, "\t"); wanted[cell[1]] = 1 }
    while ((getline line < means) > 0) {
        split(line, cell, "\t")
        if (cell[2] != y) continue
        mean[cell[1]] = cell[3]
        sd[cell[1]] = cell[4] == "-" ? "" : cell[4]
    }
    option_count = split(x, option, "/")
    name_of_x = x
    sub(/^--/, "", name_of_x)
}

function quote(text) {
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

# The value of an option in a row, or nothing.
function value_of(option, syntax, options, count, word, i) {
    count = option ~ /^--/ ? split(options, word, " ") : split(syntax, word, /[(),+]/)
    for (i = 1; i <= count; i++) {
        if (option ~ /^--/ && word[i] == option) return word[i + 1]
        if (index(word[i], option "=") == 1) return substr(word[i], length(option) + 2)
    }
    return ""
}

function value(syntax, options, i, got) {
    for (i = 1; i <= option_count; i++) {
        got = value_of(option[i], syntax, options)
        if (got != "") return got
    }
    return ""
}

($1 in wanted) && ($1 in mean) {
    count++
    name[count] = $1
    at[count] = x == "row" ? $2 : value($3, $4)
    # The series of z = 25 and z = 50 is what stands before the comma.
    series[count] = $2
    sub(/,.*/, "", series[count])
    if (x != "row" && at[count] != "" && !(at[count] in known)) { known[at[count]] = 1; place[++places] = at[count] }
}

function put(place, i) {
    printf "%s,%s,%s,%s\n", (x == "row" ? quote(place) : place), mean[name[i]], sd[name[i]], quote(series[i])
}

END {
    print (x == "row" ? "row" : name_of_x) "," y ",sd," (x == "row" ? "series" : "row")
    for (i = 1; i <= count; i++) {
        if (at[i] != "") { put(at[i], i); continue }
        for (p = 1; p <= places; p++) put(place[p], i)
    }
}
