# figure-table.awk: the CSV of a figure with groups (x, y, sd, "row") as a Markdown table: a line for each
# row, a column for each group. Groups have no commas; titles may.
NR == 1 { split($0, head, ","); next }
{
    match($0, /"/)
    count = split(substr($0, 1, RSTART - 2), cell, ",")
    title = substr($0, RSTART + 1, length($0) - RSTART - 1)
    gsub(/""/, "\"", title)
    if (!(title in seen)) { seen[title] = 1; row[++rows] = title }
    if (!(cell[1] in known)) { known[cell[1]] = 1; group[++groups] = cell[1] }
    value[title, cell[1]] = cell[2] (cell[3] == "" ? "" : " (sd " cell[3] ")")
}
END {
    printf "\n| %s |", head[1]
    for (g = 1; g <= groups; g++) printf " %s |", group[g]
    printf "\n|---|"
    for (g = 1; g <= groups; g++) printf "---|"
    print ""
    for (r = 1; r <= rows; r++) {
        printf "| %s |", row[r]
        for (g = 1; g <= groups; g++)
            printf " %s |", ((row[r], group[g]) in value ? value[row[r], group[g]] : "-")
        print ""
    }
}
