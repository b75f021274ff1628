/*
 * convert_trees.h: treebanks from one format into another, or into their words.
 */
#ifndef DGM_DATA_CONVERT_CONVERT_TREES_H
#define DGM_DATA_CONVERT_CONVERT_TREES_H

#include "syntax/bracket/bracket_conllu.h"
#include "syntax/conllu/conllu_reader.h"

/* Those before "words" can be read. */
enum dgm_treebank_form {
    DGM_TREEBANK_CONLLU,
    DGM_TREEBANK_CONLLX,
    DGM_TREEBANK_TYPED,
    DGM_TREEBANK_BRACKETS,
    DGM_TREEBANK_WORDS,
    DGM_TREEBANK_BINARY,
    DGM_TREEBANK_JSON,
    DGM_TREEBANK_FORMS
};

/* "conllu", "conllx", ... */
extern const char *const dgm_treebank_forms[DGM_TREEBANK_FORMS];

struct dgm_convert_wishes {
    enum dgm_treebank_form from, to;
    enum dgm_multi_root multi_root;
    enum dgm_head_rules rules; /* of brackets that become dependencies */
    enum dgm_bracket_relations relations;
    int strict, lenient, allow_empty; /* as dgm_conllu_options has them */
    int free_lines, keep_tags;        /* of brackets that are read */
    uint64_t random_seed;             /* not 0: each sentence gets a random tree */
};

/* Whether phrases become dependencies. */
int dgm_convert_needs_heads(enum dgm_treebank_form from, enum dgm_treebank_form to);
/* Converts a file. What was read before an error is written. */
dgm_status dgm_convert_run(struct dgm_env *env, const char *path,
                           const struct dgm_convert_wishes *wishes, dgm_write_fn write, void *user);

#endif
