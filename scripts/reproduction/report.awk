# report.awk: the last step of reproduce: rows on standard input, what is known of them in files
# below `out`; writes out/TABLE.csv and out/TABLE.md. From the environment: the chosen rows, the conditions.
BEGIN {
    seed_count = split(seeds, seed_of, " ")
    count = split(ENVIRON["chosen"], lines, "\n")
    for (i = 1; i <= count; i++) { split(lines[i], cell, "\t"); wanted[cell[1]] = 1 }
    file = out "/scores"
    while ((getline line < file) > 0) {
        split(line, cell, "\t")
        bleu[cell[2], cell[1]] = cell[3]; half[cell[2], cell[1]] = cell[4]; p[cell[2], cell[1]] = cell[5]
    }
    close(file)
    csv = out "/" table ".csv"
    md = out "/" table ".md"
    print "row,title,syntax,options,seed,bleu,bleu_95,p,published,parameters,seconds_per_100_updates,sentences_per_second,updates,status" > csv
    heading = heading == "" ? "published" : "published: " heading
    printf "# %s\n\n", table > md
    count = split(ENVIRON["conditions"], lines, "\n")
    for (i = 1; i <= count; i++) printf "- %s\n", lines[i] > md
    printf "- %d test sentences; p against `%s` of the same seed, 1,000 samples\n\n", sentences, baseline > md
    print "| row | seed | BLEU | +/-95% | p | " heading " | parameters | s/100 updates | sentences/s |" > md
    print "|---|---|---|---|---|---|---|---|---|" > md
}

function quote(text) {
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

function put(seed, bleu, half, p, parameters, pace, speed, updates, status) {
    printf "%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s\n", $1, quote($2), quote($3), quote($4), seed, bleu, half, p,
        quote($6), parameters, pace, speed, updates, quote(status) > csv
    if (status != "done")
        bleu = status
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $2, seed, bleu, half, p, $6, parameters, pace, speed > md
}

function put_seed(seed, folder, file, line, part, fact) {
    folder = out "/" $1 "/seed-" seed
    fact["parameters"] = fact["pace"] = fact["speed"] = fact["updates"] = "-"
    if (($1, seed) in bleu) {
        file = folder "/facts"
        while ((getline line < file) > 0) { split(line, part, " "); fact[part[1]] = part[2] }
        close(file)
        put(seed, bleu[$1, seed], half[$1, seed], p[$1, seed], fact["parameters"], fact["pace"], fact["speed"],
            fact["updates"], "done")
        found++
        total += bleu[$1, seed]; paces += fact["pace"]; speeds += fact["speed"]
        parameters = fact["parameters"]; updates = fact["updates"]
        return
    }
    file = folder "/trouble"
    line = "not begun"
    getline line < file
    close(file)
    put(seed, "-", "-", "-", "-", "-", "-", "-", line)
}

{
    found = total = paces = speeds = 0
    for (s = 1; s <= seed_count; s++)
        if (($1 in wanted) || (($1, seed_of[s]) in bleu))
            put_seed(seed_of[s])
    if (seed_count > 1 && found > 0)
        put("mean of " found, sprintf("%.2f", total / found), "-", "-", parameters, sprintf("%.2f", paces / found),
            sprintf("%.1f", speeds / found), updates, "done")
}
