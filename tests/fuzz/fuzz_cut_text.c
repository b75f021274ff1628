/*
 * fuzz_cut_text.c: any bytes as running text, which a network of random weights cuts: the first
 * byte says whether tokens may have blanks inside, a NUL ends a paragraph. Tokens come in order and
 * cover everything but white space; a paragraph ends with a token.
 */
#include "decode/parse/cut_text.h"
#include "memory.h"

#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "text/unicode/utf8.h"

static const char treebank[] = "1\tab\t_\tX\t_\t_\t0\troot\t_\t_\n"
                               "2\tba\t_\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                               "3\t.\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
                               "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
                               "2\t.\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";
static const char shape[] =
    "pieces = none\nenc-depth = 1\ndim-emb = 4\ndim-lstm = 2\ndim-arc = 2\ndim-label = 2\n"
    "dim-tag = 2\ntokenizer = true\ndim-tokenizer = 8\n";

/* Made once: weights never change. */
static struct maker {
    struct memory memory;
    struct dgm_env env;
    struct dgm_device *device;
    struct dgm_parser parser;
    struct dgm_cut_text cut;
} maker;

static void make_parser(struct maker *made)
{
    static const struct dgm_opt *const tables[] = { dgm_parser_options, NULL };
    static const char *const paths[] = { "treebank" };
    const struct dgm_lexicon_options options = { .min_count = 1, .with_text = 1 };
    struct dgm_settings settings;
    struct dgm_lexicon lexicon;
    struct dgm_env *env = &made->env;

    memset(&settings, 0, sizeof settings);
    expect(dgm_settings_init(env, &settings, tables) == DGM_OK);
    expect(dgm_settings_file_parse(env, &settings, shape, strlen(shape), "shape") == DGM_OK);
    expect(dgm_lexicon_learn(env, &lexicon, paths, 1, &options) == DGM_OK);
    expect(dgm_parser_make(env, &made->parser, &settings, &lexicon) == DGM_OK);
    dgm_settings_clear(env, &settings);
}

static void make(struct maker *made)
{
    const struct dgm_device_options options = { .threads = 1 };
    struct dgm_env *env = &made->env;

    memory_begin(&made->memory, env, treebank, sizeof treebank - 1);
    expect(dgm_device_open(env, &made->device, "cpu", &options) == DGM_OK);
    make_parser(made);
    expect(dgm_net_allocate(env, &made->parser.net, made->device, 0) == DGM_OK);
    expect(dgm_params_initialise(env, &made->parser.net.params, 7) == DGM_OK);
    expect(dgm_cut_text_init(env, &made->cut, &made->parser, made->device) == DGM_OK);
}

static void check(const struct dgm_cut_text *cut, const char *text, size_t size)
{
    size_t at = 0;
    uint32_t code;

    for (size_t t = 0; t <= cut->count; t++) {
        size_t start = t < cut->count ? cut->tokens[t].start : size;

        expect(start >= at && start <= size);
        while (at < start) {
            at += dgm_utf8_decode(&code, text + at, size - at);
            expect(dgm_character_is_blank(code));
        }
        expect(at == start);
        if (t == cut->count)
            break;
        expect(cut->tokens[t].end > start && cut->tokens[t].end <= size);
        at = cut->tokens[t].end;
    }
    expect(cut->count == 0 || cut->tokens[cut->count - 1].ends_paragraph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PARAGRAPHS = 64 };
    size_t ends[MOST_PARAGRAPHS], count = 0;
    struct dgm_buf text = { NULL, 0, 0, 0 };

    if (maker.device == NULL)
        make(&maker);
    for (size_t at = 1, length; at < size && count < MOST_PARAGRAPHS; at += length + 1) {
        const uint8_t *end = memchr(data + at, '\0', size - at);

        length = end != NULL ? (size_t)(end - data) - at : size - at;
        expect(dgm_buf_add(&maker.env, &text, data + at, length) == DGM_OK);
        ends[count++] = text.size;
    }
    maker.parser.lexicon.cuts.has_blanks = size > 0 && data[0] % 2;
    expect(dgm_cut_text_run(&maker.env, &maker.cut, text.size > 0 ? text.data : "", ends, count) ==
           DGM_OK);
    check(&maker.cut, text.size > 0 ? text.data : "", text.size);
    dgm_buf_clear(&maker.env, &text);
    return 0;
}
