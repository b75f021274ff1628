/* text.c: tokenising, learning and applying BPE, and undoing both, by the public interface. */
#include <dragoman.h>

#include <stdio.h>
#include <string.h>

static const char line[] = "The old dragoman knows the newest words, and the oldest ones.";

/* Collects a result that is written in pieces. */
static dgm_status keep(void *user, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, user) == bytes ? DGM_OK : DGM_FAILURE;
}

/* Learns codes from the tokens of the line, and leaves them in a file. */
static void learn(dgm_context *context, const char *tokens, size_t bytes, const char *path)
{
    dgm_codes_options options = { .struct_size = sizeof options,
                                  .symbols = 30,
                                  .min_frequency = 2 };
    dgm_words *words = NULL;
    FILE *codes = fopen(path, "wb");

    /* No call is checked by itself: the first error sticks, and later calls do nothing. */
    dgm_words_new(context, &words);
    dgm_words_add(words, tokens, bytes);
    if (codes != NULL) {
        dgm_words_learn(words, &options, keep, codes);
        fclose(codes);
    }
    dgm_words_free(words);
}

static int round_trip(dgm_context *context, const char *path)
{
    dgm_segmenter_options options;
    dgm_tokenizer *tokenizer = NULL;
    dgm_segmenter *segmenter = NULL;
    const char *tokens = NULL, *pieces = NULL, *joined = NULL, *text = NULL;
    size_t token_bytes = 0, piece_bytes = 0, joined_bytes = 0, text_bytes = 0;
    int good;

    dgm_tokenizer_new(context, NULL, &tokenizer);
    dgm_tokenizer_apply(tokenizer, line, strlen(line), &tokens, &token_bytes);
    if (dgm_context_error(context)->status == DGM_OK)
        learn(context, tokens, token_bytes, path);

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.codes = path;
    dgm_segmenter_new(context, &options, &segmenter);
    dgm_segmenter_apply(segmenter, tokens, token_bytes, &pieces, &piece_bytes);
    if (dgm_context_error(context)->status == DGM_OK)
        puts(pieces);
    dgm_segmenter_undo(segmenter, pieces, piece_bytes, &joined, &joined_bytes);
    dgm_tokenizer_undo(tokenizer, joined, joined_bytes, &text, &text_bytes);
    good = dgm_context_error(context)->status == DGM_OK && text_bytes == strlen(line) &&
           memcmp(text, line, text_bytes) == 0;
    dgm_segmenter_free(segmenter);
    dgm_tokenizer_free(tokenizer);
    return good;
}

int main(void)
{
    static const char path[] = "example.codes";
    dgm_context *context;
    int good;

    if (dgm_context_new(NULL, &context) != DGM_OK)
        return 1;
    good = round_trip(context, path);
    if (!good)
        printf("%s: %s\n", dgm_context_error(context)->file, dgm_context_error(context)->message);
    dgm_context_free(context);
    remove(path);
    return !good;
}
