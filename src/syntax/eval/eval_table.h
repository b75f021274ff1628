/* eval_table.h: the scores of a parser, as a table or JSON. */
#ifndef DGM_SYNTAX_EVAL_EVAL_TABLE_H
#define DGM_SYNTAX_EVAL_EVAL_TABLE_H

#include "base/buf.h"

/* counts: (DGM_PARSE_METRICS). Precision, recall, F1 and accuracy of the chief metrics, or of
 * `all`; or the counts of all. */
dgm_status dgm_eval_table_add(struct dgm_env *env, struct dgm_buf *out,
                              const dgm_parse_counts *counts, int all, int with_counts);
/* One object with all of it. */
dgm_status dgm_eval_table_json(struct dgm_env *env, struct dgm_buf *out,
                               const dgm_parse_counts *counts);

#endif
