/*
 * spm_unigram.c: the most probable pieces of a text under a unigram model (Viterbi).
 *
 * Kudo: "Subword Regularization" (ACL 2018), section 3.2. Scores are added in single precision,
 * and a path must be better, not as good, to replace another: so ties end as in the library.
 */
#include "base/mem.h"
#include "text/spm/spm_encode.h"
#include "text/unicode/utf8.h"

static void offer(struct dgm_spm_step *step, float score, int32_t id, size_t start)
{
    if (step->start != DGM_TRIE_NONE && !(score > step->score))
        return;
    *step = (struct dgm_spm_step){ score, id, (uint32_t)start };
}

/* Offers all pieces that begin at `start`, whose first character has `width` bytes. */
static void offer_pieces(const struct dgm_spm *spm, struct dgm_spm_line *line, size_t start,
                         size_t width, float unknown)
{
    const float so_far = line->steps[start].score;
    const char *text = line->text.data;
    size_t at = start, size = line->text.size;
    uint32_t node = 0;
    int has_character = 0;

    while (at < size) {
        int32_t id;
        float score; /* a variable, so that every machine rounds it */

        node = dgm_trie_step(&spm->text, node, text[at++]);
        if (node == DGM_TRIE_NONE)
            break;
        id = spm->text.units[node].value;
        if (id < 0)
            continue;
        score = spm->weights[id] + so_far;
        offer(&line->steps[at], score, id, start);
        has_character |= at - start == width;
    }
    if (!has_character) {
        const float score = unknown + so_far;

        offer(&line->steps[start + width], score, spm->unk, start);
    }
}

/* The pieces of the best path, the last first, then turned round. */
static dgm_status follow(struct dgm_env *env, struct dgm_spm_line *line)
{
    size_t at = line->text.size, i;

    while (at > 0) {
        const struct dgm_spm_step *step = &line->steps[at];

        DGM_TRY(dgm_spm_line_add(env, line, step->id, step->start, at));
        at = step->start;
    }
    for (i = 0; i < line->count / 2; i++) {
        struct dgm_spm_span span = line->pieces[i];

        line->pieces[i] = line->pieces[line->count - 1 - i];
        line->pieces[line->count - 1 - i] = span;
    }
    return DGM_OK;
}

dgm_status dgm_spm_unigram(struct dgm_env *env, const struct dgm_spm *spm,
                           struct dgm_spm_line *line)
{
    const float unknown = (float)((double)spm->least - DGM_SPM_UNKNOWN_PENALTY);
    size_t size = line->text.size, at = 0, i;
    uint32_t code;

    DGM_TRY(dgm_reserve(env, &line->steps, &line->step_capacity, size + 1, sizeof *line->steps));
    for (i = 0; i <= size; i++)
        line->steps[i].start = DGM_TRIE_NONE;
    line->steps[0].score = 0.0F;
    while (at < size) {
        size_t width = dgm_utf8_decode(&code, line->text.data + at, size - at);

        if (spm->text.count > 0)
            offer_pieces(spm, line, at, width, unknown);
        else
            offer(&line->steps[at + width], 0.0F, spm->unk, at);
        at += width;
    }
    return follow(env, line);
}
