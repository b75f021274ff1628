# table.sh: what a .table file says: directives that hold for all its rows, and the rows.

# directive NAME: what follows `@NAME` in the table.
directive() {
    awk -v name="@$1" '$1 == name { sub(/^[^ \t]+[ \t]+/, ""); print; exit }' "$table_file"
}

# rows: name, title, syntax, options, trees, published of each row, with tabs between.
rows() {
    awk -F '|' -v only="$only" -v file="$table_file" '
    BEGIN { count = split(only, list, ","); for (i = 1; i <= count; i++) wanted[list[i]] = 1 }
    /^[ \t]*(#|@|$)/ { next }
    {
        if (NF != 6) { printf "%s:%d: %d fields; expected 6\n", file, NR, NF > "/dev/stderr"; bad = 1; exit }
        for (i = 1; i <= 6; i++) { gsub(/^[ \t]+|[ \t]+$/, "", $i); if ($i == "") $i = "-" }
        if ($1 ~ /[^a-z0-9-]/ || $1 in seen || $5 !~ /^(-|source|training|training-target|training-both)$/) {
            printf "%s:%d: bad name or trees: %s, %s\n", file, NR, $1, $5 > "/dev/stderr"; bad = 1; exit
        }
        seen[$1] = 1
        if (only == "" || $1 in wanted)
            printf "%s\t%s\t%s\t%s\t%s\t%s\n", $1, $2, $3, $4, $5, $6
    }
    END {
        for (name in wanted)
            if (!bad && !(name in seen)) { printf "no row \"%s\" in %s\n", name, file > "/dev/stderr"; bad = 1 }
        exit bad
    }' "$table_file"
}
