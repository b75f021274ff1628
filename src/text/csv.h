/*
 * csv.h: reads comma-separated values (RFC 4180), record by record.
 *
 * A field in quotation marks may hold commas, line breaks and, doubled, quotation marks. Lines
 * without any text are no records. Every record has as many fields as the first one, which names
 * them.
 */
#ifndef DGM_TEXT_CSV_H
#define DGM_TEXT_CSV_H

#include "base/lines/lines.h"

#define DGM_CSV_MOST_FIELDS 1000
#define DGM_CSV_MOST_BYTES ((size_t)1 << 20) /* of a record */

struct dgm_csv {
    struct dgm_lines lines;
    struct dgm_buf text; /* the fields, each ended by NUL */
    size_t *start;       /* (count) of each in `text` */
    size_t count, capacity;
    size_t columns; /* of the first record; 0 before it */
    long line;      /* where the record begins */
};

/* "-" is standard input. `csv` is zero. Close it in any case. */
dgm_status dgm_csv_open(struct dgm_env *env, struct dgm_csv *csv, const char *path);
/* *more = 0 at the end. DGM_DATA at file and line for what is no CSV. */
dgm_status dgm_csv_next(struct dgm_env *env, struct dgm_csv *csv, int *more);
void dgm_csv_close(struct dgm_env *env, struct dgm_csv *csv);

/* Field i of the record, ended by NUL; valid until the next record. */
const char *dgm_csv_field(const struct dgm_csv *csv, size_t i);

#endif
