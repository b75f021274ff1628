/* tree_picture.c: placing the words, labels and arcs of a tree, in any unit of length. */
#include "draw/tree/tree_picture.h"

#include <string.h>

#include "base/mem.h"

void dgm_tree_picture_clear(struct dgm_env *env, struct dgm_tree_picture *picture)
{
    dgm_captions_clear(env, &picture->captions);
    dgm_arcs_clear(env, &picture->arcs);
    dgm_release(env, picture->widths);
    memset(picture, 0, sizeof *picture);
}

dgm_status dgm_tree_picture_lay_out(struct dgm_env *env, struct dgm_tree_picture *picture,
                                    const struct dgm_conllu_sentence *sentence,
                                    const struct dgm_caption_options *texts,
                                    dgm_caption_width_fn *width,
                                    const struct dgm_arc_metrics *metrics)
{
    const struct dgm_captions *captions = &picture->captions;
    int32_t word;
    size_t i;

    DGM_TRY(dgm_captions_fill(env, &picture->captions, sentence, texts));
    DGM_TRY(dgm_arcs_make(env, &picture->arcs, &sentence->tree));
    DGM_TRY(dgm_reserve(env, &picture->widths, &picture->width_capacity, (size_t)captions->count,
                        sizeof *picture->widths));
    for (word = 0; word < captions->count; word++) {
        int32_t form = width(captions, word, DGM_CAPTION_FORM);
        int32_t tag = width(captions, word, DGM_CAPTION_TAG);

        picture->widths[word] = form > tag ? form : tag;
    }
    for (i = 0; i < picture->arcs.count; i++) {
        struct dgm_arc *arc = &picture->arcs.arcs[i];

        arc->label_width = width(captions, arc->dependent, DGM_CAPTION_LABEL);
    }
    dgm_arcs_place(&picture->arcs, picture->widths, metrics);
    return DGM_OK;
}
