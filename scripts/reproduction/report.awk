# report.awk: the last step of reproduce: rows on standard input, what is known of them in files
# below `out`; writes out/TABLE.csv, out/TABLE.md and out/means. From the environment: the chosen rows, the
# conditions.
#
# A new number of a row is a word in `facts` of its folder (gather in row.sh) and one in `measured` here.
BEGIN {
    measured = "bleu valid_bleu parameters encoder pace speed updates uas_source uas_target"
    measures = split(measured, measure, " ")
    # What the CSV calls them, and their format in a mean.
    split("bleu valid_bleu parameters encoder seconds_per_100_updates sentences_per_second updates" \
        " uas_source uas_target", column, " ")
    split("%.2f %.2f %.0f %.0f %.2f %.1f %.0f %.2f %.2f", form, " ")
    seed_count = split(seeds, seed_of, " ")
    count = split(ENVIRON["chosen"], lines, "\n")
    for (i = 1; i <= count; i++) { split(lines[i], cell, "\t"); wanted[cell[1]] = 1 }
    read_scores(out "/scores", bleu, half, p)
    read_scores(out "/scores-valid", valid, unused, unused)
    csv = out "/" table ".csv"
    md = out "/" table ".md"
    means = out "/means"
    # Old columns first: what reads them by number goes on.
    print "row,title,syntax,options,seed,bleu,bleu_95,p,published,parameters,seconds_per_100_updates," \
        "sentences_per_second,updates,status,trees,encoder,bleu_sd,valid_bleu,valid_bleu_sd," \
        "uas_source,uas_target" > csv
    printf "" > means
    heading = heading == "" ? "published" : "published: " heading
    printf "# %s\n\n", table > md
    count = split(ENVIRON["conditions"], lines, "\n")
    for (i = 1; i <= count; i++) printf "- %s\n", lines[i] > md
    printf "- %d test sentences; p against `%s` of the same seed, 1,000 samples\n\n", sentences, baseline > md
    printf "| row | seed | BLEU | +/-95%% | p | %s%s | parameters | s/100 updates | sentences/s |%s\n",
        (validating ? "validation | " : ""), heading, (parsing ? " UAS source | UAS target |" : "") > md
    printf "|---|---|---|---|---|---|---|---|---|%s\n",
        (validating ? "---|" : "") (parsing ? "---|---|" : "") > md
}

function read_scores(file, score, half, p, line, cell) {
    while ((getline line < file) > 0) {
        split(line, cell, "\t")
        score[cell[2], cell[1]] = cell[3]; half[cell[2], cell[1]] = cell[4]; p[cell[2], cell[1]] = cell[5]
    }
    close(file)
}

function quote(text) {
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

# One line of both files: seed, +/-95%, p, status and the numbers in `fact`; spread: it is a mean.
function put(seed, half, p, status, spread, fact) {
    put_csv(seed, half, p, status, spread, fact)
    printf "| %s | %s | %s | %s | %s | %s%s | %s | %s | %s |%s\n", $2, seed,
        (status == "done" ? fact["bleu"] : status),
        (spread && n["bleu"] > 1 ? "sd " spread_of("bleu") : half), p,
        (validating ? fact["valid_bleu"] " | " : ""), $6,
        fact["parameters"], fact["pace"], fact["speed"],
        (parsing ? " " fact["uas_source"] " | " fact["uas_target"] " |" : "") > md
}

function put_csv(seed, half, p, status, spread, fact, line) {
    line = $1 "," quote($2) "," quote($3) "," quote($4) "," seed "," fact["bleu"] "," half "," p "," quote($6)
    line = line "," fact["parameters"] "," fact["pace"] "," fact["speed"] "," fact["updates"] "," quote(status)
    line = line "," $5 "," fact["encoder"] "," (spread ? spread_of("bleu") : "-")
    line = line "," fact["valid_bleu"] "," (spread ? spread_of("valid_bleu") : "-")
    print line "," fact["uas_source"] "," fact["uas_target"] > csv
}

# ---- mean and standard deviation over the seeds of a row -------------------------------------

function forget(m) {
    for (m = 1; m <= measures; m++) n[measure[m]] = sum[measure[m]] = squares[measure[m]] = 0
}

function add(name, value) {
    if (value !~ /^[0-9.]+$/) return
    n[name]++
    sum[name] += value
    # Squares of differences from the first value, lest large equal numbers seem to differ.
    if (n[name] == 1) first[name] = value
    shifted[name] = (n[name] == 1 ? 0 : shifted[name]) + value - first[name]
    squares[name] += (value - first[name]) * (value - first[name])
}

# Of the sample: the divisor is one less than the number of seeds.
function spread_of(name, variance) {
    if (n[name] < 2) return "-"
    variance = (squares[name] - shifted[name] * shifted[name] / n[name]) / (n[name] - 1)
    return sprintf("%.2f", variance > 0 ? sqrt(variance) : 0)
}

function put_mean(m, fact) {
    for (m = 1; m <= measures; m++)
        fact[measure[m]] = n[measure[m]] ? sprintf(form[m], sum[measure[m]] / n[measure[m]]) : "-"
    if (seed_count > 1)
        put("mean of " n["bleu"], "-", "-", "done", 1, fact)
    for (m = 1; m <= measures; m++)
        if (n[measure[m]])
            printf "%s\t%s\t%s\t%s\n", $1, column[m], fact[measure[m]], spread_of(measure[m]) > means
}

# ---- rows ------------------------------------------------------------------------------------

function put_seed(seed, folder, file, line, part, fact, m) {
    folder = out "/" $1 "/seed-" seed
    for (m = 1; m <= measures; m++) fact[measure[m]] = "-"
    if (($1, seed) in bleu) {
        file = folder "/facts"
        while ((getline line < file) > 0) { split(line, part, " "); fact[part[1]] = part[2] }
        close(file)
        fact["bleu"] = bleu[$1, seed]
        if (($1, seed) in valid) fact["valid_bleu"] = valid[$1, seed]
        for (m = 1; m <= measures; m++) add(measure[m], fact[measure[m]])
        put(seed, half[$1, seed], p[$1, seed], "done", 0, fact)
        return
    }
    file = folder "/trouble"
    line = "not begun"
    getline line < file
    close(file)
    put(seed, "-", "-", line, 0, fact)
}

{
    forget()
    for (s = 1; s <= seed_count; s++)
        if (($1 in wanted) || (($1, seed_of[s]) in bleu))
            put_seed(seed_of[s])
    if (n["bleu"] > 0)
        put_mean()
}
