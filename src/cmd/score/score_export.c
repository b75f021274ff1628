/*
 * score_export.c: `score --export`: sentences as JSON lines, under the names that neural metrics
 * have for them.
 */
#include "cmd/score/score_export.h"

#include <string.h>

/* What a metric calls its members; source NULL: it reads none. */
static const struct kind {
    const char *name, *source, *hypothesis, *reference;
} kinds[] = {
    { "comet", "src", "mt", "ref" },                    /* samples of COMET's predict */
    { "metricx", "source", "hypothesis", "reference" }, /* --input_file of metricx24.predict */
    { "bleurt", NULL, "candidate", "reference" },       /* -sentence_pairs_file of score_files */
};

static const struct kind *kind_of(const char *name)
{
    size_t i = 0;
    while (strcmp(kinds[i].name, name) != 0)
        i++;
    return &kinds[i];
}

static dgm_status check(const struct dgm_score *score, const struct kind *kind, const char *source)
{
    struct dgm_env *env = score->cmd->env;
    if (score->system_count != 1 || score->reference_count != 1)
        return dgm_fail(env, DGM_USAGE,
                        "--export writes one translation and its reference; got %zu and %zu; "
                        "expected a run for each",
                        score->system_count, score->reference_count);
    if (kind->source != NULL && source == NULL)
        return dgm_fail(env, DGM_USAGE,
                        "--export %s without --source, which %s reads; expected the file of the "
                        "source",
                        kind->name, kind->name);
    return DGM_OK;
}

dgm_status dgm_score_export(struct dgm_score *score)
{
    struct dgm_cmd *cmd = score->cmd;
    const struct kind *kind = kind_of(dgm_settings_text(&cmd->settings, "export"));
    const char *source = dgm_settings_text(&cmd->settings, "source");
    const char *names[] = { kind->hypothesis, kind->reference, kind->source };
    const char *paths[] = { score->systems[0], score->references[0], source };
    struct dgm_cmd_sink sink;
    dgm_status status;
    DGM_TRY(check(score, kind, source));
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_score_write_objects(cmd->context, paths, names, kind->source != NULL ? 3 : 2,
                                     dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
}
