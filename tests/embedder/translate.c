/* translate.c: a model of eight sentences, its translation of one of them, and how probable it
 * finds that and another, by the public interface. */
#include <dragoman.h>

#include <stdio.h>
#include <string.h>

static const char *const sentences[][2] = {
    { "the dog sleeps", "der Hund schläft" }, { "the cat sleeps", "die Katze schläft" },
    { "the dog runs", "der Hund läuft" },     { "the cat runs", "die Katze läuft" },
    { "the dog eats", "der Hund frisst" },    { "the cat eats", "die Katze frisst" },
    { "the dog sees", "der Hund sieht" },     { "the cat sees", "die Katze sieht" },
};

/* One side of the text, ten times, as a file. */
static void write_side(const char *path, int side)
{
    FILE *file = fopen(path, "wb");
    size_t i;

    if (file == NULL)
        return;
    for (i = 0; i < 10 * sizeof sentences / sizeof sentences[0]; i++)
        fprintf(file, "%s\n", sentences[i % (sizeof sentences / sizeof sentences[0])][side]);
    fclose(file);
}

static void train(dgm_context *context)
{
    static const char *const names[] = {
        "train-sets", "model",        "dim-emb",  "transformer-heads", "transformer-dim-ffn",
        "enc-depth",  "dec-depth",    "tokenize", "bpe-merges",        "lr",
        "warmup",     "batch-tokens", "after",    "average",           "overwrite"
    };
    static const char *const values[] = { "example.en example.de",
                                          "example.gguf",
                                          "16",
                                          "2",
                                          "32",
                                          "1",
                                          "1",
                                          "none",
                                          "0",
                                          "0.02",
                                          "10",
                                          "100",
                                          "60u",
                                          "0",
                                          "true" };
    dgm_train_options options = DGM_OPTIONS(dgm_train_options);

    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    write_side("example.en", 0);
    write_side("example.de", 1);
    dgm_train(context, &options);
}

/* No call is checked by itself: the first error sticks, and later calls do nothing. */
static int translate(dgm_context *context, const char *const *models, const char *line,
                     const char *expected)
{
    dgm_translator_options options = DGM_OPTIONS(dgm_translator_options);
    dgm_translator *translator = NULL;
    const char *text = "";
    size_t lines;
    int good;

    options.models = models;
    options.model_count = 1;
    dgm_translator_new(context, &options, &translator);
    dgm_translator_add(translator, line, strlen(line));
    dgm_translator_run(translator, &lines);
    dgm_translator_result(translator, 0, 0, &text, NULL, NULL, NULL);
    puts(text);
    good = strcmp(text, expected) == 0;
    dgm_translator_free(translator);
    return good;
}

static int rescore(dgm_context *context, const char *const *models, const char *line,
                   const char *right, const char *wrong)
{
    dgm_rescorer_options options = DGM_OPTIONS(dgm_rescorer_options);
    dgm_rescorer *rescorer = NULL;
    double logp[2] = { 0, 0 };
    size_t pairs;

    options.models = models;
    options.model_count = 1;
    dgm_rescorer_new(context, &options, &rescorer);
    dgm_rescorer_add(rescorer, line, strlen(line), right, strlen(right));
    dgm_rescorer_add(rescorer, line, strlen(line), wrong, strlen(wrong));
    dgm_rescorer_run(rescorer, &pairs);
    dgm_rescorer_result(rescorer, 0, NULL, &logp[0]);
    dgm_rescorer_result(rescorer, 1, NULL, &logp[1]);
    printf("%.2f %s, %.2f %s\n", logp[0], right, logp[1], wrong);
    dgm_rescorer_free(rescorer);
    return logp[0] > logp[1];
}

int main(void)
{
    static const char *const models[] = { "example.gguf" };
    dgm_context *context;
    int good;

    if (dgm_context_new(NULL, &context) != DGM_OK)
        return 1;
    train(context);
    good = translate(context, models, sentences[1][0], sentences[1][1]) &&
           rescore(context, models, sentences[1][0], sentences[1][1], sentences[2][1]);
    if (dgm_context_error(context)->status != DGM_OK)
        puts(dgm_context_error(context)->message);
    good = good && dgm_context_error(context)->status == DGM_OK;
    dgm_context_free(context);
    return good ? 0 : 1;
}
