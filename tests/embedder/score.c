/* score.c: BLEU and chrF of a few sentences by the public interface. */
#include <dragoman.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *hypothesis, *references[2];
} sentences[] = {
    { "The dog bit the man.", { "The dog bit the man.", "The dog had bit the man." } },
    { "It wasn't surprising.", { "It was not unexpected.", "No one was surprised." } },
    { "The man had just bitten him.", { "The man bit him first.", "The man had bitten the dog." } },
};

static dgm_status print(dgm_context *context, const char *metric)
{
    dgm_scorer_options options;
    dgm_scorer *scorer = NULL;
    const char *text;
    double value = -1.0;
    size_t i;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.metric = metric;
    dgm_scorer_new(context, &options, &scorer);
    for (i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        size_t bytes[2];
        bytes[0] = strlen(sentences[i].references[0]);
        bytes[1] = strlen(sentences[i].references[1]);
        dgm_scorer_add(scorer, sentences[i].hypothesis, strlen(sentences[i].hypothesis),
                       sentences[i].references, bytes, 2);
    }
    dgm_scorer_value(scorer, &value, NULL);
    if (dgm_scorer_text(scorer, DGM_SCORE_SIGNATURE, &text) == DGM_OK)
        printf("%s %.4f %s\n", metric, value, text);
    dgm_scorer_free(scorer);
    return value > 0.0 && value < 100.0 ? dgm_context_error(context)->status : DGM_FAILURE;
}

int main(void)
{
    dgm_context *context;
    dgm_status status = dgm_context_new(NULL, &context);

    if (status == DGM_OK)
        status = print(context, "bleu");
    if (status == DGM_OK)
        status = print(context, "chrf++");
    if (status != DGM_OK && context != NULL)
        puts(dgm_context_error(context)->message);
    dgm_context_free(context);
    return dgm_status_exit_code(status);
}
