/*
 * fuzz_text_words.c: any bytes as a line, what a parser cut from it, and what a translation model
 * made of it. Before a NUL stands the line; in it, \1 and blanks end tokens, and \2 ends one that
 * is two words, of which the second is longer than it should be where the token is long. Behind the
 * NUL stand the words of the model. A random tree laid over them is a tree.
 */
#include "data/tree/text_words.h"
#include "memory.h"

#include "base/mem.h"
#include "base/philox.h"
#include "syntax/tree/random_tree.h"

enum { MOST_WORDS = 2000 };

/* The token text[start..end), as one word or two. */
static void add_token(struct dgm_env *env, struct dgm_text_words *words, const char *text,
                      size_t start, size_t end, int is_two)
{
    struct dgm_buf forms = { NULL, 0, 0, 0 };
    const size_t half = (end - start) / 2;

    expect(dgm_buf_add(env, &forms, text + start, is_two ? half : end - start) == DGM_OK);
    expect(dgm_buf_add_char(env, &forms, '\0') == DGM_OK);
    expect(dgm_buf_add(env, &forms, text + start + half, end - start - half) == DGM_OK);
    if (end - start > 6)
        expect(dgm_buf_add_text(env, &forms, "more") == DGM_OK);
    expect(dgm_text_words_add(env, words, start, end, forms.data, is_two ? 2 : 1) == DGM_OK);
    dgm_buf_clear(env, &forms);
}

static void add_tokens(struct dgm_env *env, struct dgm_text_words *words, const char *text,
                       size_t size)
{
    size_t start = 0;

    expect(dgm_text_words_begin(env, words, text, size) == DGM_OK);
    for (size_t at = 0; at <= size && words->word_count + 2 <= MOST_WORDS; at++) {
        if (at < size && text[at] != '\1' && text[at] != '\2' && text[at] != ' ')
            continue;
        if (at > start)
            add_token(env, words, text, start, at, at < size && text[at] == '\2');
        start = at + 1;
    }
}

static int32_t count_words(const char *line, size_t size)
{
    int32_t count = 0;

    for (size_t i = 0; i < size && count < MOST_WORDS; i++)
        count += line[i] != ' ' && (i == 0 || line[i - 1] == ' ');
    return count;
}

static void check(struct dgm_env *env, const struct dgm_text_words *words, int32_t count)
{
    struct dgm_overlay overlay;
    struct dgm_random random;
    int32_t *heads = dgm_alloc(env, words->word_count + (size_t)count + 1, sizeof *heads);
    struct dgm_tree tree = { heads, (int32_t)words->word_count, 1 };

    expect(heads != NULL);
    memset(&overlay, 0, sizeof overlay);
    dgm_random_init(&random, words->word_count, (uint32_t)count, 0, 0);
    if (tree.count > 0)
        dgm_tree_random(heads, &random, tree.count);
    for (size_t w = 1; w < words->word_count; w++)
        expect(words->words[w].start >= words->words[w - 1].start &&
               words->words[w].end >= words->words[w - 1].end);
    expect(words->token_count == (size_t)count);
    expect(dgm_overlay_lay(env, &overlay, &tree, words->words, words->tokens, words->joins,
                           count) == DGM_OK);
    tree.head = overlay.head;
    tree.count = count;
    expect(overlay.kept >= 0 && overlay.kept <= (int32_t)words->word_count);
    for (int32_t t = 1; t < count; t++)
        expect((overlay.head[t] < 0) == (overlay.head[0] < 0));
    if (count > 0 && overlay.head[0] >= 0) {
        expect(dgm_tree_validate(env, heads, &tree) == DGM_OK);
        expect(dgm_tree_root_count(&tree) == 1);
    }
    dgm_overlay_clear(env, &overlay);
    dgm_release(env, heads);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "", *line = text + size;
    const uint8_t *end = size > 0 ? memchr(data, '\0', size) : NULL;
    const size_t length = end != NULL ? (size_t)(end - data) : size;
    struct dgm_text_words words;
    struct memory memory;
    struct dgm_env env;
    int32_t count;

    memory_begin(&memory, &env, "", 0);
    memset(&words, 0, sizeof words);
    line = end != NULL ? text + length + 1 : line;
    count = count_words(line, (size_t)(text + size - line));
    add_tokens(&env, &words, text, length);
    expect(dgm_text_words_end(&env, &words, line, (size_t)(text + size - line), count) == DGM_OK);
    check(&env, &words, count);
    dgm_text_words_clear(&env, &words);
    return 0;
}
