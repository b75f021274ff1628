/* langid.c: which language lines are in (text/langid/langid_model.h). */
#include <string.h>

#include "api/context.h"
#include "api/line_result.h"
#include "api/program.h"
#include "api/text/line_file.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "model/file/langid_file.h"

/* What one thread judges a line with. */
struct hand {
    int32_t *sums;
    double *probabilities;
};

struct dgm_langid {
    struct dgm_context *context;
    struct dgm_langid_model model;
    double least;
    size_t top;
    int codes_only;
    struct hand hand;
    struct dgm_line_result result;
};

/* ---- hands ----------------------------------------------------------------------------------- */

static dgm_status fill_hand(struct dgm_env *env, const struct dgm_langid *langid, struct hand *hand)
{
    const size_t count = langid->model.language_count;

    DGM_TRY(dgm_new(env, &hand->sums, count, sizeof *hand->sums));
    return dgm_new(env, &hand->probabilities, count, sizeof *hand->probabilities);
}

static void clear_hand(struct dgm_env *env, struct hand *hand)
{
    dgm_release(env, hand->sums);
    dgm_release(env, hand->probabilities);
}

/* ---- the handle ------------------------------------------------------------------------------ */

static dgm_status fill(struct dgm_env *env, struct dgm_langid *langid,
                       const dgm_langid_options *given)
{
    dgm_langid_options chosen;

    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, given, "dgm_langid_options"));
    DGM_TRY(dgm_argument_check(env, chosen.model, "dgm_langid_options.model"));
    DGM_TRY(dgm_range_real(env, "dgm_langid_options.least", chosen.least, -1e9, 1));
    DGM_TRY(dgm_range_int(env, "dgm_langid_options.top", chosen.top, 0, 1000000));
    langid->least = chosen.least == 0 ? 0.5 : chosen.least;
    langid->top = chosen.top == 0 ? 1 : (size_t)chosen.top;
    langid->codes_only = chosen.codes_only;
    DGM_TRY(dgm_langid_read(env, &langid->model, chosen.model));
    return fill_hand(env, langid, &langid->hand);
}

dgm_status dgm_langid_new(dgm_context *context, const dgm_langid_options *options,
                          dgm_langid **langid)
{
    struct dgm_langid *made;
    dgm_status status;

    DGM_ENTER_NEW(context, langid);
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = fill(&context->env, made, options);
    if (status == DGM_OK)
        *langid = made;
    else
        dgm_langid_free(made);
    return status;
}

void dgm_langid_free(dgm_langid *langid)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(langid))
        return;
    env = &langid->context->env;
    dgm_langid_model_clear(env, &langid->model);
    clear_hand(env, &langid->hand);
    dgm_line_result_clear(env, &langid->result);
    dgm_release(env, langid);
}

size_t dgm_langid_count(const dgm_langid *langid)
{
    return langid != NULL ? langid->model.language_count : 0;
}

const char *dgm_langid_language(const dgm_langid *langid, size_t number)
{
    return number < dgm_langid_count(langid) ? langid->model.languages[number] : NULL;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static dgm_status add_pair(struct dgm_env *env, const struct dgm_langid *langid,
                           struct dgm_buf *out, int is_first, const char *code, double probability)
{
    char number[40];

    if (!is_first)
        DGM_TRY(dgm_buf_add_char(env, out, '\t'));
    DGM_TRY(dgm_buf_add_text(env, out, code));
    if (langid->codes_only)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_char(env, out, '\t'));
    return dgm_buf_add(env, out, number, dgm_number_print_fixed(number, probability, 4));
}

static size_t find_best(const double *probabilities, size_t count)
{
    size_t best = 0;

    for (size_t l = 1; l < count; l++)
        best = probabilities[l] > probabilities[best] ? l : best;
    return best;
}

/* The most probable languages; before them "und", where the first is not probable enough. */
static dgm_status apply_line(struct dgm_env *env, const struct dgm_langid *langid,
                             struct hand *hand, const char *line, size_t bytes, struct dgm_buf *out)
{
    const size_t count = langid->model.language_count;
    double *probabilities = hand->probabilities;
    size_t added = 0, best;

    (void)dgm_langid_judge(&langid->model, probabilities, hand->sums, line, bytes);
    best = find_best(probabilities, count);
    if (probabilities[best] < langid->least)
        DGM_TRY(
            add_pair(env, langid, out, added++ == 0, dgm_langid_unknown, 1 - probabilities[best]));
    for (size_t l = 0; l < count && added < langid->top; l++) {
        best = find_best(probabilities, count);
        DGM_TRY(add_pair(env, langid, out, added++ == 0, langid->model.languages[best],
                         probabilities[best]));
        probabilities[best] = -1;
    }
    return DGM_OK;
}

dgm_status dgm_langid_apply(dgm_langid *langid, const char *line, size_t bytes, const char **out,
                            size_t *out_bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(langid);
    env = &langid->context->env;
    DGM_TRY(dgm_line_result_begin(env, &langid->result, &line, bytes, out, out_bytes));
    DGM_TRY(apply_line(env, langid, &langid->hand, line, bytes, &langid->result.out));
    dgm_line_result_end(&langid->result, out, out_bytes);
    return DGM_OK;
}

dgm_status dgm_langid_probabilities(dgm_langid *langid, const char *line, size_t bytes,
                                    const double **probabilities)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(langid);
    env = &langid->context->env;
    DGM_TRY(dgm_argument_check(env, probabilities, "probabilities"));
    DGM_TRY(dgm_line_check(env, &line, bytes));
    (void)dgm_langid_judge(&langid->model, langid->hand.probabilities, langid->hand.sums, line,
                           bytes);
    *probabilities = langid->hand.probabilities;
    return DGM_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

struct crew {
    const struct dgm_langid *langid;
    struct hand *hands;
};

static dgm_status apply_by(struct dgm_env *env, void *tool, int worker, long number,
                           const char *line, size_t bytes, struct dgm_buf *out)
{
    const struct crew *crew = tool;

    (void)number;
    return apply_line(env, crew->langid, &crew->hands[worker], line, bytes, out);
}

dgm_status dgm_langid_apply_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct crew crew = { .langid = tool };
    struct dgm_context *context;
    dgm_status status = DGM_OK;
    struct dgm_env *env;
    int threads;

    DGM_ENTER_HANDLE(crew.langid);
    context = crew.langid->context;
    env = &context->env;
    threads = dgm_context_threads(context);
    DGM_TRY(dgm_new(env, &crew.hands, (size_t)threads, sizeof *crew.hands));
    for (int i = 0; i < threads && status == DGM_OK; i++)
        status = fill_hand(env, crew.langid, &crew.hands[i]);
    if (status == DGM_OK)
        status = dgm_line_file(context, path, apply_by, &crew, write, user, NULL);
    for (int i = 0; i < threads; i++)
        clear_hand(env, &crew.hands[i]);
    dgm_release(env, crew.hands);
    return status;
}
