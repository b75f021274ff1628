/*
 * clause.h: what the columns `needs` and `excludes` of an option's row say.
 *
 * A column holds clauses, with "; " between them. Each names options, or an option with values:
 *
 *     valid-sets              --valid-sets is given, by whatever
 *     sample dropout          one of them is
 *     format=raw|lines        --format has one of these values, be it given or not
 *
 * and may end with ", " and a reason, for the message. It holds where the command line gives the
 * option, since a file or a variable may serve other runs, too; with "!" in front also where these
 * do; with "~" not where the option is at its default. A flag that is off, or a list that is
 * "none", asks for nothing.
 */
#ifndef DGM_BASE_OPTION_CLAUSE_H
#define DGM_BASE_OPTION_CLAUSE_H

#include <stddef.h>

/* Texts of rows: none ends before its row does. */
struct dgm_clause {
    const char *names; /* "format=raw|lines" */
    size_t length;
    const char *reason; /* ", which has no tags", or nothing */
    size_t reason_length;
    int is_for_all; /* ! */
    int is_changed; /* ~ */
};

/* Reads the clause at `text`; returns the next one, or NULL after the last. */
const char *dgm_clause_read(struct dgm_clause *clause, const char *text);

/* "--sample or --dropout", "--format raw or lines". */
enum { DGM_CLAUSE_SIZE = 256 };
void dgm_clause_print(char out[DGM_CLAUSE_SIZE], const struct dgm_clause *clause);

#endif
