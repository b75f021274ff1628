/*
 * calls_input.h: for fuzz_calls.c: the input as choices of words, numbers, lines, options and
 * files, among them those that nobody ought to hand over.
 */
#ifndef DGM_FUZZ_CALLS_INPUT_H
#define DGM_FUZZ_CALLS_INPUT_H

#include <dragoman.h>

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void require(int holds)
{
    if (!holds)
        abort();
}

/* ---- the input ------------------------------------------------------------------------------- */

static struct {
    const uint8_t *at, *end;
} input;

static unsigned take(unsigned count)
{
    return input.at < input.end ? *input.at++ % count : 0;
}

/* Once in so many times. */
static int seldom(unsigned times)
{
    return take(times) == times - 1;
}

#define ONE_OF(list) ((list)[take((unsigned)(sizeof(list) / sizeof *(list)))])

static const char *any_word(void)
{
    /* clang-format off */
    static const char *const words[] = {
        NULL, "", "a", "en", "de", "zz", "hi", "bleu", "chrf", "none", "all", "cpu", "0", "1%",
        "2000", "pairs", "sides", "fairseq", "gnmt", "<de>", "svg", "json", "text", "heads",
        "int8", "bf16", "q8_0", "own", "moses", "document", "marginal", "shrinking", "mean",
        "1-3 5", "encoder", "lines", "%s%n%d", "\xff\xfe", "conllu", "brackets", "binary",
        "sentence", "english", "row", "4294967296", "99999999999999999999", "-1",
    };
    /* clang-format on */
    return ONE_OF(words);
}

static int64_t any_number(void)
{
    /* clang-format off */
    static const int64_t numbers[] = {
        0, 1, 2, 3, -1, 5, 100, INT_MAX, INT_MIN, INT64_MAX, INT64_MIN, 1 << 16, 1 << 20,
    };
    /* clang-format on */
    return ONE_OF(numbers);
}

static int any_int(void)
{
    /* clang-format off */
    static const int numbers[] = {
        0, 1, 2, 3, -1, 5, 64, 65, 100, 300, INT_MAX, INT_MIN,
    };
    /* clang-format on */
    return ONE_OF(numbers);
}

static double any_real(void)
{
    static const double reals[] = { 0,      1,   -1,     0.5,         1e308,
                                    -1e308, 0.1, 1e-320, (double)NAN, (double)INFINITY };
    return ONE_OF(reals);
}

static size_t any_size(void)
{
    static const size_t sizes[] = { 0, 1, 2, 3, 64, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 };
    return ONE_OF(sizes);
}

/* A line, which may be longer than any memory, or of no characters at all. */
struct line {
    const char *text;
    size_t bytes;
};

static struct line any_line(void)
{
    static const char *const lines[] = { "a",    "",     "the dog sees a cat",      "a b c", "\xff",
                                         "a\nb", "\t\t", "<de> It's a dog. He ran?" };
    struct line line = { ONE_OF(lines), 0 };

    line.bytes = strlen(line.text);
    if (seldom(16))
        line.text = NULL;
    if (seldom(16))
        line.bytes = SIZE_MAX - take(3);
    return line;
}

/* The options, none, or those of a header that nobody has. */
static const void *any_options(void *options, size_t size)
{
    const size_t given = seldom(8) ? size - 8 * (1 + take(8)) : any_size();

    if (seldom(8))
        return NULL;
    if (seldom(8))
        memcpy(options, &given, sizeof given);
    return options;
}

/* ---- files ----------------------------------------------------------------------------------- */

static char folder[] = "/tmp/dragoman-calls-XXXXXX";

enum { FILES = 8, PATH = 80 };

static const struct {
    const char *name, *text;
} files[FILES] = {
    { "text", "a b c\nb c\nc a\n" },
    { "other", "x y z\ny z\nz x\n" },
    { "codes", "#version: 0.2\na b</w>\nb c</w>\n" },
    { "counts", "a 3\nb 2\nc 1\n" },
    { "table.csv", "a,b,c\nx,1,2\ny,3,4\n" },
    { "trees", "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tnext\t_\t_\n\n"
               "1\tb\t_\tX\t_\t_\t2\tnext\t_\t_\n2\tc\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
               "1\tc\t_\tX\t_\t_\t0\troot\t_\t_\n2\ta\t_\tX\t_\t_\t1\tnext\t_\t_\n\n" },
    { "many", "a\nb\nc\nd\ne\n" },
    { "broken", "GGUF\3\0\0\0" },
};

static char paths[FILES][PATH], model_path[PATH], parser_path[PATH], out_path[PATH],
    none_path[PATH];

static void put_path(char *path, const char *name)
{
    snprintf(path, PATH, "%s/%s", folder, name);
}

static const char *any_path(void)
{
    const unsigned number = take(FILES + 6);

    if (number < FILES)
        return paths[number];
    switch (number - FILES) {
    case 0: return NULL;
    case 1: return "";
    case 2: return folder;
    case 3: return none_path;
    case 4: return parser_path;
    default: return model_path;
    }
}

static void train(dgm_status (*run)(dgm_context *, const dgm_train_options *), int count,
                  const char *const *names, const char *const *values)
{
    dgm_context_options options = DGM_OPTIONS(dgm_context_options);
    dgm_train_options training = DGM_OPTIONS(dgm_train_options);
    dgm_context *context;

    options.threads = 1;
    training.names = names;
    training.values = values;
    training.count = (size_t)count;
    require(dgm_context_new(&options, &context) == DGM_OK);
    require(run(context, &training) == DGM_OK);
    dgm_context_free(context);
}

static void train_models(void)
{
    static const char *const names[] = {
        "train-sets", "model",     "after",    "dim-emb",    "transformer-dim-ffn",
        "enc-depth",  "dec-depth", "tokenize", "bpe-merges", "transformer-heads"
    };
    static const char *const parser_names[] = { "train-sets",    "model",     "after",
                                                "dim-emb",       "dim-lstm",  "enc-depth",
                                                "dim-arc",       "dim-label", "min-freq",
                                                "dim-piece-lstm" };
    char sets[2 * PATH + 1];
    const char *const values[] = { sets, model_path, "2u", "8", "8", "1", "1", "none", "0", "2" };
    const char *const parser_values[] = { paths[5], parser_path, "2u", "8", "8",
                                          "1",      "8",         "4",  "1", "4" };

    snprintf(sets, sizeof sets, "%s %s", paths[0], paths[1]);
    train(dgm_train, 10, names, values);
    train(dgm_train_parser, 10, parser_names, parser_values);
}

static void remove_files(void)
{
    char command[PATH + 8];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s stays\n", folder);
}

/* Once, for all inputs. */
static void put_files(void)
{
    FILE *file;

    if (model_path[0] != '\0')
        return;
    require(mkdtemp(folder) != NULL);
    for (int i = 0; i < FILES; i++) {
        put_path(paths[i], files[i].name);
        file = fopen(paths[i], "wb");
        require(file != NULL && fputs(files[i].text, file) >= 0 && fclose(file) == 0);
    }
    put_path(model_path, "model.gguf");
    put_path(parser_path, "parser.gguf");
    put_path(out_path, "out.gguf");
    put_path(none_path, "none");
    train_models();
    atexit(remove_files);
}

#endif
