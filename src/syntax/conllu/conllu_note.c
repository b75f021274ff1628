/*
 * conllu_note.c: how the CoNLL-U reader reports a fault: error or warning, and its place.
 */
#include "syntax/conllu/conllu_part.h"
#include "text/unicode/utf8.h"

static const char *const fault_code[] = {
#define FAULT_CODE(name, code, breaks) code,
    DGM_CONLLU_FAULT_LIST(FAULT_CODE)
};

static const unsigned char fault_breaks[] = {
#define FAULT_BREAKS(name, code, breaks) breaks,
    DGM_CONLLU_FAULT_LIST(FAULT_BREAKS)
};

void dgm_conllu_warn(struct dgm_env *env, struct dgm_conllu_reader *reader,
                     enum dgm_conllu_fault fault, long line)
{
    unsigned bit = 1u << (unsigned)fault;
    const char *effect = fault_breaks[fault] ? "; the sentence goes on without a parse" : "";

    if (reader->warned & bit)
        return;
    reader->warned |= bit;
    dgm_log(env, DGM_LOG_WARNING, "%s:%ld: %s [%s]%s (reported once)", reader->lines.path, line,
            reader->note, fault_code[fault], effect);
}

dgm_status dgm_conllu_complain(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               enum dgm_conllu_fault fault, long line, long column)
{
    if (!reader->options.lenient)
        return dgm_fail_at(env, DGM_DATA, reader->lines.path, line, column, "%s [%s]", reader->note,
                           fault_code[fault]);
    reader->broken |= fault_breaks[fault];
    dgm_conllu_warn(env, reader, fault, line);
    return DGM_OK;
}

/* The NULs that end the fields count as the tabs they were. */
long dgm_conllu_place(const struct dgm_conllu_sentence *sentence, const struct dgm_conllu_row *row,
                      enum dgm_conllu_column column)
{
    const char *line = sentence->bytes.data + row->start;

    return (long)dgm_utf8_length(line, row->field[column] - row->start) + 1;
}

const char *dgm_conllu_row_text(const struct dgm_conllu_sentence *sentence,
                                const struct dgm_conllu_row *row, enum dgm_conllu_column column)
{
    return sentence->bytes.data + row->field[column];
}
