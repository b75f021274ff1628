# glue-punctuation.awk: CoNLL-U whose text has blanks around all punctuation, as UD German-HDT has it, becomes what print
# would have: no blank before , . : ; ? ! ) and closing quotes, none behind ( and opening ones. A tokenizer that learns from
# such a treebank (train-parser --tokenizer) learns to cut text as people write it.
#
#   awk -f scripts/glue-punctuation.awk hdt.conllu > glued.conllu
BEGIN { FS = OFS = "\t"; RS = "" }

# no_space AT: no blank follows the token of this row.
function no_space(at, field, count, i) {
    count = split(row[at], field, "\t")
    if (field[10] ~ /SpaceAfter=No/) return
    field[10] = (field[10] == "_" ? "" : field[10] "|") "SpaceAfter=No"
    row[at] = field[1]
    for (i = 2; i <= count; i++) row[at] = row[at] "\t" field[i]
}

{
    rows = split($0, row, "\n")
    # Tokens of the text: words, and ranges in place of their words.
    tokens = last = 0
    for (r = 1; r <= rows; r++) {
        split(row[r], field, "\t")
        if (row[r] ~ /^#/ || field[1] ~ /\./) continue
        if (field[1] ~ /-/) { split(field[1], range, "-"); last = range[2] } else if (field[1] + 0 <= last) continue
        line[++tokens] = r
        form[tokens] = field[2]
        glued[tokens] = 0
    }
    is_open = 0
    for (t = 1; t <= tokens; t++) {
        if (form[t] ~ /^[,.:;?!)]$/ && t > 1) glued[t - 1] = 1
        if (form[t] == "(") glued[t] = 1
        if (form[t] == "\"") {
            if (!is_open) glued[t] = 1
            else if (t > 1) glued[t - 1] = 1
            is_open = !is_open
        }
    }
    text = ""
    for (t = 1; t <= tokens; t++) {
        text = text form[t] (glued[t] || t == tokens ? "" : " ")
        if (glued[t]) no_space(line[t])
    }
    for (r = 1; r <= rows; r++) {
        if (row[r] ~ /^# text = /) row[r] = "# text = " text
        print row[r]
    }
    print ""
}
