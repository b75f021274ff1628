/*
 * fuzz_calls.c: any bytes as a sequence of calls of the interface, with arguments that nobody ought
 * to hand over, and callbacks that call back. A call that fails tells why, one that makes a handle
 * and fails makes none, one from a callback is refused, and all memory is given back.
 */
#include "calls_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CALLS = 60, WORKS = 16 };

/* ---- calls ----------------------------------------------------------------------------------- */

static void use_tokenizer(void)
{
    dgm_tokenizer_options options = DGM_OPTIONS(dgm_tokenizer_options);
    const struct line line = any_line();
    const char *out = NULL;
    size_t bytes = 0;

    options.language = any_word();
    options.aggressive = (int)take(2);
    options.punctuation = (int)take(2);
    MAKE(dgm_tokenizer_new, any_options(&options, sizeof options), world.tokenizer);
    check(dgm_tokenizer_apply(world.tokenizer, line.text, line.bytes, seldom(8) ? NULL : &out,
                              seldom(8) ? NULL : &bytes));
    check(dgm_tokenizer_undo(world.tokenizer, line.text, line.bytes, &out, &bytes));
    if (seldom(2))
        FREE(dgm_tokenizer_free, world.tokenizer);
}

static void use_sentences(void)
{
    const struct line line = any_line();
    const size_t *starts = NULL;
    size_t count = 0;

    MAKE(dgm_sentences_new, any_word(), world.sentences);
    check(dgm_sentences_cut(world.sentences, line.text, line.bytes, seldom(8) ? NULL : &starts,
                            &count));
    if (seldom(2))
        FREE(dgm_sentences_free, world.sentences);
}

static void read_words(void)
{
    const char *const list[3] = { any_path(), any_path(), any_path() };

    switch (take(3)) {
    case 0: check(dgm_words_read(world.words, any_path())); break;
    case 1: check(dgm_words_read_counts(world.words, any_path())); break;
    default:
        check(dgm_words_read_sample(world.words, seldom(8) ? NULL : list, take(4), any_number()));
    }
}

static void use_words(void)
{
    dgm_codes_options codes = DGM_OPTIONS(dgm_codes_options);
    const struct line line = any_line();

    if (world.words == NULL) {
        const dgm_status made = dgm_words_new(world.context, &world.words);
        check_new(made, world.words != NULL);
    }
    codes.symbols = (long)any_int();
    codes.min_frequency = any_number();
    codes.total_symbols = (int)take(2);
    switch (take(7)) {
    case 0: check(dgm_words_set_memory(world.words, any_number())); break;
    case 1: check(dgm_words_write_counts(world.words, seldom(8) ? NULL : write_piece, NULL)); break;
    case 2:
        check(dgm_words_write_vocabulary(world.words, any_size(), any_number(), write_piece, NULL));
        break;
    case 3:
        check(dgm_words_learn(world.words, any_options(&codes, sizeof codes), write_piece, NULL));
        break;
    case 4: read_words(); break;
    case 5: FREE(dgm_words_free, world.words); break;
    default: check(dgm_words_add(world.words, line.text, line.bytes));
    }
}

static void use_segmenter(void)
{
    dgm_segmenter_options options = DGM_OPTIONS(dgm_segmenter_options);
    const char *const glossaries[2] = { any_word(), any_word() };
    const struct line line = any_line();
    const char *out = NULL;
    size_t bytes = 0;

    options.codes = seldom(4) ? any_path() : paths[2];
    options.merges = (long)any_int();
    options.separator = any_word();
    options.vocabulary = seldom(2) ? any_path() : NULL;
    options.threshold = any_number();
    options.glossaries = glossaries;
    options.glossary_count = take(3);
    options.dropout = any_real();
    MAKE(dgm_segmenter_new, any_options(&options, sizeof options), world.segmenter);
    check(dgm_segmenter_apply(world.segmenter, line.text, line.bytes, &out, &bytes));
    check(dgm_segmenter_undo(world.segmenter, line.text, line.bytes, &out, &bytes));
    if (seldom(2))
        FREE(dgm_segmenter_free, world.segmenter);
}

static void use_truecaser(void)
{
    dgm_truecaser_options options = DGM_OPTIONS(dgm_truecaser_options);
    const struct line line = any_line();
    const char *out = NULL;
    size_t bytes = 0;

    options.model = seldom(4) ? any_path() : NULL;
    options.language = any_word();
    options.memory = any_number();
    MAKE(dgm_truecaser_new, any_options(&options, sizeof options), world.truecaser);
    check(dgm_truecaser_add(world.truecaser, line.text, line.bytes));
    check(take(2) ? dgm_truecaser_read(world.truecaser, any_path())
                  : dgm_truecaser_write(world.truecaser, write_piece, NULL));
    check(dgm_truecaser_apply(world.truecaser, line.text, line.bytes, &out, &bytes));
    check(dgm_truecaser_undo(world.truecaser, line.text, line.bytes, &out, &bytes));
    if (seldom(2))
        FREE(dgm_truecaser_free, world.truecaser);
}

static void use_cleaner(void)
{
    dgm_cleaner_options options = DGM_OPTIONS(dgm_cleaner_options);
    const struct line source = any_line(), target = any_line();
    dgm_clean_reason reason;

    options.sides = any_int();
    options.min_length = any_int();
    options.max_ratio = any_real();
    options.min_script = any_real();
    options.source_lang = any_word();
    options.duplicates = any_word();
    options.langid = seldom(4) ? any_path() : NULL;
    MAKE(dgm_cleaner_new, any_options(&options, sizeof options), world.cleaner);
    check(dgm_cleaner_judge(world.cleaner, source.text, source.bytes, target.text, target.bytes,
                            seldom(8) ? NULL : &reason));
    if (seldom(2))
        FREE(dgm_cleaner_free, world.cleaner);
}

static void use_splitter(void)
{
    dgm_splitter_options options = DGM_OPTIONS(dgm_splitter_options);
    const struct line source = any_line(), target = any_line();
    dgm_split_part part;

    options.sides = any_int();
    options.dev = any_word();
    options.test = any_word();
    options.by = any_word();
    MAKE(dgm_splitter_new, any_options(&options, sizeof options), world.splitter);
    dgm_splitter_counts(world.splitter);
    check(dgm_splitter_count(world.splitter, source.text, source.bytes, target.text, target.bytes));
    check(dgm_splitter_part(world.splitter, source.text, source.bytes, target.text, target.bytes,
                            seldom(8) ? NULL : &part));
    if (seldom(2))
        FREE(dgm_splitter_free, world.splitter);
}

static void make_scorer(dgm_scorer **scorer)
{
    dgm_scorer_options options = DGM_OPTIONS(dgm_scorer_options);

    options.metric = any_word();
    options.tokenize = seldom(2) ? any_word() : NULL;
    options.smooth = seldom(2) ? any_word() : NULL;
    options.has_smooth_value = (int)take(2);
    options.smooth_value = any_real();
    options.max_order = seldom(2) ? any_int() : 0;
    options.beta = seldom(2) ? any_int() : 0;
    options.keep_sentences = (int)take(2);
    MAKE(dgm_scorer_new, any_options(&options, sizeof options), *scorer);
}

static void ask_scorers(void)
{
    const char *text = NULL;
    double value;
    dgm_paired paired[2];
    long sentences;

    switch (take(4)) {
    case 0: check(dgm_scorer_value(world.scorers[0], &value, &sentences)); break;
    case 1: check(dgm_scorer_text(world.scorers[1], (dgm_score_text)take(6), &text)); break;
    case 2: check(dgm_scorer_reset(world.scorers[take(2)])); break;
    default:
        check(dgm_scorer_paired(world.scorers, take(3), seldom(4) ? any_int() % 999 : 10, 1,
                                seldom(8) ? NULL : paired));
    }
}

static void use_scorers(void)
{
    const struct line line = any_line(), references[2] = { any_line(), any_line() };
    const char *const texts[2] = { references[0].text, references[1].text };
    const size_t bytes[2] = { references[0].bytes, references[1].bytes };
    const char *const list[2] = { any_path(), any_path() };
    const unsigned i = take(2);
    dgm_repetitions found;

    make_scorer(&world.scorers[0]);
    make_scorer(&world.scorers[1]);
    check(dgm_scorer_add(world.scorers[take(2)], line.text, line.bytes, seldom(8) ? NULL : texts,
                         seldom(8) ? NULL : bytes, seldom(8) ? SIZE_MAX - take(2) : take(3)));
    check(dgm_scorer_add_files(world.scorers, take(3), any_path(), list, take(3), hear_line, NULL));
    check(dgm_count_repetitions(world.context, any_path(), list, take(3), &found));
    ask_scorers();
    if (seldom(2))
        FREE(dgm_scorer_free, world.scorers[i]);
}

static void use_treebanks(void)
{
    dgm_parse_eval_options evaluation = DGM_OPTIONS(dgm_parse_eval_options);
    dgm_convert_options conversion = DGM_OPTIONS(dgm_convert_options);
    dgm_parse_counts counts[DGM_PARSE_METRICS];

    evaluation.multi_root = seldom(2) ? any_word() : NULL;
    evaluation.json = (int)take(2);
    conversion.from = any_word();
    conversion.to = any_word();
    conversion.head_rules = any_word();
    conversion.lenient = (int)take(2);
    switch (take(3)) {
    case 0:
        check(dgm_parse_eval(world.context, any_path(), any_path(),
                             any_options(&evaluation, sizeof evaluation), write_piece, NULL));
        break;
    case 1:
        check(dgm_parse_eval_count(world.context, paths[5], any_path(),
                                   any_options(&evaluation, sizeof evaluation), counts,
                                   take(DGM_PARSE_METRICS + 1)));
        break;
    default:
        check(dgm_convert_trees(world.context, any_path(),
                                any_options(&conversion, sizeof conversion), write_piece, NULL));
    }
}

static void use_files(void)
{
    dgm_inspect_options options = DGM_OPTIONS(dgm_inspect_options);
    const char *const list[3] = { any_path(), any_path(), any_path() };

    options.json = (int)take(2);
    options.verify = (int)take(2);
    options.items = any_size();
    switch (take(4)) {
    case 0: check(dgm_average(world.context, seldom(8) ? NULL : list, take(4), out_path)); break;
    case 1: check(dgm_quantize(world.context, any_path(), any_word(), out_path)); break;
    default:
        check(dgm_inspect(world.context, any_path(), any_options(&options, sizeof options),
                          seldom(8) ? NULL : write_piece, NULL));
    }
}

static void use_model(void)
{
    dgm_model_open_options options = DGM_OPTIONS(dgm_model_open_options);

    options.compute_type = seldom(2) ? any_word() : NULL;
    options.trusted = (int)take(2);
    if (world.model == NULL) {
        const dgm_status made = dgm_model_open(world.context, seldom(3) ? any_path() : model_path,
                                               any_options(&options, sizeof options), &world.model);
        check_new(made, world.model != NULL);
    }
}

/* The options that are read last; those of the search. */
static void choose_search(dgm_translator_options *options)
{
    options->beam = any_int();
    options->penalty = any_word();
    options->has_alpha = 1;
    options->alpha = any_real();
    options->length_factor = any_real();
    options->n_best = any_int();
    options->batch_tokens = any_int();
    options->beam_rule = any_word();
    options->compute_type = any_word();
    options->tag = any_word();
    options->trees = any_path();
    options->shortlist = any_path();
}

static void make_translator(void)
{
    dgm_translator_options options = DGM_OPTIONS(dgm_translator_options);
    const char *const list[2] = { model_path, any_path() };
    dgm_model *const shared[2] = { world.model, world.model };

    options.models = list;
    options.model_count = seldom(4) ? take(3) : 1;
    if (seldom(2)) {
        options.shared = shared;
        options.shared_count = 1 + take(2);
        options.model_count = 0;
    }
    if (seldom(3))
        choose_search(&options);
    options.attention = (int)take(2);
    options.alignment = (int)take(2);
    options.allow_empty = (int)take(2);
    options.progress = show;
    MAKE(dgm_translator_new, any_options(&options, sizeof options), world.translator);
}

static void ask_translator(void)
{
    const size_t line = seldom(2) ? any_size() : take(3), rank = seldom(2) ? any_size() : 0;
    const char *text = NULL;
    size_t bytes = 0;
    int64_t words[2];
    double score[2];

    switch (take(5)) {
    case 0: check(dgm_translator_count(world.translator, line, &bytes)); break;
    case 1: check(dgm_translator_unknown(world.translator, line, &words[0], &words[1])); break;
    case 2: check(dgm_translator_attention(world.translator, line, &text, &bytes)); break;
    case 3: check(dgm_translator_alignment(world.translator, line, &text, &bytes)); break;
    default:
        check(dgm_translator_result(world.translator, line, rank, seldom(8) ? NULL : &text, &bytes,
                                    &score[0], &score[1]));
    }
}

static void use_translator(void)
{
    const struct line line = any_line();
    size_t lines = 0;

    make_translator();
    check(dgm_translator_add(world.translator, line.text, line.bytes));
    if (seldom(2))
        check(dgm_translator_finish(world.translator, &lines));
    check(dgm_translator_run(world.translator, seldom(8) ? NULL : &lines));
    ask_translator();
    if (seldom(4))
        check(dgm_translator_document(world.translator, any_word(), line.text, line.bytes,
                                      seldom(8) ? NULL : write_piece, NULL));
    if (seldom(4))
        FREE(dgm_translator_free, world.translator);
}

static void use_rescorer(void)
{
    dgm_rescorer_options options = DGM_OPTIONS(dgm_rescorer_options);
    const struct line source = any_line(), target = any_line();
    const char *const list[1] = { seldom(4) ? any_path() : model_path };
    size_t pairs = 0;
    double score, logp;

    options.models = list;
    options.model_count = 1;
    options.penalty = seldom(2) ? any_word() : NULL;
    options.batch_tokens = seldom(2) ? any_int() : 0;
    MAKE(dgm_rescorer_new, any_options(&options, sizeof options), world.rescorer);
    check(dgm_rescorer_add(world.rescorer, source.text, source.bytes, target.text, target.bytes));
    check(take(2) ? dgm_rescorer_finish(world.rescorer, &pairs)
                  : dgm_rescorer_run(world.rescorer, &pairs));
    check(dgm_rescorer_result(world.rescorer, seldom(2) ? any_size() : 0, &score, &logp));
    if (seldom(4))
        FREE(dgm_rescorer_free, world.rescorer);
}

static void use_annotator(void)
{
    dgm_annotator_options options = DGM_OPTIONS(dgm_annotator_options);
    const struct line line = any_line();
    const char *out = NULL;
    size_t bytes = 0;

    options.model = seldom(4) ? any_path() : parser_path;
    options.input = any_word();
    options.output = any_word();
    options.probability = seldom(2) ? any_word() : NULL;
    options.batch_words = seldom(2) ? any_int() : 0;
    options.tokenizer = seldom(2) ? any_word() : NULL;
    options.columns = seldom(2) ? any_word() : NULL;
    MAKE(dgm_annotator_new, any_options(&options, sizeof options), world.annotator);
    check(dgm_annotator_line(world.annotator, line.text, line.bytes, &out, &bytes));
    check(dgm_annotator_file(world.annotator, any_path(), write_piece, NULL));
    if (seldom(4))
        FREE(dgm_annotator_free, world.annotator);
}

static void draw(void)
{
    dgm_draw_options trees = DGM_OPTIONS(dgm_draw_options);
    dgm_draw_chart_options chart = DGM_OPTIONS(dgm_draw_chart_options);
    dgm_draw_attention_options attention = DGM_OPTIONS(dgm_draw_attention_options);
    dgm_draw_training_options training = DGM_OPTIONS(dgm_draw_training_options);
    const char *const runs[2] = { any_path(), any_path() }, *path = any_path();

    trees.format = chart.format = attention.format = training.format = any_word();
    trees.width = chart.width = attention.width = training.width = any_int();
    trees.sentence = attention.line = training.smooth = (long)any_int();
    trees.page = attention.layer = any_int();
    chart.x = "a";
    chart.y = any_word();
    switch (take(4)) {
    case 0: check(dgm_draw_trees(world.context, path, &trees, write_piece, NULL)); break;
    case 1: check(dgm_draw_chart(world.context, path, &chart, write_piece, NULL)); break;
    case 2: check(dgm_draw_attention(world.context, path, &attention, write_piece, NULL)); break;
    default:
        check(dgm_draw_training(world.context, seldom(8) ? NULL : runs, take(3), &training,
                                write_piece, NULL));
    }
}

/* Settings, which are set back but for the error. */
static void use_context(void)
{
    switch (take(7)) {
    case 0: check(dgm_context_set_threads(world.context, any_int() % 3)); break;
    case 1: check(dgm_context_set_devices(world.context, any_word())); break;
    case 2: check(dgm_context_set_gemm(world.context, any_word())); break;
    case 3: check(dgm_context_set_log_level(world.context, (dgm_level)take(8))); break;
    case 4: check(dgm_context_set_precision(world.context, any_word())); break;
    case 5: dgm_context_checkpoint(world.context); break;
    default: dgm_context_clear(world.context);
    }
}

static void call_one(void)
{
    /* clang-format off */
    static void (*const works[WORKS])(void) = {
        use_tokenizer, use_sentences, use_words, use_segmenter, use_truecaser, use_cleaner,
        use_splitter, use_scorers, use_treebanks, use_files, use_model, use_translator,
        use_rescorer, use_annotator, draw, use_context,
    };
    /* clang-format on */

    works[take(WORKS)]();
}

static void free_all(void)
{
    dgm_tokenizer_free(world.tokenizer);
    dgm_sentences_free(world.sentences);
    dgm_words_free(world.words);
    dgm_segmenter_free(world.segmenter);
    dgm_truecaser_free(world.truecaser);
    dgm_cleaner_free(world.cleaner);
    dgm_splitter_free(world.splitter);
    dgm_scorer_free(world.scorers[0]);
    dgm_scorer_free(world.scorers[1]);
    dgm_translator_free(world.translator);
    dgm_rescorer_free(world.rescorer);
    dgm_annotator_free(world.annotator);
    dgm_model_free(world.model);
    dgm_context_free(world.context);
    require(world.blocks == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const dgm_allocator allocator = { resize, release, NULL };
    dgm_context_options options = DGM_OPTIONS(dgm_context_options);

    put_files();
    memset(&world, 0, sizeof world);
    input.at = data;
    input.end = data + size;
    options.allocator = &allocator;
    options.log = hear;
    options.log_level = DGM_LOG_DEBUG;
    options.threads = 1;
    require(dgm_context_new(&options, &world.context) == DGM_OK);
    for (int i = 0; i < MOST_CALLS && input.at < input.end; i++)
        call_one();
    free_all();
    return 0;
}
