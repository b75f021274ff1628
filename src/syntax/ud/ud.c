/* ud.c: the rules of Universal Dependencies in their order. */
#include "syntax/ud/ud.h"

#include "base/mem.h"
#include "syntax/ud/ud_parts.h"

dgm_status dgm_ud_new(struct dgm_env *env, struct dgm_ud **ud)
{
    return dgm_new(env, ud, 1, sizeof **ud);
}

void dgm_ud_free(struct dgm_env *env, struct dgm_ud *ud)
{
    if (ud == NULL)
        return;
    dgm_map_clear(env, &ud->sent_ids);
    dgm_map_clear(env, &ud->parallel_ids);
    dgm_map_clear(env, &ud->alternatives);
    dgm_map_clear(env, &ud->parts);
    dgm_release(env, ud->arcs);
    dgm_release(env, ud->first);
    dgm_release(env, ud->waiting);
    dgm_release(env, ud->reached);
    dgm_buf_clear(env, &ud->normal);
    dgm_release(env, ud);
}

static dgm_status check_row(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    DGM_TRY(dgm_ud_space(check, row));
    DGM_TRY(dgm_ud_labels(check, row));
    DGM_TRY(dgm_ud_misc(check, row));
    if (row->kind == DGM_CONLLU_RANGE)
        return DGM_OK;
    DGM_TRY(dgm_ud_feats(check, row));
    return dgm_ud_deps(check, row);
}

dgm_status dgm_ud_sentence(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           const struct dgm_conllu_sentence *sentence)
{
    const struct dgm_ud_check check = {
        .env = env, .reader = reader, .ud = reader->ud, .sentence = sentence
    };

    check.ud->arc_count = 0;
    DGM_TRY(dgm_ud_empty_nodes(&check));
    for (size_t i = 0; i < sentence->row_count; i++)
        DGM_TRY(check_row(&check, &sentence->rows[i]));
    DGM_TRY(dgm_ud_graph(&check));
    DGM_TRY(dgm_ud_ids(&check));
    return dgm_ud_text(&check);
}
