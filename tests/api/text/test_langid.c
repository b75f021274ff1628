/* test_langid.c: languages through the public interface: learned, told, refused. */
#include "api_case.h"
#include "five_languages.h"

static void put_texts(dgm_langid_text *texts, char paths[FIVE][512])
{
    for (int l = 0; l < FIVE; l++) {
        char all[1024] = "";

        for (int i = 0; i < FIVE_LINES; i++)
            strcat(strcat(all, five_lines[l][i]), "\n");
        put_file(paths[l], five_codes[l], all);
        texts[l].language = five_codes[l];
        texts[l].path = paths[l];
    }
}

static void check_told(dgm_langid *langid, const char *line, const char *want)
{
    const char *out = NULL;
    size_t bytes = 0;

    CHECK_STATUS(dgm_langid_apply(langid, line, strlen(line), &out, &bytes), DGM_OK);
    CHECK_STR(out, want);
    CHECK_INT(bytes, strlen(want));
}

TEST(api_langid_tells_languages)
{
    dgm_langid_options options = DGM_OPTIONS(dgm_langid_options);
    char paths[FIVE][512], model[512];
    dgm_langid_text texts[FIVE];
    const double *probabilities;
    dgm_context *context;
    dgm_langid *langid;

    put_texts(texts, paths);
    path_to(model, "l.gguf");
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_langid_train(context, texts, FIVE, 0, model), DGM_OK);
    options.model = model;
    options.codes_only = 1;
    CHECK_STATUS(dgm_langid_new(context, &options, &langid), DGM_OK);
    CHECK_INT(dgm_langid_count(langid), FIVE);
    CHECK_STR(dgm_langid_language(langid, 1), "de");
    CHECK(dgm_langid_language(langid, FIVE) == NULL);
    check_told(langid, "Die Hunde sind nicht im Garten.", "de");
    check_told(langid, "There is nothing in the garden.", "en");
    check_told(langid, "", "und");
    CHECK_STATUS(dgm_langid_probabilities(langid, "", 0, &probabilities), DGM_OK);
    for (int l = 0; l < FIVE; l++)
        CHECK_NEAR(probabilities[l], 0, 0);
    dgm_langid_free(langid);
    options.codes_only = 0;
    options.top = 2;
    CHECK_STATUS(dgm_langid_new(context, &options, &langid), DGM_OK);
    check_told(langid, " 12", "und\t1.0000\ten\t0.0000");
    dgm_langid_free(langid);
    CHECK_FAILS(context, dgm_langid_train(context, texts, 1, 0, model), DGM_USAGE);
    CHECK_FAILS(context, dgm_langid_train(context, texts, FIVE, 0, paths[0]), DGM_USAGE);
    texts[0].language = "und";
    CHECK_FAILS(context, dgm_langid_train(context, texts, FIVE, 0, model), DGM_USAGE);
    dgm_context_free(context);
}

TEST(api_cleaner_asks_which_language_a_side_is_in)
{
    dgm_cleaner_options rules = DGM_OPTIONS(dgm_cleaner_options);
    static const char *const rows[][3] = {
        { "There is nothing here.", "Hier gibt es nichts.", "kept" },
        { "There is nothing here.", "Hier gibt es nichts.", "duplicate" },
        { "There is nothing here.", "Il n'y a rien dans le jardin.", "language" },
        { "Sie sagte nichts.", "Sie sagte nicht viel.", "language" },
        { "12", "13", "kept" },
    };
    char paths[FIVE][512], model[512];
    dgm_langid_text texts[FIVE];
    dgm_context *context;
    dgm_cleaner *cleaner;

    put_texts(texts, paths);
    path_to(model, "l.gguf");
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_langid_train(context, texts, FIVE, 0, model), DGM_OK);
    rules.langid = model;
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.source_lang = "sv";
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.source_lang = "en-GB";
    rules.target_lang = "de";
    CHECK_STATUS(dgm_cleaner_new(context, &rules, &cleaner), DGM_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dgm_clean_reason reason = DGM_CLEAN_COUNT;

        CHECK_STATUS(dgm_cleaner_judge(cleaner, rows[i][0], strlen(rows[i][0]), rows[i][1],
                                       strlen(rows[i][1]), &reason),
                     DGM_OK);
        CHECK_STR(dgm_clean_reason_name(reason), rows[i][2]);
    }
    dgm_cleaner_free(cleaner);
    dgm_context_free(context);
}
