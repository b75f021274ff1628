/*
 * svg_layout.c: how wide texts are in SVG, and so where words and labels stand.
 *
 * Which font a reader has is not known here, so widths are those of wide ones (DejaVu Sans,
 * Verdana): in others there is a little more air.
 */
#include <string.h>

#include "base/mem.h"
#include "draw/tree/tree_picture.h"
#include "draw/tree/tree_svg.h"
#include "text/unicode/utf8.h"
#include "text/unicode/width.h"

static const struct dgm_arc_metrics paper = { 180, 90, 0, RADIUS + PAD };

/* In hundredths of the font's size. */
static int32_t advance(uint32_t code)
{
    if (code >= 0x80)
        return code < 0x300 ? 66 : dgm_width_of(code) == 2 ? 102 : 68 * dgm_width_of(code);
    if (strchr("ijl|'.,:;!I`", (int)code) != NULL)
        return 34;
    if (strchr("frt()[]{}/\\- \"", (int)code) != NULL)
        return 42;
    if (strchr("mwMW@%", (int)code) != NULL)
        return 98;
    if ((code >= 'A' && code <= 'Z') || strchr("+=<>#~_&", (int)code) != NULL)
        return 76;
    return 63;
}

int32_t dgm_draw_svg_width(const char *text, int32_t size)
{
    size_t left = strlen(text);
    int64_t sum = 0;
    while (left > 0) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, text, left);
        sum += advance(code);
        text += used;
        left -= used;
    }
    return (int32_t)((sum * size + 99) / 100);
}

dgm_status dgm_draw_svg_layout(struct dgm_env *env, struct dgm_draw *draw,
                               const struct dgm_conllu_sentence *sentence,
                               const struct dgm_conllu_sentence *other)
{
    struct dgm_caption_options texts = { 0, NULL, "", "…" };
    const struct dgm_captions *captions = &draw->captions;
    int32_t word;
    size_t i;
    texts.tags = draw->style.tags;
    texts.other = other;
    DGM_TRY(dgm_captions_fill(env, &draw->captions, sentence, &texts));
    DGM_TRY(dgm_arcs_make(env, &draw->arcs, &sentence->tree));
    DGM_TRY(dgm_reserve(env, &draw->widths, &draw->width_capacity, (size_t)captions->count,
                        sizeof *draw->widths));
    for (word = 0; word < captions->count; word++) {
        const char *text = dgm_caption(captions, word, DGM_CAPTION_FORM);
        const char *below = dgm_caption(captions, word, DGM_CAPTION_TAG);
        int32_t form = dgm_draw_svg_width(text, WORD_SIZE);
        int32_t tag = dgm_draw_svg_width(below, TAG_SIZE);
        draw->widths[word] = form > tag ? form : tag;
    }
    for (i = 0; i < draw->arcs.count; i++) {
        struct dgm_arc *arc = &draw->arcs.arcs[i];
        const char *label = dgm_caption(captions, arc->dependent, DGM_CAPTION_LABEL);
        arc->label_width = dgm_draw_svg_width(label, LABEL_SIZE);
    }
    dgm_arcs_place(&draw->arcs, draw->widths, &paper);
    return DGM_OK;
}
