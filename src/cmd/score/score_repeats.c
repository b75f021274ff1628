/* score_repeats.c: `score --repetitions`: lines that say a phrase twice in a row. */
#include "cmd/score/score.h"

static dgm_status print(struct dgm_env *env, struct dgm_buf *out, const dgm_repetitions *found)
{
    static const char *const names[] = { "1", "2", "3", "4", ">=5" };
    long all = 0;
    int n;
    DGM_TRY(dgm_buf_add_text(env, out, "    tokens     lines\n"));
    for (n = 0; n < 5; n++) {
        DGM_TRY(dgm_buf_add_format(env, out, "%10s%10ld\n", names[n], found->lines_of[n]));
        all += found->lines_of[n];
    }
    DGM_TRY(dgm_buf_add_format(env, out, "%10s%10ld\n", "all", all));
    DGM_TRY(dgm_buf_add_format(env, out, "%10s%10ld\n", "near", found->near));
    return dgm_buf_add_format(env, out, "%10s%10ld\n", "of", found->lines);
}

dgm_status dgm_score_repetitions(struct dgm_score *score)
{
    struct dgm_env *env = score->cmd->env;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_repetitions found;
    dgm_status status;
    DGM_TRY(dgm_count_repetitions(score->cmd->context, score->systems[0], score->references,
                                  score->reference_count, &found));
    status = print(env, &out, &found);
    if (status == DGM_OK)
        status = dgm_score_write(score, &out);
    dgm_buf_clear(env, &out);
    return status;
}
