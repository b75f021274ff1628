/* bleu_print.c: BLEU scores and signatures as text. */
#include "base/number/number.h"
#include "text/score/bleu.h"

static dgm_status add_fixed(struct dgm_env *env, struct dgm_buf *out, double value, int decimals)
{
    char text[64];

    return dgm_buf_add(env, out, text, dgm_number_print_fixed(text, value, decimals));
}

static dgm_status add_precisions(struct dgm_env *env, struct dgm_buf *out, const double *precisions,
                                 int order)
{
    int n;

    for (n = 0; n < order; n++) {
        if (n > 0)
            DGM_TRY(dgm_buf_add_char(env, out, '/'));
        DGM_TRY(add_fixed(env, out, precisions[n], 1));
    }
    return DGM_OK;
}

dgm_status dgm_bleu_print_multi(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_bleu_stats *stats)
{
    static const struct dgm_bleu_options plain = {
        DGM_BLEU_NONE, DGM_BLEU_SMOOTH_NONE, 0, 0, 0, 0, 0, 4, 1
    };
    struct dgm_bleu_score score = dgm_bleu_score(stats, &plain);
    int n;

    if (stats->ref_len == 0)
        return dgm_buf_add_text(env, out,
                                "BLEU = 0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)");
    for (n = 0; n < 4; n++)
        if (stats->total[n] > 0)
            score.precisions[n] = 100.0 * ((double)stats->correct[n] / (double)stats->total[n]);
    DGM_TRY(dgm_buf_add_text(env, out, "BLEU = "));
    DGM_TRY(add_fixed(env, out, score.score, 2));
    DGM_TRY(dgm_buf_add_text(env, out, ", "));
    DGM_TRY(add_precisions(env, out, score.precisions, 4));
    DGM_TRY(dgm_buf_add_text(env, out, " (BP="));
    DGM_TRY(add_fixed(env, out, score.brevity_penalty, 3));
    DGM_TRY(dgm_buf_add_text(env, out, ", ratio="));
    DGM_TRY(add_fixed(env, out, score.ratio, 3));
    return dgm_buf_add_format(env, out, ", hyp_len=%lld, ref_len=%lld)", (long long)stats->hyp_len,
                              (long long)stats->ref_len);
}

dgm_status dgm_bleu_print_verbose(struct dgm_env *env, struct dgm_buf *out,
                                  const struct dgm_bleu_score *score, int order)
{
    DGM_TRY(add_precisions(env, out, score->precisions, order > 0 ? order : 4));
    DGM_TRY(dgm_buf_add_text(env, out, " (BP = "));
    DGM_TRY(add_fixed(env, out, score->brevity_penalty, 3));
    DGM_TRY(dgm_buf_add_text(env, out, " ratio = "));
    DGM_TRY(add_fixed(env, out, score->ratio, 3));
    return dgm_buf_add_format(env, out, " hyp_len = %lld ref_len = %lld)",
                              (long long)score->stats.hyp_len, (long long)score->stats.ref_len);
}

static dgm_status add_smoothing(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_bleu_options *options)
{
    static const char *const names[] = { "exp", "floor", "add-k", "none" };
    int is_floor = options->smoothing == DGM_BLEU_SMOOTH_FLOOR;

    DGM_TRY(dgm_buf_add_text(env, out, names[options->smoothing]));
    if (!is_floor && options->smoothing != DGM_BLEU_SMOOTH_ADD_K)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_char(env, out, '['));
    DGM_TRY(add_fixed(env, out,
                      options->has_smooth_value ? options->smooth_value
                      : is_floor                ? 0.1
                                                : 1.0,
                      2));
    return dgm_buf_add_char(env, out, ']');
}

dgm_status dgm_bleu_print_signature(struct dgm_env *env, struct dgm_buf *out,
                                    const struct dgm_bleu_options *options, int references,
                                    int is_short)
{
    static const char *const tokenizers[] = { "13a", "none", "intl", "char" };

    DGM_TRY(dgm_buf_add_text(env, out, is_short ? "#:" : "nrefs:"));
    if (references < 0)
        DGM_TRY(dgm_buf_add_text(env, out, "var"));
    else
        DGM_TRY(dgm_buf_add_format(env, out, "%d", references));
    DGM_TRY(dgm_buf_add_format(env, out,
                               is_short ? "|c:%s|e:%s|tok:%s|s:" : "|case:%s|eff:%s|tok:%s|smooth:",
                               options->lower || options->lower_ascii ? "lc" : "mixed",
                               options->effective_order ? "yes" : "no",
                               tokenizers[options->tokenizer]));
    DGM_TRY(add_smoothing(env, out, options));
    DGM_TRY(dgm_buf_add_text(env, out, is_short ? "|v:" : "|version:"));
    return dgm_buf_add_text(env, out, DGM_BLEU_VERSION);
}
