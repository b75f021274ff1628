/*
 * convert_mend.c: what a sentence of a treebank is written as where options have let it pass.
 */
#include "api/convert/convert_mend.h"

#include <stdio.h>
#include <string.h>

static dgm_status set_field(struct dgm_env *env, struct dgm_conllu_sentence *sentence,
                            struct dgm_conllu_row *row, enum dgm_conllu_column column,
                            const char *text)
{
    uint32_t at = (uint32_t)sentence->bytes.size;
    /* A few numbers behind what the reader has held to its own limit. */
    sentence->bytes.limit = 32 * DGM_CONLLU_MAX_BYTES;
    DGM_TRY(dgm_buf_add(env, &sentence->bytes, text, strlen(text) + 1));
    row->field[column] = at;
    return DGM_OK;
}

/* CRs at the end of a line (CR CR LF) are read as part of MISC; written before an LF, one would
 * vanish when read again. */
static dgm_status cut_returns(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    size_t i;
    for (i = 0; i < sentence->row_count; i++) {
        struct dgm_conllu_row *row = &sentence->rows[i];
        char *misc = sentence->bytes.data + row->field[DGM_CONLLU_MISC];
        size_t length = strlen(misc);
        if (length == 0 || misc[length - 1] != '\r')
            continue;
        while (length > 0 && misc[length - 1] == '\r')
            misc[--length] = '\0';
        if (length == 0)
            DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_MISC, "_"));
    }
    return DGM_OK;
}

/* Heads that are not those of the file were moved by the policy for several roots; `root` is a
 * relation of no other word. */
static dgm_status write_heads(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    const struct dgm_tree *tree = &sentence->tree;
    char head[16];
    int32_t word;
    for (word = 0; word < tree->count; word++) {
        struct dgm_conllu_row *row = &sentence->rows[sentence->words[word]];
        if (tree->head[word] == word ||
            strcmp(dgm_conllu_field(sentence, word, DGM_CONLLU_HEAD), "0") != 0)
            continue;
        snprintf(head, sizeof head, "%ld", (long)tree->head[word] + 1);
        DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_HEAD, head));
        if (strcmp(dgm_conllu_field(sentence, word, DGM_CONLLU_DEPREL), "root") == 0)
            DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_DEPREL, "dep"));
    }
    return DGM_OK;
}

/* Leaves the words of a sentence with faults: counted anew, no tree, no column empty. */
static dgm_status keep_words(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    char id[16];
    int32_t word;
    int column;
    for (word = 0; word < sentence->tree.count; word++) {
        struct dgm_conllu_row *row = &sentence->rows[word];
        *row = sentence->rows[sentence->words[word]];
        sentence->words[word] = (uint32_t)word;
        for (column = DGM_CONLLU_FORM; column < DGM_CONLLU_COLUMNS; column++)
            if (sentence->bytes.data[row->field[column]] == '\0' ||
                (column >= DGM_CONLLU_HEAD && column <= DGM_CONLLU_DEPS))
                DGM_TRY(set_field(env, sentence, row, (enum dgm_conllu_column)column, "_"));
        snprintf(id, sizeof id, "%ld", (long)word + 1);
        DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_ID, id));
    }
    sentence->row_count = (size_t)sentence->tree.count;
    return DGM_OK;
}

dgm_status dgm_convert_mend(struct dgm_env *env, struct dgm_conllu_sentence *sentence, int broken)
{
    DGM_TRY(cut_returns(env, sentence));
    if (sentence->tree.has_parse)
        return write_heads(env, sentence);
    return broken ? keep_words(env, sentence) : DGM_OK;
}
