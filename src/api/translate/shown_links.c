/*
 * shown_links.c: the links between the words of a line and those of its translation, as text.
 */
#include "api/translate/shown_links.h"

void dgm_shown_links_clear(struct dgm_env *env, struct dgm_shown_links *view)
{
    dgm_buf_clear(env, &view->text);
}

dgm_status dgm_shown_links_begin(struct dgm_env *env, struct dgm_shown_links *view)
{
    view->first[DGM_SOURCE] = view->first[DGM_TARGET] = 0;
    dgm_buf_reset(&view->text);
    return dgm_buf_add_text(env, &view->text, "");
}

/* Those of the pair that was looked at last. */
static dgm_status write_links(struct dgm_env *env, struct dgm_shown_links *view,
                              const struct dgm_word_links *links, const struct dgm_copies *copies)
{
    const int32_t *word_of = links->word_of[DGM_TARGET], n = links->length[DGM_TARGET];
    int32_t end;

    for (int32_t i = 0; i < n && i < links->weights.rows; i = end) {
        int32_t source;

        for (end = i + 1; end < n && end < links->weights.rows && word_of[end] == word_of[i];)
            end++;
        if (word_of[i] < 0)
            continue;
        source = dgm_copies_word(copies, i, end);
        if (source < 0)
            source = dgm_word_links_find(links, i, end, 0);
        if (source >= 0)
            DGM_TRY(dgm_buf_add_format(env, &view->text, "%s%d-%d", view->text.size > 0 ? " " : "",
                                       (int)(view->first[DGM_SOURCE] + source),
                                       (int)(view->first[DGM_TARGET] + word_of[i])));
    }
    return DGM_OK;
}

dgm_status dgm_shown_links_add(struct dgm_env *env, struct dgm_shown_links *view,
                               struct dgm_word_links *links, const struct dgm_source_queue *queue,
                               size_t part, const int32_t *tokens, int32_t n,
                               const struct dgm_copies *copies)
{
    if (queue->lines[part].sentence < 0)
        return DGM_OK;
    if (n == 0)
        DGM_TRY(dgm_word_links_look_at_copy(env, links, queue, part));
    else if (copies != NULL)
        DGM_TRY(dgm_word_links_join(env, links, tokens, copies));
    else
        DGM_TRY(dgm_word_links_look(env, links, queue, part, tokens, n));
    DGM_TRY(write_links(env, view, links, copies));
    view->first[DGM_SOURCE] += links->words_of_source;
    view->first[DGM_TARGET] += n == 0 ? links->words_of_source : dgm_word_links_count(links);
    return DGM_OK;
}
