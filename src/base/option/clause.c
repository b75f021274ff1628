/* clause.c: what the columns `needs` and `excludes` of an option's row say. */
#include "base/option/clause.h"

#include <assert.h>
#include <string.h>

const char *dgm_clause_read(struct dgm_clause *clause, const char *text)
{
    const char *end;

    memset(clause, 0, sizeof *clause);
    for (; *text == '!' || *text == '~'; text++) {
        clause->is_for_all |= *text == '!';
        clause->is_changed |= *text == '~';
    }
    clause->names = text;
    clause->length = strcspn(text, ",;");
    clause->reason = text + clause->length;
    clause->reason_length = strcspn(clause->reason, ";");
    end = clause->reason + clause->reason_length;
    return *end == ';' ? end + 2 : NULL;
}

/* How a byte of a clause is spelled where people read it. */
static void spell(char out[DGM_CLAUSE_SIZE], char byte)
{
    const char as_it_is[2] = { byte, '\0' };
    const char *text = byte == ' ' ? " or --" : byte == '=' ? " " : byte == '|' ? " or " : as_it_is;

    assert(strlen(out) + strlen(text) < DGM_CLAUSE_SIZE);
    strcat(out, text);
}

void dgm_clause_print(char out[DGM_CLAUSE_SIZE], const struct dgm_clause *clause)
{
    strcpy(out, "--");
    for (size_t i = 0; i < clause->length; i++)
        spell(out, clause->names[i]);
}
