/*
 * ud_parts.h: the parts of ud.h, one for each kind of rule, and what they are given.
 */
#ifndef DGM_SYNTAX_UD_UD_PARTS_H
#define DGM_SYNTAX_UD_UD_PARTS_H

#include "base/map.h"
#include "syntax/conllu/conllu_fault.h"
#include "syntax/ud/ud.h"

/* An arc of the enhanced graph, in the list of those with the same head. */
struct dgm_ud_arc {
    uint32_t node, next; /* node: row number + 1; next: arc number + 1, 0 at the end */
};

struct dgm_ud {
    /* ud_ids.c: keys and the lines where they stand; the last number of alternatives and parts. */
    struct dgm_map sent_ids, parallel_ids, alternatives, parts;
    /* ud_text.c: the last token of the text so far has SpaceAfter=No. */
    int glued;
    /* ud_graph.c: first line of the first sentence with DEPS, and of the first without; 0: none. */
    long with_graph, without_graph;
    struct dgm_ud_arc *arcs;
    uint32_t *first;   /* (rows + 1) of each node's arcs, arc number + 1; node 0 is the root */
    uint32_t *waiting; /* (rows + 1) nodes whose arcs are still to be followed */
    char *reached;     /* (rows + 1) */
    size_t arc_count, arc_capacity, node_capacity;
    /* ud_line.c: a line in NFC. */
    struct dgm_buf normal;
};

/* What a part is given. */
struct dgm_ud_check {
    struct dgm_env *env;
    struct dgm_conllu_reader *reader; /* for messages */
    struct dgm_ud *ud;
    const struct dgm_conllu_sentence *sentence;
};

/* ---- ud_fault.c: messages ----------------------------------------------------------------- */

/* Fails at a column of a row: `COLUMN "text"; expected EXPECTED`. */
dgm_status dgm_ud_refuse(const struct dgm_ud_check *check, enum dgm_conllu_fault fault,
                         const struct dgm_conllu_row *row, enum dgm_conllu_column column,
                         const char *text, size_t bytes, const char *expected);
/* The same of the whole column. */
dgm_status dgm_ud_refuse_field(const struct dgm_ud_check *check, enum dgm_conllu_fault fault,
                               const struct dgm_conllu_row *row, enum dgm_conllu_column column,
                               const char *expected);
/* Fails at a comment, or at the first line of the sentence where there are none. */
dgm_status dgm_ud_refuse_comment(const struct dgm_ud_check *check, enum dgm_conllu_fault fault,
                                 size_t comment, const char *format, ...) DGM_FORMAT(4, 5);

/* ---- ud_comment.c: comments --------------------------------------------------------------- */

/* Behind `# key`, with any white space between; NULL: the comment has not this key. */
const char *dgm_ud_comment_key(const char *comment, const char *key);
/* VALUE of `# key = VALUE`, or NULL. */
const char *dgm_ud_comment_value(const char *comment, const char *key);
const char *dgm_ud_comment(const struct dgm_ud_check *check, size_t comment);
const char *dgm_ud_skip_space(const char *text);
const char *dgm_ud_skip_word(const char *text); /* all but white space */

/* ---- the rules ---------------------------------------------------------------------------- */

dgm_status dgm_ud_space(const struct dgm_ud_check *check, const struct dgm_conllu_row *row);
dgm_status dgm_ud_labels(const struct dgm_ud_check *check, const struct dgm_conllu_row *row);
dgm_status dgm_ud_feats(const struct dgm_ud_check *check, const struct dgm_conllu_row *row);
dgm_status dgm_ud_misc(const struct dgm_ud_check *check, const struct dgm_conllu_row *row);
dgm_status dgm_ud_empty_nodes(const struct dgm_ud_check *check);
dgm_status dgm_ud_deps(const struct dgm_ud_check *check, const struct dgm_conllu_row *row);
dgm_status dgm_ud_graph(const struct dgm_ud_check *check);
dgm_status dgm_ud_ids(const struct dgm_ud_check *check);
dgm_status dgm_ud_text(const struct dgm_ud_check *check);

/* A universal relation, perhaps with a subtype; of DEPS: also `ref`, and longer subtypes. */
int dgm_ud_is_relation(const char *text, size_t bytes);
int dgm_ud_is_enhanced_relation(const char *text, size_t bytes);

/* An arc of DEPS, from row number + 1 of its head (0: the root) to a row. */
dgm_status dgm_ud_add_arc(const struct dgm_ud_check *check, uint32_t head,
                          const struct dgm_conllu_row *row);

#endif
