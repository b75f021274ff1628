# table.sh: what a .table file says: directives that hold for all its rows, the rows, the figures.

# directive NAME: what follows `@NAME` in the table; nothing where there is no such line.
directive() {
    awk -v name="@$1" '$1 == name { sub(/^[^ \t]+[ \t]*/, ""); print; exit }' "$table_file"
}

# has_directive NAME: whether there is a line `@NAME`.
has_directive() {
    awk -v name="@$1" '$1 == name { found = 1; exit } END { exit !found }' "$table_file"
}

# check_directives: a misspelt one would be overlooked.
check_directives() {
    awk -v file="$table_file" '
    /^[ \t]*@/ && $1 !~ /^@(recipe|decode|tiny|published|validation|figure)$/ {
        printf "%s:%d: unknown directive %s\n", file, NR, $1 > "/dev/stderr"
        exit 1
    }' "$table_file"
}

# rows: name, title, syntax, options, trees, published of each row, with tabs between.
rows() {
    awk -F '|' -v only="$only" -v file="$table_file" '
    BEGIN {
        count = split(only, list, ",")
        for (i = 1; i <= count; i++) wanted[list[i]] = 1
        trees = "^(-|training-target|training-both|(source|training)(:(gold|random|none|parser(=[a-z0-9-]+)?))?)$"
    }
    /^[ \t]*(#|@|$)/ { next }
    {
        if (NF != 6) { printf "%s:%d: %d fields; expected 6\n", file, NR, NF > "/dev/stderr"; bad = 1; exit }
        for (i = 1; i <= 6; i++) { gsub(/^[ \t]+|[ \t]+$/, "", $i); if ($i == "") $i = "-" }
        if ($1 ~ /[^a-z0-9-]/ || $1 in seen || $5 !~ trees) {
            printf "%s:%d: bad name or trees: %s, %s\n", file, NR, $1, $5 > "/dev/stderr"; bad = 1; exit
        }
        if ($2 in titled) { printf "%s:%d: two rows \"%s\"\n", file, NR, $2 > "/dev/stderr"; bad = 1; exit }
        seen[$1] = titled[$2] = 1
        some = 1
        if (only == "" || $1 in wanted)
            printf "%s\t%s\t%s\t%s\t%s\t%s\n", $1, $2, $3, $4, $5, $6
    }
    END {
        for (name in wanted)
            if (!bad && !(name in seen)) {
                printf "reproduce: error: --only: no row \"%s\" in %s\n", name, file > "/dev/stderr"
                bad = 1
            }
        if (!bad && !some) { printf "%s: no row\n", file > "/dev/stderr"; bad = 1 }
        exit bad
    }' "$table_file"
}

# figures: name, type, x, y, title, rows (or -) of each `@figure` line, with tabs between.
figures() {
    awk -v file="$table_file" -f "$here/reproduction/figure-lines.awk" "$table_file"
}

# list_tables: every table and figure of the papers, and what makes it or why nothing can.
list_tables() {
    awk -F '|' '
    /^[ \t]*(#|$)/ { next }
    NF == 1 { sub(/[ \t]+$/, ""); printf "%s%s\n", shown++ ? "\n" : "", $0; next }
    {
        for (i = 1; i <= NF; i++) gsub(/^[ \t]+|[ \t]+$/, "", $i)
        printf "  %-9s %-11s %s\n", $1, $2, $3
    }' "$here/tables/index"
}
