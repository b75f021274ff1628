/*
 * test_translator_trees.c: models that need trees, by the public interface: refused without a
 * source of any, lines without a tree counted or refused, one tree for each line.
 */
#include <dragoman.h>

#include "training_case.h"

/* What the log has said: warnings, one a line. */
struct heard {
    char text[2000];
};

static void hear(void *user, dgm_level level, const char *message)
{
    struct heard *heard = user;
    size_t used = strlen(heard->text);

    if (level == DGM_LOG_WARNING)
        snprintf(heard->text + used, sizeof heard->text - used, "%s\n", message);
}

/* The error, with the file that it is about. */
static const char *said(dgm_context *context)
{
    static char text[3000];
    const dgm_error *error = dgm_context_error(context);

    snprintf(text, sizeof text, "%s: %s", error->file, error->message);
    return text;
}

static dgm_status new_context(dgm_context **context, struct heard *heard)
{
    dgm_context_options options;

    memset(heard, 0, sizeof *heard);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    options.threads = 1;
    options.log = hear;
    options.log_user = heard;
    options.log_level = DGM_LOG_WARNING;
    return dgm_context_new(&options, context);
}

/* "plain" and "deps", which needs trees. */
static dgm_status make_models(void)
{
    static const char *const plain[] = { "after", "5u", NULL };
    static const char *const deps[] = { "after", "5u", "syntax", "deps-san(layers=1)", NULL };

    if (!write_corpus())
        return DGM_FAILURE;
    DGM_TRY(train("plain", plain, 1, 0, NULL));
    return train("deps", deps, 1, 0, NULL);
}

#define ROW(id, word, head) id "\t" word "\t_\t_\t_\t_\t" head "\t_\t_\t_\n"

/* For "w1 w2", a blank line, "w3 w4", "w5": the third has no parse. */
static const char three_trees[] =
    ROW("1", "w1", "0") ROW("2", "w2", "1") "\n# blank\n\n" ROW("1", "w3", "_")
        ROW("2", "w4", "_") "\n" ROW("1", "w5", "0") "\n";

static const char *put(char path[1200], const char *text, const char *more)
{
    FILE *file = fopen(in_dir(path, "trees.conllu"), "wb");

    if (file != NULL) {
        fputs(text, file);
        fputs(more, file);
        fclose(file);
    }
    return path;
}

static dgm_translator_options options_of(const char **models, size_t count)
{
    dgm_translator_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.models = models;
    options.model_count = count;
    options.beam = 2;
    return options;
}

static void check_refused(const dgm_translator_options *options, const char *part)
{
    struct heard heard;
    dgm_context *context;
    dgm_translator *translator;

    CHECK_STATUS(new_context(&context, &heard), DGM_OK);
    CHECK_STATUS(dgm_translator_new(context, options, &translator), DGM_USAGE);
    CHECK(translator == NULL);
    if (strstr(said(context), part) == NULL)
        CHECK_STR(said(context), part);
    dgm_context_free(context);
}

TEST(api_refuses_models_that_need_trees_without_any)
{
    char path[2][1200];
    const char *models[2];
    dgm_translator_options options;
    dgm_rescorer_options rescoring;
    dgm_rescorer *rescorer;
    dgm_context *context;
    struct heard heard;

    CHECK_STATUS(make_models(), DGM_OK);
    models[0] = in_dir(path[0], "deps");
    models[1] = in_dir(path[1], "plain");
    options = options_of(models, 1);
    check_refused(&options, "deps: --syntax deps-san(layers=1) needs a tree of each line");
    options = options_of(models, 2);
    check_refused(&options, "deps: ");
    models[0] = path[1];
    models[1] = path[0];
    check_refused(&options, "deps: ");
    options.no_parse = "sometimes";
    options.no_trees = 1;
    check_refused(&options, "expected star, chain or reject");
    CHECK_STATUS(new_context(&context, &heard), DGM_OK);
    memset(&rescoring, 0, sizeof rescoring);
    rescoring.struct_size = sizeof rescoring;
    rescoring.models = models;
    rescoring.model_count = 2;
    CHECK_STATUS(dgm_rescorer_new(context, &rescoring, &rescorer), DGM_USAGE);
    dgm_context_clear(context);
    rescoring.no_trees = 1;
    CHECK_STATUS(dgm_rescorer_new(context, &rescoring, &rescorer), DGM_OK);
    dgm_rescorer_free(rescorer);
    dgm_context_free(context);
}

/* Translates four lines; counts[i]: how many translations line i has. */
static dgm_status translate(dgm_translator *translator, size_t counts[4])
{
    static const char *const lines[4] = { "w1 w2", "", "w3 w4", "w5" };
    size_t ran, i;

    for (i = 0; i < 4; i++)
        DGM_TRY(dgm_translator_add(translator, lines[i], strlen(lines[i])));
    DGM_TRY(dgm_translator_run(translator, &ran));
    for (i = 0; i < ran; i++)
        DGM_TRY(dgm_translator_count(translator, i, &counts[i]));
    return DGM_OK;
}

static void check_lines(const char *no_parse, size_t third, size_t want, const char *said)
{
    char path[2][1200];
    const char *models[1];
    dgm_translator_options options;
    dgm_translator *translator;
    dgm_context *context;
    struct heard heard;
    size_t counts[4], refused = 9;

    models[0] = in_dir(path[0], "deps");
    options = options_of(models, 1);
    options.trees = put(path[1], three_trees, "");
    options.no_parse = no_parse;
    CHECK_STATUS(new_context(&context, &heard), DGM_OK);
    CHECK_STATUS(dgm_translator_new(context, &options, &translator), DGM_OK);
    CHECK_STATUS(translate(translator, counts), DGM_OK);
    CHECK_INT(counts[0], 1);
    CHECK_INT(counts[1], 0);
    CHECK_INT(counts[2], third);
    CHECK_INT(counts[3], 1);
    CHECK_STATUS(dgm_translator_finish(translator, &refused), DGM_OK);
    CHECK_INT(refused, want);
    CHECK_STR(heard.text, said);
    dgm_translator_free(translator);
    dgm_context_free(context);
}

TEST(api_counts_or_refuses_lines_without_a_tree)
{
    CHECK_STATUS(make_models(), DGM_OK);
    check_lines(NULL, 1, 0, "1 of 4 lines had no tree: --no-parse star\n");
    check_lines("star", 1, 0, "1 of 4 lines had no tree: --no-parse star\n");
    check_lines("chain", 1, 0, "1 of 4 lines had no tree: --no-parse chain\n");
    check_lines("reject", 0, 1,
                "line 3: no tree; its result is an empty line (--no-parse reject)\n"
                "1 of 4 lines had no tree: --no-parse reject\n");
}

TEST(api_rescorer_has_no_number_for_a_line_without_a_tree)
{
    char path[2][1200];
    const char *models[1];
    dgm_rescorer_options options;
    dgm_rescorer *rescorer;
    dgm_context *context;
    struct heard heard;
    double score, logp;
    size_t pairs, refused = 0;

    CHECK_STATUS(make_models(), DGM_OK);
    models[0] = in_dir(path[0], "deps");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.models = models;
    options.model_count = 1;
    options.trees = put(path[1], ROW("1", "w3", "_") ROW("2", "w4", "_") "\n", three_trees);
    options.no_parse = "reject";
    CHECK_STATUS(new_context(&context, &heard), DGM_OK);
    CHECK_STATUS(dgm_rescorer_new(context, &options, &rescorer), DGM_OK);
    CHECK_STATUS(dgm_rescorer_add(rescorer, "w3 w4", 5, "v3 v7", 5), DGM_OK);
    CHECK_STATUS(dgm_rescorer_add(rescorer, "w1 w2", 5, "v4 v8", 5), DGM_OK);
    CHECK_STATUS(dgm_rescorer_run(rescorer, &pairs), DGM_OK);
    CHECK_INT(pairs, 2);
    CHECK_STATUS(dgm_rescorer_result(rescorer, 0, &score, &logp), DGM_OK);
    CHECK(score != score && logp != logp);
    CHECK_STATUS(dgm_rescorer_result(rescorer, 1, &score, &logp), DGM_OK);
    CHECK(score < 0 && logp < 0);
    /* Three more trees than pairs. */
    CHECK_STATUS(dgm_rescorer_finish(rescorer, &refused), DGM_DATA);
    CHECK_INT(refused, 1);
    CHECK(strstr(said(context), "more sentences than the 2 lines") != NULL);
    dgm_rescorer_free(rescorer);
    dgm_context_free(context);
}

TEST(api_translator_refuses_a_tree_too_many)
{
    char path[2][1200];
    const char *models[1];
    dgm_translator_options options;
    dgm_translator *translator;
    dgm_context *context;
    struct heard heard;
    size_t counts[4];

    CHECK_STATUS(make_models(), DGM_OK);
    models[0] = in_dir(path[0], "deps");
    options = options_of(models, 1);
    options.trees = put(path[1], three_trees, ROW("1", "w6", "0") "\n");
    CHECK_STATUS(new_context(&context, &heard), DGM_OK);
    CHECK_STATUS(dgm_translator_new(context, &options, &translator), DGM_OK);
    CHECK_STATUS(translate(translator, counts), DGM_OK);
    CHECK_STATUS(dgm_translator_finish(translator, NULL), DGM_DATA);
    CHECK(strstr(said(context), "more sentences than the 4 lines") != NULL);
    dgm_translator_free(translator);
    dgm_context_free(context);
}
