/* test_parse_head.c: trees from the attention head that is a parser. */
#include <math.h>

#include "decode/parse/parse_head.h"
#include "tiny.h"

enum { WORDS = 4 };

static int open_head(struct tiny *tiny, struct dgm_parse_head *parse, const char *syntax,
                     enum dgm_side side)
{
    struct dgm_model_config config = tiny_config();

    strcpy(config.syntax, syntax);
    memset(parse, 0, sizeof *parse);
    return tiny_open(tiny, &config, 1) == DGM_OK &&
           dgm_parse_head_init(test_env(), parse, &tiny->model, tiny->device, side, 0) == DGM_OK;
}

/* Where the weights are forced to be those of a tree, the tree comes out. */
TEST(parse_head_finds_the_tree_that_lisa_is_given)
{
    struct dgm_parse_head parse;
    struct dgm_random random;
    struct dgm_packed source;
    int32_t heads[TINY_LONGEST], s, w;
    double prob[TINY_LONGEST];
    struct tiny tiny;

    CHECK(open_head(&tiny, &parse, "lisa(layer=2,gold-at-test=1)", DGM_SOURCE));
    memset(&source, 0, sizeof source);
    dgm_random_init(&random, 3, 72, 0, 0);
    for (s = 0; s < 8; s++) {
        CHECK_STATUS(tiny_add_side(&source, &random, 1 + 2 * s, 3, TINY_TREE), DGM_OK);
        CHECK_STATUS(dgm_parse_head_run(test_env(), &parse, &source, NULL, s, heads, prob), DGM_OK);
        for (w = 0; w < 1 + 2 * s; w++) {
            int32_t head = source.heads[source.word_offsets[s] + w];
            CHECK_INT(heads[w], head == w ? 0 : head + 1);
            CHECK_NEAR(prob[w], 1, 0);
        }
    }
    dgm_packed_clear(test_env(), &source);
    dgm_parse_head_clear(test_env(), &parse);
    tiny_close(&tiny);
}

/* Whether every chain of heads ends at the root, which has exactly one word. */
static int is_tree(const int32_t heads[WORDS])
{
    int roots = 0, w, at, steps;

    for (w = 0; w < WORDS; w++) {
        roots += heads[w] == 0;
        for (at = w, steps = 0; heads[at] != 0 && steps <= WORDS; steps++)
            at = heads[at] - 1;
        if (steps > WORDS)
            return 0;
    }
    return roots == 1;
}

/* log A of an arc; the last piece of a word stands for it, and a root looks at itself. */
static double arc(const struct dgm_attention_weights *weights, const int32_t last[WORDS], int word,
                  int32_t head)
{
    int64_t column = last[head == 0 ? word : head - 1];

    return log((double)weights->values[last[word] * weights->ld + weights->step + column]);
}

static double sum_arcs(const struct dgm_attention_weights *weights, const int32_t last[WORDS],
                       const int32_t heads[WORDS])
{
    double sum = 0;
    int w;

    for (w = 0; w < WORDS; w++)
        sum += arc(weights, last, w, heads[w]);
    return sum;
}

/* The best of all trees over four words, by trying them all. */
static void check_best(const struct dgm_attention_weights *weights, const struct dgm_packed *source,
                       int32_t s, const int32_t found[WORDS], const double prob[WORDS])
{
    int32_t last[WORDS] = { 0 }, heads[WORDS], i;
    double best = -1e30;
    int code, w, rest;

    for (i = source->offsets[s]; i < source->offsets[s + 1] - 1; i++)
        last[source->words[i]] = i - source->offsets[s];
    for (code = 0; code < 5 * 5 * 5 * 5; code++) {
        for (w = 0, rest = code; w < WORDS; w++, rest /= 5)
            heads[w] = rest % 5;
        if (is_tree(heads) && sum_arcs(weights, last, heads) > best)
            best = sum_arcs(weights, last, heads);
    }
    CHECK(is_tree(found));
    CHECK_NEAR(sum_arcs(weights, last, found), best, 1e-5);
    for (w = 0; w < WORDS; w++)
        CHECK_NEAR(log(prob[w]), arc(weights, last, w, found[w]), 1e-5);
}

TEST(parse_head_finds_the_best_tree_of_dbsa)
{
    struct dgm_attention_weights weights;
    struct dgm_parse_head parse;
    struct dgm_random random;
    struct dgm_packed source;
    int32_t heads[WORDS], s;
    double prob[WORDS];
    struct tiny tiny;

    CHECK(open_head(&tiny, &parse, "dbsa(enc-layer=1,dec-layer=2,head=1)", DGM_SOURCE));
    memset(&source, 0, sizeof source);
    dgm_random_init(&random, 3, 72, 0, 0);
    for (s = 0; s < 8; s++) {
        CHECK_STATUS(tiny_add_side(&source, &random, WORDS, 3, TINY_NO_PARSE), DGM_OK);
        CHECK_STATUS(dgm_parse_head_run(test_env(), &parse, &source, NULL, s, heads, prob), DGM_OK);
        CHECK_STATUS(dgm_attention_reader_read(test_env(), &parse.reader, DGM_ATTENTION_ENCODER, 1,
                                               &weights),
                     DGM_OK);
        check_best(&weights, &source, s, heads, prob);
    }
    dgm_packed_clear(test_env(), &source);
    dgm_parse_head_clear(test_env(), &parse);
    tiny_close(&tiny);
}

/* The head of word w by its definition: the largest weight among the words before it, and its own,
 * which is a root's. The row of piece p is p + 1: a decoder reads a mark first. */
static int32_t likeliest(const struct dgm_attention_weights *weights, int64_t head,
                         const int32_t last[WORDS], int w)
{
    const dgm_real *row = weights->values + (last[w] + 1) * weights->ld + head * weights->step;
    int32_t best = 0, h;

    for (h = 1; h <= w; h++)
        if (row[last[h - 1] + 1] > row[last[best == 0 ? w : best - 1] + 1])
            best = h;
    return best;
}

TEST(parse_head_of_the_decoder_gives_each_word_the_likeliest_head_before_it)
{
    struct dgm_attention_weights weights;
    struct dgm_parse_head parse;
    struct dgm_random random;
    struct dgm_packed source, target;
    int32_t heads[WORDS], last[WORDS] = { 0 }, s, i, w;
    int heads_found = 0;
    double prob[WORDS];
    struct tiny tiny;

    CHECK(open_head(&tiny, &parse, "dbsa(enc-layer=1,dec-layer=2,head=1)", DGM_TARGET));
    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    dgm_random_init(&random, 3, 72, 0, 0);
    for (s = 0; s < 8; s++) {
        CHECK_STATUS(tiny_add_side(&source, &random, 1 + s, 3, TINY_NO_PARSE), DGM_OK);
        CHECK_STATUS(tiny_add_side(&target, &random, WORDS, 3, TINY_NO_PARSE), DGM_OK);
        CHECK_STATUS(dgm_parse_head_run(test_env(), &parse, &source, &target, s, heads, prob),
                     DGM_OK);
        CHECK_STATUS(dgm_attention_reader_read(test_env(), &parse.reader, DGM_ATTENTION_DECODER, 2,
                                               &weights),
                     DGM_OK);
        for (i = target.offsets[s]; i < target.offsets[s + 1] - 1; i++)
            last[target.words[i]] = i - target.offsets[s];
        for (w = 0; w < WORDS; w++) {
            int32_t at = last[heads[w] == 0 ? w : heads[w] - 1] + 1;
            CHECK_INT(heads[w], likeliest(&weights, 1, last, w));
            CHECK_NEAR(prob[w],
                       (double)weights.values[(last[w] + 1) * weights.ld + weights.step + at],
                       1e-6);
            heads_found += heads[w] != 0;
        }
        CHECK_INT(heads[0], 0);
    }
    CHECK(heads_found > 0);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    dgm_parse_head_clear(test_env(), &parse);
    tiny_close(&tiny);
}

static void check_headless(const char *syntax, enum dgm_side side)
{
    struct dgm_parse_head parse;
    struct tiny tiny;

    CHECK(!open_head(&tiny, &parse, syntax, side));
    CHECK_INT(test_env()->error.status, DGM_MODEL);
    dgm_env_clear_error(test_env());
    dgm_parse_head_clear(test_env(), &parse);
    tiny_close(&tiny);
}

TEST(parse_head_needs_a_head_that_parses)
{
    check_headless("deps-san(layers=1)", DGM_SOURCE);
    check_headless("deps-san(layers=1)", DGM_TARGET);
    check_headless("lisa(layer=2)", DGM_TARGET);
    check_headless("dbsa(enc-layer=1,dec-layer=0)", DGM_TARGET);
    check_headless("dbsa(enc-layer=0,dec-layer=1)", DGM_SOURCE);
}
