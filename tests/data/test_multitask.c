/*
 * test_multitask.c: a corpus of two tasks: marks that no text can make, brackets that are never
 * cut.
 */
#include <stdio.h>
#include <string.h>

#include "data/multitask.h"
#include "data/order.h"
#include "data/text/pipeline_learn.h"
#include "treebank_file.h"

static const char source[] = "the dog barks\n\nsome dogs bark loudly\nthe ( dog )\nyes\n";
static const char target[] = "der Hund bellt\nx\nmanche Hunde bellen laut\nder ( Hund )\nja\n";
static const char brackets[] = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))\n\n"
                               "(ROOT (S (NP (DT some) (NNS dogs)) (VP (V bark) (ADVP (R x)))))\n"
                               "(())\n(ROOT (INTJ (UH yes)))\n";

/* A pipeline, its text and parses, and the corpus of both. */
struct fixture {
    struct dgm_pipeline pipeline;
    struct dgm_parses parses;
    struct dgm_corpus corpus;
    long too_long;
    char paths[3][1200];
};

static dgm_status make_pipeline(struct dgm_pipeline *pipeline, const char *multitask, int joint)
{
    static const struct dgm_opt *const tables[] = { dgm_pipeline_options, NULL };
    struct dgm_settings settings;
    dgm_status status = dgm_settings_init(test_env(), &settings, tables);

    if (status == DGM_OK)
        status = dgm_settings_set(test_env(), &settings, "tokenize", "none", "test");
    if (status == DGM_OK)
        status = dgm_settings_set(test_env(), &settings, "multitask", multitask, "test");
    if (status == DGM_OK)
        status = dgm_pipeline_init(test_env(), pipeline, &settings, joint);
    dgm_settings_clear(test_env(), &settings);
    return status;
}

/* trees: NULL for a model of one task. */
static dgm_status begin(struct fixture *f, const char *trees, int joint, long merges,
                        size_t vocab_size)
{
    struct dgm_pipeline_learn_options learn;
    struct dgm_text text = { .path = { f->paths[0], f->paths[1] } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };
    const struct dgm_corpus_files files = { .texts = &texts };

    memset(f, 0, sizeof *f);
    memset(&learn, 0, sizeof learn);
    learn.merges = merges;
    learn.vocab_size = vocab_size;
    learn.min_count[DGM_SOURCE] = learn.min_count[DGM_TARGET] = 1;
    DGM_TRY(put_treebank(f->paths[0], "source", source));
    DGM_TRY(put_treebank(f->paths[1], "target", target));
    DGM_TRY(make_pipeline(&f->pipeline, trees != NULL ? "true" : "false", joint));
    if (trees != NULL) {
        DGM_TRY(put_treebank(f->paths[2], "brackets", trees));
        DGM_TRY(dgm_parses_read_brackets(test_env(), &f->parses, f->paths[2]));
        learn.parses = &f->parses;
    }
    DGM_TRY(dgm_pipeline_learn(test_env(), &f->pipeline, &texts, &learn));
    return dgm_corpus_load(test_env(), &f->corpus, &f->pipeline, &files, 50, DGM_BAD_LINE_ERROR,
                           NULL);
}

static dgm_status add_parses(struct fixture *f, int32_t max_length)
{
    return dgm_multitask_add(test_env(), &f->corpus, &f->pipeline, &f->parses, max_length,
                             &f->too_long);
}

static void end(struct fixture *f)
{
    dgm_corpus_clear(test_env(), &f->corpus);
    dgm_parses_clear(test_env(), &f->parses);
    dgm_pipeline_clear(test_env(), &f->pipeline);
    dgm_env_clear_error(test_env());
}

/* The tokens of a sentence, its end left out. */
static const char *tokens(struct fixture *f, int side, int32_t s, struct dgm_buf *out)
{
    const struct dgm_packed *packed = side == DGM_SOURCE ? &f->corpus.source : &f->corpus.target;
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(&f->pipeline, side);

    dgm_buf_reset(out);
    for (int32_t i = packed->offsets[s]; i < packed->offsets[s + 1] - 1; i++)
        dgm_buf_add_format(test_env(), out, "%s%s", i > packed->offsets[s] ? " " : "",
                           dgm_vocab_token(vocab, (uint32_t)packed->ids[i], NULL));
    return out->data;
}

TEST(multitask_pairs_are_those_of_the_specification)
{
    static const char *const sources[] = { "<TR> the dog barks <TR>",
                                           "<TR> some dogs bark loudly <TR>",
                                           "<TR> the ( dog ) <TR>",
                                           "<TR> yes <TR>",
                                           "<PA> the dog barks <PA>",
                                           "<PA> some dogs bark loudly <PA>",
                                           "<PA> yes <PA>" };
    static const char *const targets[] = {
        "der Hund bellt",           "manche Hunde bellen laut",         "der ( Hund )",   "ja",
        "(ROOT (S (NP ) (VP ) ) )", "(ROOT (S (NP ) (VP (ADVP ) ) ) )", "(ROOT (INTJ ) )"
    };
    struct dgm_buf out = { NULL, 0, 0, 0 };

    for (int joint = 0; joint < 2; joint++) {
        struct fixture f;

        CHECK_STATUS(begin(&f, brackets, joint, 0, 0), DGM_OK);
        CHECK_INT(f.parses.none, 2);
        CHECK_STATUS(add_parses(&f, 50), DGM_OK);
        CHECK_INT(f.corpus.source.count, 7);
        CHECK_INT(f.corpus.target.count, 7);
        for (int32_t s = 0; s < 7; s++) {
            const struct dgm_packed *side = &f.corpus.source;
            CHECK_STR(tokens(&f, DGM_SOURCE, s, &out), sources[s]);
            CHECK_STR(tokens(&f, DGM_TARGET, s, &out), targets[s]);
            CHECK_INT(side->words[side->offsets[s]], -1);
            CHECK_INT(side->words[side->offsets[s] + 1], 0);
            CHECK_INT(side->words[side->offsets[s + 1] - 2], -1);
        }
        end(&f);
    }
    dgm_buf_clear(test_env(), &out);
}

TEST(multitask_tags_and_brackets_are_never_cut_nor_lost)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };
    struct fixture f;

    for (long merges = 1; merges < 60; merges += 7) {
        CHECK_STATUS(begin(&f, brackets, 1, merges, 7), DGM_OK); /* fewer entries than marks */
        CHECK_STATUS(add_parses(&f, 50), DGM_OK);
        CHECK_STR(tokens(&f, DGM_TARGET, 5, &out), "(ROOT (S (NP ) (VP (ADVP ) ) ) )");
        CHECK(strncmp(tokens(&f, DGM_SOURCE, 4, &out), "<PA> ", 5) == 0);
        CHECK_STR(out.data + out.size - 5, " <PA>");
        end(&f);
    }
    dgm_buf_clear(test_env(), &out);
}

TEST(multitask_tags_cannot_be_made_by_text)
{
    static const char line[] = "<TR> the <PA> dog <TR>";
    struct dgm_encoded encoded;
    struct fixture f;
    int32_t unknown = 0;

    memset(&encoded, 0, sizeof encoded);
    CHECK_STATUS(begin(&f, brackets, 1, 40, 0), DGM_OK);
    CHECK_STATUS(dgm_pipeline_encode(test_env(), &f.pipeline, DGM_SOURCE, &encoded, line,
                                     sizeof line - 1),
                 DGM_OK);
    for (int32_t i = 0; i < encoded.n; i++)
        unknown += encoded.ids[i] == DGM_VOCAB_UNK;
    CHECK_INT(unknown, 3);
    CHECK_INT(encoded.n_words, 5);
    CHECK_INT(encoded.ids[1], DGM_VOCAB_UNK);
    CHECK(encoded.ids[0] > DGM_VOCAB_UNK);
    CHECK_STATUS(dgm_pipeline_encode(test_env(), &f.pipeline, DGM_SOURCE, &encoded, " \t", 2),
                 DGM_OK);
    CHECK_INT(encoded.n, 1);
    dgm_encoded_clear(test_env(), &encoded);
    end(&f);
}

TEST(multitask_without_parses_is_the_baseline_between_tags)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };
    struct fixture plain, tagged;
    const struct dgm_vocab *a, *b;

    CHECK_STATUS(begin(&plain, NULL, 1, 0, 0), DGM_OK);
    CHECK_STATUS(begin(&tagged, "\n\n\n(())\n\n", 1, 0, 0), DGM_OK);
    CHECK_STATUS(add_parses(&tagged, 50), DGM_OK);
    CHECK_INT(tagged.corpus.source.count, plain.corpus.source.count);
    a = dgm_pipeline_vocab(&plain.pipeline, DGM_SOURCE);
    b = dgm_pipeline_vocab(&tagged.pipeline, DGM_SOURCE);
    CHECK_INT(dgm_vocab_size(b), dgm_vocab_size(a) + DGM_TASKS);
    for (uint32_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(a); i++)
        CHECK_STR(dgm_vocab_token(b, i + DGM_TASKS, NULL), dgm_vocab_token(a, i, NULL));
    for (int32_t s = 0; s < plain.corpus.source.count; s++) {
        char want[200];

        snprintf(want, sizeof want, "<TR> %s <TR>", tokens(&plain, DGM_SOURCE, s, &out));
        CHECK_STR(tokens(&tagged, DGM_SOURCE, s, &out), want);
        snprintf(want, sizeof want, "%s", tokens(&plain, DGM_TARGET, s, &out));
        CHECK_STR(tokens(&tagged, DGM_TARGET, s, &out), want);
    }
    dgm_buf_clear(test_env(), &out);
    end(&plain);
    end(&tagged);
}

TEST(multitask_order_takes_every_pair_of_both_tasks_once)
{
    struct dgm_order_options options;
    struct dgm_order order;
    struct fixture f;
    int seen[7] = { 0 };

    memset(&order, 0, sizeof order);
    memset(&options, 0, sizeof options);
    options.seed = 1;
    options.batch_tokens = 12;
    options.parse_ratio = 1;
    CHECK_STATUS(begin(&f, brackets, 1, 0, 0), DGM_OK);
    CHECK_STATUS(add_parses(&f, 50), DGM_OK);
    CHECK_STATUS(dgm_order_make(test_env(), &order, &f.corpus, &options, 1), DGM_OK);
    for (int64_t i = 0; i < order.pair_count; i++)
        seen[order.pairs[i]]++;
    for (int i = 0; i < 7; i++)
        CHECK_INT(seen[i], 1);
    dgm_order_clear(test_env(), &order);
    end(&f);
}

TEST(multitask_leaves_out_parses_that_are_too_long)
{
    struct fixture f;

    CHECK_STATUS(begin(&f, brackets, 1, 0, 0), DGM_OK);
    CHECK_STATUS(add_parses(&f, 9), DGM_OK); /* 5, 9 and 11 tokens with the end */
    CHECK_INT(f.too_long, 1);
    CHECK_INT(f.corpus.source.count, 6);
    end(&f);
}

TEST(multitask_checksum_tells_parses_apart)
{
    uint64_t sums[3];
    struct fixture f;

    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(begin(&f, i < 2 ? brackets : "\n\n\n\n\n", 1, 0, 0), DGM_OK);
        CHECK_STATUS(add_parses(&f, 50), DGM_OK);
        sums[i] = f.corpus.checksum;
        end(&f);
    }
    CHECK(sums[0] == sums[1]);
    CHECK(sums[0] != sums[2]);
}

TEST(multitask_cuts_a_long_line_before_its_tag)
{
    static const char line[] = "the dog barks loudly";
    struct dgm_encoded encoded;
    struct fixture f;

    memset(&encoded, 0, sizeof encoded);
    CHECK_STATUS(begin(&f, brackets, 1, 0, 0), DGM_OK);
    for (int32_t most = 1; most < 9; most++) {
        int32_t whole;

        CHECK_STATUS(dgm_pipeline_encode(test_env(), &f.pipeline, DGM_SOURCE, &encoded, line,
                                         sizeof line - 1),
                     DGM_OK);
        whole = encoded.n;
        CHECK_INT(whole, 7);
        dgm_encoded_cut(&encoded, most);
        CHECK_INT(encoded.n, most < whole ? most : whole);
        CHECK_INT(encoded.ids[encoded.n - 1], DGM_VOCAB_EOS);
        if (most < 3)
            continue;
        CHECK_INT(encoded.ids[encoded.n - 2], encoded.ids[0]);
        CHECK_INT(encoded.words[encoded.n - 2], -1);
        if (most > 3)
            CHECK_INT(encoded.words[encoded.n - 3], encoded.n - 4);
    }
    dgm_encoded_clear(test_env(), &encoded);
    end(&f);
}

/* ---- trees ----------------------------------------------------------------------------------- */

TEST(multitask_linearises_dependency_trees)
{
#define ROW(id, head, label) id "\tw" id "\t_\t_\t_\t_\t" head "\t" label "\t_\t_\n"
    static const char conllu[] = ROW("1", "2", "det") ROW("2", "3", "nsubj")
        ROW("3", "0", "root") "\n" ROW("1", "_", "_") "\n";
    struct dgm_parses parses;
    char path[1200];
    size_t bytes;
    const char *text;

    memset(&parses, 0, sizeof parses);
    CHECK_STATUS(put_treebank(path, "t.conllu", conllu), DGM_OK);
    CHECK_STATUS(dgm_parses_read_conllu(test_env(), &parses, path), DGM_OK);
    CHECK_INT(parses.count, 2);
    CHECK_INT(parses.none, 1);
    text = dgm_parses_line(&parses, 0, &bytes);
    CHECK_INT(bytes, 23);
    CHECK_MEM(text, "(root (nsubj (det ) ) )", 23);
    dgm_parses_line(&parses, 1, &bytes);
    CHECK_INT(bytes, 0);
    dgm_parses_line(&parses, 7, &bytes);
    CHECK_INT(bytes, 0);
    dgm_parses_clear(test_env(), &parses);
}

static void check_refused(const char *trees, long line, const char *part)
{
    struct fixture f;

    CHECK_STATUS(begin(&f, trees, 1, 0, 0), DGM_DATA);
    CHECK_INT(test_env()->error.line, line);
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    end(&f);
}

TEST(multitask_names_the_line_of_what_is_no_tree)
{
    check_refused("(ROOT (S (N a)))\n(ROOT (S (N a))\n", 2, "expected \")\"");
    check_refused("(())\n((\n", 2, "expected \")\"");
    check_refused("\n\n(ROOT (N a)) )\n", 3, ")");
    check_refused("(ROOT (N a)) (ROOT (N b))\n", 1, "expected one tree");
    check_refused("(ROOT (N \xff))\n", 1, "UTF-8");
}

TEST(multitask_needs_a_parse_for_every_line_and_its_brackets_in_the_vocabulary)
{
    struct fixture f, other;

    CHECK_STATUS(begin(&f, "\n\n\n\n", 1, 0, 0), DGM_OK);
    CHECK_STATUS(add_parses(&f, 50), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "4 trees; expected 5") != NULL);
    end(&f);
    CHECK_STATUS(begin(&f, "\n\n\n\n\n", 1, 0, 0), DGM_OK);
    CHECK_STATUS(begin(&other, brackets, 1, 0, 0), DGM_OK);
    CHECK_STATUS(dgm_multitask_add(test_env(), &f.corpus, &f.pipeline, &other.parses, 50,
                                   &f.too_long),
                 DGM_DATA);
    CHECK(strstr(test_env()->error.message, "\"(ROOT\"") != NULL);
    end(&f);
    end(&other);
}
