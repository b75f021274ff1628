/*
 * test_feature.c: features of source words on their way: learned, kept in a model file, read with
 * trees, found by a parser, staged for every piece.
 */
#include <stdio.h>
#include <string.h>

#include "data/corpus.h"
#include "data/text/pipeline_learn.h"
#include "model/file/model.h"
#include "model/transformer/family.h"
#include "model/file/vocab_file.h"
#include "tensor/gguf/gguf_write.h"
#include "tiny.h"
#include "treebank_file.h"

#define ROW(id, word, head, relation) id "\t" word "\t_\t_\t_\t_\t" head "\t" relation "\t_\t_\n"

/* obj twice; nsubj:pass, punct and root once, equal: by bytes; what is spelled like a special,
 * what is not given and what has no parse are no relations. */
static const char bank[] = ROW("1", "a", "2", "punct") ROW("2", "b", "0", "root")
    ROW("3", "c", "2", "obj") "\n" ROW("1", "a", "2", "nsubj:pass")
        ROW("2", "b", "0", "obj") "\n" ROW("1", "d", "_", "lost") "\n" ROW("1", "d", "2", "</s>")
            ROW("2", "d", "0", "_") "\n";
/* Fewer of them. */
static const char small_bank[] = ROW("1", "a", "0", "root") "\n";

static dgm_status learn(struct dgm_feature *relations, const char *text)
{
    char path[1200];
    const char *const paths[] = { path };

    DGM_TRY(put_treebank(path, "tags.conllu", text));
    return dgm_feature_learn(test_env(), relations, DGM_FEATURE_DEPREL, paths, 1, 1);
}

static const char *const learned[] = { "<unk>", "</s>", "obj", "nsubj:pass", "punct", "root" };
enum { LEARNED = sizeof learned / sizeof learned[0] };

static void check_names(const struct dgm_feature *relations, const char *const *names, size_t count)
{
    CHECK_INT(dgm_feature_size(relations), count);
    for (size_t i = 0; i < count; i++) {
        CHECK_STR(dgm_feature_name(relations, i, NULL), names[i]);
        CHECK_INT(dgm_feature_find(relations, names[i]), i < DGM_FEATURE_SPECIALS ? -1 : (int)i);
    }
}

TEST(tags_are_relations_by_count_then_bytes_behind_their_specials)
{
    struct dgm_feature relations;

    memset(&relations, 0, sizeof relations);
    CHECK_INT(dgm_feature_size(&relations), 0);
    CHECK_INT(dgm_feature_find(&relations, "obj"), -1);
    CHECK_STATUS(learn(&relations, bank), DGM_OK);
    check_names(&relations, learned, LEARNED);
    CHECK_INT(dgm_feature_find(&relations, "nsubj"), -1);
    CHECK_INT(dgm_feature_find(&relations, "lost"), -1);
    dgm_feature_clear(test_env(), &relations);
}

/* Lemmas and tags stand beside a sentence without a parse, too; one that is rarer than asked for
 * has no number. */
TEST(features_are_learned_from_their_columns)
{
    static const char text[] = "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
                               "2\tran\trun\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
                               "1\tDogs\tdog\tNOUN\t_\t_\t_\t_\t_\t_\n\n";
    static const char *const names[DGM_WORD_FEATURES][4] = {
        [DGM_FEATURE_DEPREL] = { "<unk>", "</s>", "nsubj", "root" },
        [DGM_FEATURE_LEMMA] = { "<unk>", "</s>", "dog", "run" },
        [DGM_FEATURE_UPOS] = { "<unk>", "</s>", "NOUN", "VERB" },
        [DGM_FEATURE_XPOS] = { "<unk>", "</s>", "NNS", "VBD" },
    };
    char path[1200];
    const char *const paths[] = { path };
    struct dgm_features features;

    memset(&features, 0, sizeof features);
    CHECK_STATUS(put_treebank(path, "features.conllu", text), DGM_OK);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        CHECK_STATUS(dgm_feature_learn(test_env(), &features.of[kind], (enum dgm_feature_kind)kind,
                                       paths, 1, 1),
                     DGM_OK);
        check_names(&features.of[kind], names[kind], 4);
    }
    dgm_features_clear(test_env(), &features);
    CHECK_STATUS(dgm_feature_learn(test_env(), &features.of[DGM_FEATURE_LEMMA], DGM_FEATURE_LEMMA,
                                   paths, 1, 2),
                 DGM_OK);
    check_names(&features.of[DGM_FEATURE_LEMMA], names[DGM_FEATURE_LEMMA], 3);
    CHECK_STATUS(put_treebank(path, "none.conllu", ROW("1", "a", "0", "root") "\n"), DGM_OK);
    CHECK_STATUS(dgm_feature_learn(test_env(), &features.of[DGM_FEATURE_XPOS], DGM_FEATURE_XPOS,
                                   paths, 1, 1),
                 DGM_DATA);
    CHECK(strstr(test_env()->error.message, "no word has any XPOS tag") != NULL ||
          strstr(test_env()->error.message, "XPOS column") != NULL);
    dgm_env_clear_error(test_env());
    dgm_features_clear(test_env(), &features);
}

TEST(tags_need_relations_and_trees_that_are_trees)
{
    struct dgm_feature relations;

    memset(&relations, 0, sizeof relations);
    CHECK_STATUS(learn(&relations, ROW("1", "d", "1", "obj") "\n"), DGM_DATA);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(learn(&relations, ROW("1", "d", "0", "_") "\n"), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "DEPREL") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_INT(dgm_feature_size(&relations), 0);
    dgm_feature_clear(test_env(), &relations);
}

TEST(tags_of_a_parser_come_first_and_those_of_trees_behind_them)
{
    static const char labels[] = "root 5\npunct 3\ndep 3\n";
    static const char *const names[] = { "<unk>", "</s>", "root",      "punct",
                                         "dep",   "obj",  "nsubj:pass" };
    struct dgm_vocab vocab;
    struct dgm_feature relations;

    memset(&vocab, 0, sizeof vocab);
    memset(&relations, 0, sizeof relations);
    CHECK_STATUS(dgm_vocab_parse(test_env(), &vocab, labels, strlen(labels), "labels"), DGM_OK);
    CHECK_STATUS(dgm_feature_add_classes(test_env(), &relations, &vocab), DGM_OK);
    check_names(&relations, names, 5);
    CHECK_STATUS(learn(&relations, bank), DGM_OK);
    check_names(&relations, names, 7);
    dgm_vocab_clear(test_env(), &vocab);
    dgm_feature_clear(test_env(), &relations);
}

/* ---- model files ----------------------------------------------------------------------------- */

/* Writes the names under a key and reads them back. */
static dgm_status read_back(struct dgm_feature *relations, const struct dgm_feature *from,
                            const char *key)
{
    struct dgm_gguf_writer writer;
    struct dgm_gguf file;
    struct dgm_buf bytes = { NULL, 0, 0, 0 };
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    memset(&file, 0, sizeof file);
    status = dgm_feature_to_gguf(test_env(), from, &writer, "dragoman.vocab.tags");
    if (status == DGM_OK)
        status = dgm_gguf_write_memory(test_env(), &writer, &bytes);
    if (status == DGM_OK)
        status = dgm_gguf_parse(test_env(), &file, bytes.data, bytes.size, "memory");
    if (status == DGM_OK)
        status = dgm_feature_from_gguf(test_env(), relations, &file, key);
    dgm_gguf_clear(test_env(), &file);
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_buf_clear(test_env(), &bytes);
    return status;
}

TEST(tags_come_back_from_a_model_file)
{
    struct dgm_feature relations, back;

    memset(&relations, 0, sizeof relations);
    memset(&back, 0, sizeof back);
    CHECK_STATUS(learn(&relations, bank), DGM_OK);
    CHECK(!dgm_feature_same(&relations, &back));
    CHECK_STATUS(read_back(&back, &relations, "dragoman.vocab.tags"), DGM_OK);
    check_names(&back, learned, LEARNED);
    CHECK(dgm_feature_same(&relations, &back));
    CHECK_STATUS(read_back(&back, &relations, "dragoman.vocab.tag"), DGM_MODEL);
    CHECK(strstr(test_env()->error.message, "missing") != NULL);
    dgm_env_clear_error(test_env());
    dgm_feature_clear(test_env(), &relations);
    dgm_feature_clear(test_env(), &back);
}

static void check_refused(const char *const *names, size_t count, const char *part)
{
    struct dgm_feature relations;
    size_t bytes[8];

    memset(&relations, 0, sizeof relations);
    for (size_t i = 0; i < count && count <= 8; i++) /* of more, none is looked at */
        bytes[i] = strcmp(names[i], "NUL") == 0 ? 5 : strlen(names[i]);
    CHECK_STATUS(dgm_feature_set(test_env(), &relations, names, bytes, count, "f"), DGM_MODEL);
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    CHECK_INT(dgm_feature_size(&relations), 0);
    dgm_env_clear_error(test_env());
}

TEST(tags_of_a_hostile_model_file_are_refused)
{
    static const char *const swapped[] = { "</s>", "<unk>" }, *const one[] = { "<unk>" };
    static const char *const twice[] = { "<unk>", "</s>", "a", "b", "a" };
    static const char *const special[] = { "<unk>", "</s>", "</s>" };
    static const char *const empty[] = { "<unk>", "</s>", "" };
    static const char *const nul[] = { "<unk>", "</s>", "NUL\0x" };

    check_refused(swapped, 2, "tag 0 is not <unk>");
    check_refused(one, 1, "1 tags");
    check_refused(one, 0, "0 tags");
    check_refused(one, DGM_VOCAB_LIMIT + 1, "expected 2 to");
    check_refused(twice, 5, "tags 2 and 4");
    check_refused(special, 3, "tags 1 and 2");
    check_refused(empty, 3, "tag 2");
    check_refused(nul, 3, "tag 2");
}

/* ---- trees beside text ----------------------------------------------------------------------- */

static dgm_status load(struct dgm_corpus *corpus, const char *source, const char *trees,
                       int with_relations)
{
    struct dgm_pipeline_learn_options options;
    struct dgm_pipeline pipeline;
    char paths[3][1200];
    struct dgm_text text = { .path = { paths[0], paths[1] }, .trees = { paths[2], NULL } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };
    const struct dgm_corpus_files files = { .texts = &texts };
    dgm_status status;

    memset(corpus, 0, sizeof *corpus);
    memset(&options, 0, sizeof options);
    memset(&pipeline, 0, sizeof pipeline);
    options.min_count[DGM_SOURCE] = options.min_count[DGM_TARGET] = 1;
    pipeline.joint = 1;
    DGM_TRY(put_treebank(paths[0], "source", source));
    DGM_TRY(put_treebank(paths[1], "target", "x\ny\nz\n"));
    DGM_TRY(put_treebank(paths[2], "trees", trees));
    status = dgm_pipeline_learn(test_env(), &pipeline, &texts, &options);
    if (status == DGM_OK && with_relations)
        status = learn(&pipeline.features.of[DGM_FEATURE_DEPREL], bank);
    if (status == DGM_OK)
        status =
            dgm_corpus_load(test_env(), corpus, &pipeline, &files, 50, DGM_BAD_LINE_ERROR, NULL);
    dgm_pipeline_clear(test_env(), &pipeline);
    return status;
}

TEST(tags_of_a_corpus_are_those_of_its_trees)
{
    /* Of "in fact" both words take the relation; an unknown relation is none; nor has a line
     * without a parse any, whatever its column says. */
    static const char trees[] = ROW("1", "a", "2", "nsubj:pass") ROW("2", "b", "0", "root")
        ROW("3", "in fact", "2", "obj") "\n" ROW("1", "d", "_", "obj") "\n" ROW("1", "e", "2",
                                                                                "other")
            ROW("2", "a", "0", "root") "\n";
    static const int32_t heads[7] = { 1, 1, 1, 2, -1, 1, 1 },
                         relations[7] = { 3, 5, 2, 2, -1, -1, 5 };
    struct dgm_corpus corpus;

    CHECK_STATUS(load(&corpus, "a b in fact\nd\ne a\n", trees, 1), DGM_OK);
    CHECK_INT(corpus.source.word_offsets[3], 7);
    CHECK_MEM(corpus.source.heads, heads, sizeof heads);
    CHECK_MEM(corpus.source.features[DGM_FEATURE_DEPREL], relations, sizeof relations);
    CHECK(corpus.target.features[DGM_FEATURE_DEPREL] == NULL);
    dgm_corpus_clear(test_env(), &corpus);
    CHECK_STATUS(load(&corpus, "a b in fact\nd\ne a\n", trees, 0), DGM_OK);
    CHECK_MEM(corpus.source.heads, heads, sizeof heads);
    CHECK(corpus.source.features[DGM_FEATURE_DEPREL] == NULL);
    dgm_corpus_clear(test_env(), &corpus);
}

/* ---- staging --------------------------------------------------------------------------------- */

static void check_staged(struct tiny *tiny, struct dgm_batch *batch, int kind, const int32_t *want,
                         size_t count)
{
    const struct dgm_transformer_slots *slots;
    int32_t staged[16];

    CHECK_STATUS(dgm_net_stage(test_env(), &tiny->model, &tiny->step, batch, 0, 1, 1), DGM_OK);
    slots = tiny->step.plan[DGM_SOURCE];
    CHECK_INT(tiny->step.source.rows, count);
    CHECK_STATUS(dgm_device_read(test_env(), tiny->device, staged,
                                 dgm_feed_ref(&tiny->step.feed, slots->features[kind]),
                                 count * sizeof *staged),
                 DGM_OK);
    CHECK_MEM(staged, want, count * sizeof *staged);
}

TEST(tags_are_staged_for_every_piece_and_the_end_of_a_sentence)
{
    static const int32_t ids[5] = { 4, 5, 6, 7, TINY_EOS }, words[5] = { 0, 0, 1, 1, -1 };
    static const int32_t relations[2] = { 3, -1 }, end[1] = { TINY_EOS }, no_word[1] = { -1 };
    static const int32_t bare[6] = { 0, 0, 0, 0, 1, 1 };
    static const int32_t with[11] = { 0, 0, 0, 0, 1, 1, 3, 3, 0, 0, 1 };
    struct dgm_model_config config = tiny_config();
    const struct dgm_syntax *syntax;
    struct dgm_batch batch;
    struct tiny tiny;

    memset(&batch, 0, sizeof batch);
    config.features[DGM_FEATURE_DEPREL] = 4;
    strcpy(config.syntax, "tags(dim=2)");
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    syntax = &dgm_transformer_of(&tiny.model, DGM_SOURCE)->syntax;
    CHECK_INT(syntax->shape.features[DGM_FEATURE_DEPREL], 4);
    CHECK(dgm_syntax_needs(syntax) & DGM_NEEDS_FEATURES);
    CHECK_STATUS(dgm_reserve(test_env(), &batch.numbers, &batch.number_capacity, 3,
                             sizeof *batch.numbers),
                 DGM_OK);
    memset(batch.numbers, 0, 3 * sizeof *batch.numbers);
    CHECK_STATUS(dgm_packed_add(test_env(), &batch.source, ids, words, 5, NULL, 2), DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), &batch.source, end, no_word, 1, NULL, 0), DGM_OK);
    check_staged(&tiny, &batch, DGM_FEATURE_DEPREL, bare, 6);
    CHECK_STATUS(dgm_packed_add(test_env(), &batch.source, ids, words, 5, NULL, 2), DGM_OK);
    CHECK_STATUS(dgm_packed_add_feature(test_env(), &batch.source, DGM_FEATURE_DEPREL, relations),
                 DGM_OK);
    check_staged(&tiny, &batch, DGM_FEATURE_DEPREL, with, 11);
    batch.source.features[DGM_FEATURE_DEPREL][3] = 4;
    CHECK_STATUS(dgm_net_stage(test_env(), &tiny.model, &tiny.step, &batch, 0, 1, 1), DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* Words of one, two, three and four pieces: O, B E, B I E, B I I E; an end in between. */
TEST(places_of_pieces_in_their_words_are_staged)
{
    static const int32_t ids[11] = { 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, TINY_EOS };
    static const int32_t words[11] = { 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, -1 };
    static const int32_t want[14] = { DGM_SUBWORD_WHOLE, DGM_SUBWORD_BEGIN,  DGM_SUBWORD_END,
                                      DGM_SUBWORD_BEGIN, DGM_SUBWORD_INSIDE, DGM_SUBWORD_END,
                                      DGM_SUBWORD_BEGIN, DGM_SUBWORD_INSIDE, DGM_SUBWORD_INSIDE,
                                      DGM_SUBWORD_END,   DGM_FEATURE_EOS,    DGM_FEATURE_EOS,
                                      DGM_SUBWORD_WHOLE, DGM_FEATURE_EOS };
    static const int32_t end[1] = { TINY_EOS }, no_word[1] = { -1 };
    static const int32_t two[2] = { 4, TINY_EOS }, one_word[2] = { 0, -1 };
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct tiny tiny;

    memset(&batch, 0, sizeof batch);
    strcpy(config.syntax, "tags(subword=2)");
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(dgm_reserve(test_env(), &batch.numbers, &batch.number_capacity, 3,
                             sizeof *batch.numbers),
                 DGM_OK);
    memset(batch.numbers, 0, 3 * sizeof *batch.numbers);
    CHECK_STATUS(dgm_packed_add(test_env(), &batch.source, ids, words, 11, NULL, 4), DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), &batch.source, end, no_word, 1, NULL, 0), DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), &batch.source, two, one_word, 2, NULL, 1), DGM_OK);
    check_staged(&tiny, &batch, DGM_FEATURE_SUBWORD, want, 14);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* ---- whole models, as soon as a variant reads relations -------------------------------------- */

static dgm_status make_model(struct dgm_model *model, struct dgm_device *device)
{
    static const char *const values[] = { "dim-emb",
                                          "16",
                                          "transformer-heads",
                                          "2",
                                          "transformer-dim-ffn",
                                          "8",
                                          "enc-depth",
                                          "1",
                                          "dec-depth",
                                          "1",
                                          "syntax",
                                          "tags",
                                          NULL };
    static const char words[] = "a 2\nb 1\n";
    struct dgm_settings settings;
    struct dgm_pipeline pipeline;
    dgm_status status = dgm_settings_init(test_env(), &settings, dgm_model_tables);

    memset(&pipeline, 0, sizeof pipeline);
    memset(model, 0, sizeof *model);
    for (int i = 0; values[i] != NULL && status == DGM_OK; i += 2)
        status = dgm_settings_set(test_env(), &settings, values[i], values[i + 1], "test");
    if (status == DGM_OK)
        status = dgm_model_pipeline(test_env(), &pipeline, &settings);
    for (int side = 0; side < 2 && status == DGM_OK; side++)
        status = dgm_vocab_parse(test_env(), &pipeline.vocab[side], words, strlen(words), "words");
    if (status == DGM_OK)
        status = learn(&pipeline.features.of[DGM_FEATURE_DEPREL], bank);
    if (status == DGM_OK)
        status = dgm_model_make(test_env(), model, &settings, &pipeline);
    dgm_pipeline_clear(test_env(), &pipeline);
    dgm_settings_clear(test_env(), &settings);
    DGM_TRY(status);
    DGM_TRY(dgm_net_allocate(test_env(), &model->net, device, 0));
    return dgm_params_initialise(test_env(), &model->net.params, 3);
}

static dgm_status save_and_load(const struct dgm_model *model, struct dgm_model *back,
                                struct dgm_device *device)
{
    struct dgm_gguf_writer writer;
    struct dgm_gguf file;
    struct dgm_buf bytes = { NULL, 0, 0, 0 };
    dgm_real *values = NULL;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    memset(&file, 0, sizeof file);
    memset(back, 0, sizeof *back);
    status = dgm_model_save(test_env(), model, &writer, &values);
    if (status == DGM_OK)
        status = dgm_gguf_write_memory(test_env(), &writer, &bytes);
    if (status == DGM_OK)
        status = dgm_gguf_parse(test_env(), &file, bytes.data, bytes.size, "memory");
    if (status == DGM_OK)
        status = dgm_model_from_gguf(test_env(), back, &file, device, 0, NULL);
    dgm_gguf_clear(test_env(), &file);
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_buf_clear(test_env(), &bytes);
    dgm_release(test_env(), values);
    return status;
}

static void check_features(const char *text, unsigned want)
{
    unsigned features;

    CHECK_STATUS(dgm_syntax_text_features(test_env(), text, &features), DGM_OK);
    CHECK_INT(features, want);
}

TEST(tags_need_names_of_what_they_read)
{
    enum {
        DEPREL = 1 << DGM_FEATURE_DEPREL,
        LEMMA = 1 << DGM_FEATURE_LEMMA,
        UPOS = 1 << DGM_FEATURE_UPOS,
        XPOS = 1 << DGM_FEATURE_XPOS
    };
    unsigned features;

    check_features("none", 0);
    check_features("shaw(k=2)+tag", 0);
    check_features("tags", DEPREL);
    check_features("tags(dim=0)", DEPREL); /* as models of before have it */
    check_features("shaw(k=2)+tags(dim=4)", DEPREL);
    check_features("tags(deprel=4)", DEPREL);
    check_features("tags(lemma=4)", LEMMA);
    check_features("tags(dim=4,lemma=4)", DEPREL | LEMMA);
    check_features("tags(upos=1,xpos=2,mode=concat_narrow)+depth", UPOS | XPOS);
    check_features("tags(subword=4)", 0);
    check_features("tags(upos=0)", 0);
    CHECK_STATUS(dgm_syntax_text_features(test_env(), "tags(morph=4)", &features), DGM_USAGE);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_syntax_text_features(test_env(), "tags(lemma=4", &features), DGM_USAGE);
    dgm_env_clear_error(test_env());
}

TEST(tags_travel_inside_a_model_and_are_missed_where_they_are_not)
{
    struct dgm_device *device;
    struct dgm_model model, back;

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(make_model(&model, device), DGM_OK);
    CHECK_STATUS(save_and_load(&model, &back, device), DGM_OK);
    check_names(&back.pipeline.features.of[DGM_FEATURE_DEPREL], learned, LEARNED);
    CHECK_INT(back.net.config.features[DGM_FEATURE_DEPREL], LEARNED);
    dgm_model_clear(test_env(), &back);
    dgm_feature_clear(test_env(), &model.pipeline.features.of[DGM_FEATURE_DEPREL]);
    CHECK_STATUS(save_and_load(&model, &back, device), DGM_MODEL);
    CHECK(strstr(test_env()->error.message, "dragoman.vocab.tags") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(learn(&model.pipeline.features.of[DGM_FEATURE_DEPREL], small_bank), DGM_OK);
    CHECK_STATUS(save_and_load(&model, &back, device), DGM_MODEL);
    dgm_env_clear_error(test_env());
    dgm_model_clear(test_env(), &model);
    dgm_device_close(test_env(), device);
}
