/*
 * test_parse_mates.c: parsers of an ensemble, whose classes stand in different orders, decide by
 * the mean of what they hold likely.
 */
#include "decode/parse/parse_mates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "decode/parse/parse_peers.h"
#include "open_device.h"
#include "test.h"
#include "treebank_file.h"

#define WORD_A "1\ta\ta\tDET\tDT\tDefinite=Ind\t2\tdet\t_\t_\n"
#define WORD_B "\tbs\tb\tNOUN\tNN\tNumber=Plur\t"
#define WORD_C "1\tc\tc\tVERB\tVB\tMood=Imp\t0\troot\t_\t_\n"
#define A_B WORD_A "2" WORD_B "0\troot\t_\t_\n\n"
#define C_B WORD_C "2" WORD_B "1\tobj\t_\t_\n\n"
#define B "1" WORD_B "0\troot\t_\t_\n\n"
#define C WORD_C "\n"
#define UNTAGGED "1\tc\t_\t_\t_\t_\t0\troot\t_\t_\n2\tbs\t_\t_\t_\t_\t1\tobj\t_\t_\n\n"

/* The same classes; what is frequent comes first, so that their orders differ. */
static const char *const treebanks[2] = { A_B C_B B, C_B C_B A_B C C C C };
static const char read_all[] = A_B C_B B C;

static const char sizes[] =
    "encoder = lstm\npieces = chars\nenc-depth = 1\ndim-emb = 8\ndim-lstm = 5\ndim-piece = 4\n"
    "dim-piece-lstm = 3\ndim-arc = 6\ndim-label = 4\ndim-tag = 12\nmax-length = 6\n"
    "columns = all\ncolumns-weight = 0.5\n";

/* Two parsers, and what both parse. */
struct duo {
    struct dgm_device *device;
    struct dgm_parser parsers[2];
    struct dgm_treebank banks[2];
    struct dgm_parse_peer peer; /* the second, beside the first */
};

static dgm_status learn_lexicon(struct dgm_lexicon *lexicon, const char *treebank)
{
    const struct dgm_lexicon_options options = { .kind = DGM_PIECES_CHARS,
                                                 .min_count = 1,
                                                 .morphs = DGM_MORPH_ALL };
    char path[1200];
    const char *paths[1] = { path };

    memset(lexicon, 0, sizeof *lexicon);
    DGM_TRY(put_treebank(path, "learned.conllu", treebank));
    return dgm_lexicon_learn(test_env(), lexicon, paths, 1, &options);
}

static dgm_status make_parser(struct dgm_parser *parser, struct dgm_device *device,
                              const char *treebank, const char *more, uint64_t seed)
{
    static const struct dgm_opt *const tables[] = { dgm_parser_options, NULL };
    struct dgm_settings settings;
    struct dgm_lexicon lexicon;
    char text[1000];
    dgm_status status;

    snprintf(text, sizeof text, "%s%s", sizes, more);
    memset(&settings, 0, sizeof settings);
    DGM_TRY_OUT(dgm_settings_init(test_env(), &settings, tables));
    DGM_TRY_OUT(dgm_settings_file_parse(test_env(), &settings, text, strlen(text), "test"));
    DGM_TRY_OUT(learn_lexicon(&lexicon, treebank));
    DGM_TRY_OUT(dgm_parser_make(test_env(), parser, &settings, &lexicon));
    DGM_TRY_OUT(dgm_net_allocate(test_env(), &parser->net, device, 1));
    DGM_TRY_OUT(dgm_params_initialise(test_env(), &parser->net.params, seed));
out:
    dgm_settings_clear(test_env(), &settings);
    return status;
}

static dgm_status load_banks(struct duo *duo, const char *text)
{
    char path[1200];

    DGM_TRY(put_treebank(path, "read.conllu", text));
    for (int i = 0; i < 2; i++) {
        dgm_treebank_clear(test_env(), &duo->banks[i]);
        DGM_TRY(dgm_treebank_load(test_env(), &duo->banks[i], &duo->parsers[i].lexicon, path, 6,
                                  DGM_MULTI_ROOT_ERROR, NULL));
    }
    return DGM_OK;
}

/* `which`: their treebanks; `more`: settings of the second. */
static dgm_status open_duo(struct duo *duo, int second, uint64_t seed, const char *more)
{
    memset(duo, 0, sizeof *duo);
    DGM_TRY(open_device(test_env(), &duo->device, 1));
    DGM_TRY(make_parser(&duo->parsers[0], duo->device, treebanks[0], "", 5));
    DGM_TRY(make_parser(&duo->parsers[1], duo->device, treebanks[second], more, seed));
    DGM_TRY(dgm_parse_peer_init(test_env(), &duo->peer, &duo->parsers[0], &duo->parsers[1],
                                DGM_MORPH_ALL, "b.gguf"));
    duo->peer.bank = &duo->banks[1];
    return load_banks(duo, read_all);
}

static void close_duo(struct duo *duo)
{
    dgm_parse_peer_clear(test_env(), &duo->peer);
    for (int i = 0; i < 2; i++) {
        dgm_treebank_clear(test_env(), &duo->banks[i]);
        dgm_parser_clear(test_env(), &duo->parsers[i]);
    }
    dgm_device_close(test_env(), duo->device);
}

/* By parser `which` alone, or by both (-1). */
static dgm_status parse(struct duo *duo, int which, enum dgm_arc_prob prob,
                        struct dgm_parsed *parsed)
{
    const struct dgm_parse_options options = {
        .prob = prob,
        .morphs = DGM_MORPH_ALL,
        .peers = &duo->peer,
        .peer_count = which < 0,
    };
    const int first = which < 0 ? 0 : which;
    struct dgm_parse work;
    dgm_status status;

    memset(parsed, 0, sizeof *parsed);
    status = dgm_parse_init(test_env(), &work, &duo->parsers[first], &options);
    if (status == DGM_OK)
        status = dgm_parse_bank(test_env(), &work, &duo->banks[first], 100, parsed);
    dgm_parse_clear(test_env(), &work);
    return status;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* The parser is sure of the class with this name, whatever it reads. */
static void make_sure(struct dgm_parser *parser, dgm_param_id bias, const struct dgm_vocab *vocab,
                      const char *name)
{
    dgm_real values[16] = { 0 };
    int32_t number = dgm_lexicon_class(vocab, name);

    CHECK(number >= 0 && dgm_lexicon_classes(vocab) <= 16);
    values[number] = 1000;
    CHECK_STATUS(dgm_params_write(test_env(), &parser->net.params, bias, values), DGM_OK);
}

static void check_order(const struct dgm_vocab *a, const struct dgm_vocab *b, const char *name)
{
    CHECK(dgm_lexicon_class(a, name) != dgm_lexicon_class(b, name));
}

/* What the second is sure of, the first, which is not, names in its own numbers. */
TEST(parse_mates_map_classes_by_name)
{
    static const char *const sure[DGM_MORPHS] = { "DT", "Mood=Imp", "l0||" };
    struct dgm_lexicon *a, *b;
    struct dgm_parsed parsed;
    struct duo duo;

    CHECK_STATUS(open_duo(&duo, 1, 6, ""), DGM_OK);
    a = &duo.parsers[0].lexicon;
    b = &duo.parsers[1].lexicon;
    make_sure(&duo.parsers[1], duo.parsers[1].tag_output.bias, &b->tags, "VERB");
    make_sure(&duo.parsers[1], duo.parsers[1].label_of_dependent.bias, &b->labels, "obj");
    check_order(&a->tags, &b->tags, "VERB");
    check_order(&a->labels, &b->labels, "obj");
    for (int m = 0; m < DGM_MORPHS; m++) {
        make_sure(&duo.parsers[1], duo.parsers[1].morphs[m].output.bias, &b->morphs[m], sure[m]);
        check_order(&a->morphs[m], &b->morphs[m], sure[m]);
    }
    dgm_lemma_book_clear(test_env(), &a->lemmas);
    CHECK_STATUS(parse(&duo, -1, DGM_PROB_NONE, &parsed), DGM_OK);
    for (int32_t i = 0; i < duo.banks[0].rows.offsets[4]; i++) {
        if (parsed.heads[i] < 0)
            continue;
        CHECK_INT(parsed.tags[i], dgm_lexicon_class(&a->tags, "VERB"));
        CHECK_INT(parsed.labels[i],
                  dgm_lexicon_class(&a->labels, parsed.heads[i] == 0 ? "root" : "obj"));
        for (int m = 0; m < DGM_MORPHS; m++)
            CHECK_INT(parsed.morphs[m][i], dgm_lexicon_class(&a->morphs[m], sure[m]));
    }
    dgm_parsed_clear(test_env(), &parsed);
    close_duo(&duo);
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* Of a sentence of two words: the probability that the root, not the other word, heads word w. */
static double of_root(const struct dgm_parsed *parsed, int w)
{
    return parsed->heads[w] == 0 ? parsed->prob[w] : 1 - parsed->prob[w];
}

/* `both` is the better one of two trees under the mean of a and b. */
static void check_mean(const struct dgm_parsed *a, const struct dgm_parsed *b,
                       const struct dgm_parsed *both)
{
    double root[3];
    int first;

    for (int w = 1; w <= 2; w++)
        root[w] = (of_root(a, w) + of_root(b, w)) / 2;
    first = root[1] * (1 - root[2]) > root[2] * (1 - root[1]);
    CHECK_INT(both->heads[1], first ? 0 : 2);
    CHECK_INT(both->heads[2], first ? 1 : 0);
    CHECK_NEAR(both->prob[1], first ? root[1] : 1 - root[1], 1e-6);
    CHECK_NEAR(both->prob[2], first ? 1 - root[2] : root[2], 1e-6);
}

TEST(parse_mates_average_rows_of_heads)
{
    struct dgm_parsed parsed[3];
    struct duo duo;

    for (uint64_t seed = 6; seed < 12; seed++) {
        CHECK_STATUS(open_duo(&duo, 1, seed, ""), DGM_OK);
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(parse(&duo, i < 2 ? i : -1, DGM_PROB_ROW, &parsed[i]), DGM_OK);
        check_mean(&parsed[0], &parsed[1], &parsed[2]);
        for (int i = 0; i < 3; i++)
            dgm_parsed_clear(test_env(), &parsed[i]);
        close_duo(&duo);
    }
}

static void check_same(const struct dgm_parsed *a, const struct dgm_parsed *b, size_t rows)
{
    CHECK_MEM(a->heads, b->heads, rows * sizeof *a->heads);
    CHECK_MEM(a->labels, b->labels, rows * sizeof *a->labels);
    CHECK_MEM(a->tags, b->tags, rows * sizeof *a->tags);
    CHECK_MEM(a->prob, b->prob, rows * sizeof *a->prob);
    for (int m = 0; m < DGM_MORPHS; m++)
        CHECK_MEM(a->morphs[m], b->morphs[m], rows * sizeof *a->morphs[m]);
}

TEST(parse_mates_that_are_equal_change_no_bit)
{
    struct dgm_parsed once, twice;
    struct duo duo;

    for (int prob = DGM_PROB_ROW; prob <= DGM_PROB_MARGINAL; prob++) {
        CHECK_STATUS(open_duo(&duo, 0, 5, ""), DGM_OK);
        CHECK_STATUS(parse(&duo, 0, (enum dgm_arc_prob)prob, &once), DGM_OK);
        CHECK_STATUS(parse(&duo, -1, (enum dgm_arc_prob)prob, &twice), DGM_OK);
        check_same(&once, &twice, (size_t)duo.banks[0].rows.offsets[4]);
        dgm_parsed_clear(test_env(), &once);
        dgm_parsed_clear(test_env(), &twice);
        close_duo(&duo);
    }
}

/* One that reads tags gets those that were chosen together, here by the other alone. */
TEST(parse_mates_read_tags_that_all_have_chosen)
{
    struct dgm_parsed parsed[3];
    struct duo duo;

    CHECK_STATUS(open_duo(&duo, 1, 6, "tag-input = true\n"), DGM_OK);
    CHECK_STATUS(load_banks(&duo, UNTAGGED), DGM_OK);
    make_sure(&duo.parsers[0], duo.parsers[0].tag_output.bias, &duo.parsers[0].lexicon.tags, "DET");
    CHECK_STATUS(parse(&duo, 0, DGM_PROB_ROW, &parsed[0]), DGM_OK);
    CHECK_STATUS(parse(&duo, -1, DGM_PROB_ROW, &parsed[2]), DGM_OK);
    for (int w = 1; w <= 2; w++)
        duo.banks[1].tags[w] = dgm_lexicon_class(&duo.parsers[1].lexicon.tags, "DET");
    CHECK_STATUS(parse(&duo, 1, DGM_PROB_ROW, &parsed[1]), DGM_OK);
    check_mean(&parsed[0], &parsed[1], &parsed[2]);
    for (int i = 0; i < 3; i++)
        dgm_parsed_clear(test_env(), &parsed[i]);
    close_duo(&duo);
}

/* ---- misfits --------------------------------------------------------------------------------- */

static void check_misfit(const char *treebank, const char *more, unsigned morphs, const char *text)
{
    struct dgm_parse_peer peer;
    struct dgm_parser other;
    struct duo duo;

    memset(&peer, 0, sizeof peer);
    memset(&other, 0, sizeof other);
    CHECK_STATUS(open_duo(&duo, 0, 5, ""), DGM_OK);
    CHECK_STATUS(make_parser(&other, duo.device, treebank, more, 5), DGM_OK);
    CHECK_STATUS(dgm_parse_peer_init(test_env(), &peer, &duo.parsers[0], &other, morphs, "c.gguf"),
                 text != NULL ? DGM_MODEL : DGM_OK);
    if (text != NULL && strstr(test_env()->error.message, text) == NULL)
        CHECK_STR(test_env()->error.message, text);
    dgm_env_clear_error(test_env());
    dgm_parse_peer_clear(test_env(), &peer);
    dgm_parser_clear(test_env(), &other);
    close_duo(&duo);
}

TEST(parse_mates_of_other_classes_are_refused)
{
    check_misfit(A_B B, "", 0, "lacks relation \"obj\", which the first parser knows");
    check_misfit(A_B C_B "1\td\td\tX\tVB\tMood=Imp\t0\troot\t_\t_\n\n", "", 0,
                 "knows UPOS \"X\", which the first parser lacks");
    check_misfit(A_B C_B "1\td\td\tVERB\tVX\tMood=Imp\t0\troot\t_\t_\n\n", "", DGM_MORPH_ALL,
                 "knows XPOS \"VX\"");
    check_misfit(A_B C_B "1\td\td\tVERB\tVB\tX=Y\t0\troot\t_\t_\n\n", "", DGM_MORPH_ALL,
                 "knows FEATS \"X=Y\"");
    check_misfit(A_B C_B "1\td\tde\tVERB\tVB\tMood=Imp\t0\troot\t_\t_\n\n", "", DGM_MORPH_ALL,
                 "knows lemma script");
    /* Columns that nobody wants may differ. */
    check_misfit(A_B C_B "1\td\td\tVERB\tVX\tMood=Imp\t0\troot\t_\t_\n\n", "", DGM_MORPH_ALL & ~1u,
                 NULL);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(parse_mates_without_memory_fail_and_leave_nothing)
{
    dgm_status status = DGM_MEMORY;
    struct dgm_parsed parsed;
    struct duo duo;
    long n = 0;

    CHECK_STATUS(open_duo(&duo, 1, 6, "tag-input = true\n"), DGM_OK);
    CHECK_STATUS(load_banks(&duo, UNTAGGED), DGM_OK);
    CHECK_STATUS(parse(&duo, -1, DGM_PROB_ROW, &parsed), DGM_OK); /* the device has its scratch */
    dgm_parsed_clear(test_env(), &parsed);
    while (status != DGM_OK) {
        long live = test_live_blocks();

        test_env_fail_at(test_allocations() + 1 + n++);
        status = parse(&duo, -1, DGM_PROB_ROW, &parsed);
        test_env_fail_at(0);
        if (status != DGM_OK)
            CHECK_STATUS(status, DGM_MEMORY);
        dgm_env_clear_error(test_env());
        dgm_parsed_clear(test_env(), &parsed);
        CHECK_INT(test_live_blocks(), live);
    }
    CHECK(n > 30);
    close_duo(&duo);
}
