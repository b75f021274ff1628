/*
 * tree_output.h: blocks of CoNLL-U on their way to the caller, in the form that was asked for.
 *
 * A parser writes CoNLL-U, from one process or several; here it becomes lines of JSON or brackets,
 * or a picture, so that each form has what the columns have, whoever has filled them.
 */
#ifndef DGM_DECODE_ANNOTATE_TREE_OUTPUT_H
#define DGM_DECODE_ANNOTATE_TREE_OUTPUT_H

#include "base/file/report.h"
#include "draw/tree/tree_picture.h"
#include "syntax/bracket/tree_brackets.h"
#include "syntax/conllu/conllu_reader.h"

enum dgm_tree_form {
    DGM_TREE_CONLLU,
    DGM_TREE_JSON,     /* a line for each sentence: sentence_json.h */
    DGM_TREE_BRACKETS, /* a line for each sentence: tree_brackets.h */
    DGM_TREE_SVG,      /* one picture of all sentences that have words, as `draw tree` makes it */
    DGM_TREE_FORMS
};

/* "conllu", "json", "brackets", "svg". */
extern const char *const dgm_tree_form_names[DGM_TREE_FORMS];

/* Zero-initialise it, but for `form`; it is cleared in any case. */
struct dgm_tree_output {
    enum dgm_tree_form form;
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence[2]; /* of a picture this one and the next, in turn */
    struct dgm_buf line;                    /* of JSON */
    struct dgm_tree_brackets brackets;
    int has_lifted; /* words of brackets: said once */
    struct dgm_tree_picture picture;
    struct dgm_buf body; /* of the picture */
    long read;           /* sentences with words; the latest is still to be drawn */
    dgm_write_fn write;  /* where all goes */
    void *user;
};

void dgm_tree_output_begin(struct dgm_tree_output *output, dgm_write_fn write, void *user);
/* Passes on whole blocks. */
dgm_status dgm_tree_output_add(struct dgm_env *env, struct dgm_tree_output *output,
                               const struct dgm_buf *blocks);
/* Passes on a picture, after the last block. */
dgm_status dgm_tree_output_end(struct dgm_env *env, struct dgm_tree_output *output);
void dgm_tree_output_clear(struct dgm_env *env, struct dgm_tree_output *output);

#endif
