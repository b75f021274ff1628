/*
 * eval_labels.c: which relations are of content words, which of function words, and
 * which features are universal: the lists of the shared task's evaluation.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/conllu.h"
#include "syntax/eval/eval_part.h"

static const char content_list[] =
    " nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod"
    " discourse nmod appos nummod acl amod conj fixed flat compound list parataxis orphan"
    " goeswith reparandum root dep ";

static const char function_list[] = " aux cop mark det clf case cc ";

/* The universal features of Universal Dependencies 2 at the time of the task. */
static const char feature_list[] =
    " PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite"
    " Degree VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite ";

enum dgm_eval_class dgm_eval_classify(const char *relation, size_t length)
{
    if (dgm_conllu_list_holds(content_list, relation, length))
        return DGM_EVAL_CONTENT;
    if (dgm_conllu_list_holds(function_list, relation, length))
        return DGM_EVAL_FUNCTION;
    return DGM_EVAL_OTHER;
}

/* ---- features --------------------------------------------------------------------- */

static int compare_pieces(const void *a, const void *b)
{
    const struct dgm_eval_piece *x = a, *y = b;
    size_t length = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->text, y->text, length);

    if (order != 0)
        return order;
    return (x->length > y->length) - (x->length < y->length);
}

static dgm_status cut_feats(struct dgm_env *env, struct dgm_eval *eval, size_t *count,
                            const char *feats)
{
    const char *at = feats;

    *count = 0;
    for (;;) {
        size_t length = strcspn(at, "|");
        if (dgm_conllu_list_holds(feature_list, at, strcspn(at, "=|"))) {
            DGM_TRY(
                dgm_grow(env, &eval->pieces, &eval->piece_capacity, *count, sizeof *eval->pieces));
            eval->pieces[*count].text = at;
            eval->pieces[(*count)++].length = length;
        }
        if (at[length] == '\0')
            return DGM_OK;
        at += length + 1;
    }
}

dgm_status dgm_eval_feats(struct dgm_env *env, struct dgm_eval *eval, uint32_t *number,
                          const char *feats)
{
    size_t i, count;

    DGM_TRY(cut_feats(env, eval, &count, feats));
    if (count > 1)
        qsort(eval->pieces, count, sizeof *eval->pieces, compare_pieces);
    dgm_buf_reset(&eval->scratch);
    for (i = 0; i < count; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, &eval->scratch, '|'));
        DGM_TRY(dgm_buf_add(env, &eval->scratch, eval->pieces[i].text, eval->pieces[i].length));
    }
    return dgm_eval_intern(env, eval, number, count > 0 ? eval->scratch.data : "",
                           eval->scratch.size);
}
