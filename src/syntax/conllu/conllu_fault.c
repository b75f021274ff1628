/*
 * conllu_fault.c: faults of a CoNLL-U file as errors or, in a lenient reader, as warnings.
 */
#include "syntax/conllu/conllu_fault.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const fault_code[] = {
#define FAULT_CODE(name, code, breaks) code,
    DGM_CONLLU_FAULT_LIST(FAULT_CODE)
};

static const unsigned char fault_breaks[] = {
#define FAULT_BREAKS(name, code, breaks) breaks,
    DGM_CONLLU_FAULT_LIST(FAULT_BREAKS)
};

void dgm_conllu_fault_warn(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           enum dgm_conllu_fault fault, long line, const char *text)
{
    unsigned bit = 1u << (unsigned)fault;
    const char *effect = fault_breaks[fault] ? "; the sentence goes on without a parse" : "";

    if (reader->warned & bit)
        return;
    reader->warned |= bit;
    dgm_log(env, DGM_LOG_WARNING, "%s:%ld: %s [%s]%s (reported once)", reader->lines.path, line,
            text, fault_code[fault], effect);
}

dgm_status dgm_conllu_fault(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            enum dgm_conllu_fault fault, long line, long column, const char *format,
                            ...)
{
    char note[DGM_CONLLU_NOTE];
    va_list args;

    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    if (!reader->options.lenient)
        return dgm_fail_at(env, DGM_DATA, reader->lines.path, line, column, "%s [%s]", note,
                           fault_code[fault]);
    reader->broken |= fault_breaks[fault];
    dgm_conllu_fault_warn(env, reader, fault, line, note);
    return DGM_OK;
}
