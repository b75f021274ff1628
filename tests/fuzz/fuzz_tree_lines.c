/*
 * fuzz_tree_lines.c: any bytes as CoNLL-U that becomes lines of JSON and of brackets.
 *
 * JSON must be JSON, one object in one line; brackets must be read back with the words of the
 * sentence, and with its heads where no arcs cross and every word has a tag.
 */
#include "syntax/bracket/bracket_conllu.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/bracket/tree_brackets.h"
#include "syntax/conllu/conllu_reader.h"
#include "syntax/conllu/sentence_json.h"
#include "text/json.h"

#include "memory.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static void skip_scalar(struct dgm_json *json, struct dgm_buf *text)
{
    double number;

    if (dgm_json_is_string(json))
        expect(dgm_json_string(json, text) == DGM_OK);
    else
        expect(dgm_json_real(json, &number) == DGM_OK);
}

/* A row of the sentence: names of columns and their values. */
static void check_row(struct dgm_json *json, struct dgm_buf *text)
{
    size_t count = 0;
    int more;

    for (expect(dgm_json_mark(json, '{') == DGM_OK);;) {
        expect(dgm_json_item(json, '}', &count, &more) == DGM_OK);
        if (!more)
            return;
        expect(dgm_json_name(json, text) == DGM_OK);
        skip_scalar(json, text);
    }
}

static size_t check_list(struct dgm_json *json, struct dgm_buf *text)
{
    size_t count = 0, items = 0;
    int more;

    for (expect(dgm_json_mark(json, '[') == DGM_OK);; items++) {
        expect(dgm_json_item(json, ']', &count, &more) == DGM_OK);
        if (!more)
            return items;
        if (dgm_json_is_string(json))
            expect(dgm_json_string(json, text) == DGM_OK);
        else
            check_row(json, text);
    }
}

static void check_json(struct dgm_env *env, const struct dgm_conllu_sentence *sentence)
{
    struct dgm_buf line = { NULL, 0, 0, 0 }, text = { NULL, 0, 0, 0 };
    struct dgm_json json;
    size_t count = 0, words = 0;
    int more;

    expect(dgm_sentence_json(env, &line, sentence) == DGM_OK);
    expect(memchr(line.data, '\n', line.size) == line.data + line.size - 1);
    dgm_json_start(&json, env, "json", 1, line.data, line.size);
    for (expect(dgm_json_mark(&json, '{') == DGM_OK);;) {
        int is_words;

        expect(dgm_json_item(&json, '}', &count, &more) == DGM_OK);
        if (!more)
            break;
        expect(dgm_json_name(&json, &text) == DGM_OK);
        is_words = strcmp(text.data, "words") == 0;
        if (dgm_json_is_string(&json))
            expect(dgm_json_string(&json, &text) == DGM_OK);
        else if (is_words)
            words = check_list(&json, &text);
        else
            check_list(&json, &text);
    }
    expect(dgm_json_end(&json) == DGM_OK);
    expect(words == (size_t)sentence->tree.count);
    dgm_buf_clear(env, &line);
    dgm_buf_clear(env, &text);
}

/* ---- brackets -------------------------------------------------------------------------------- */

static int is_plain(const struct dgm_conllu_sentence *sentence)
{
    for (int32_t w = 0; w < sentence->tree.count; w++) {
        const char *upos = dgm_conllu_field(sentence, w, DGM_CONLLU_UPOS);

        if (strcmp(upos, "_") == 0 || strcmp(upos, "-NONE-") == 0)
            return 0;
    }
    return dgm_tree_root_count(&sentence->tree) == 1;
}

static void check_back(struct dgm_env *env, const struct dgm_conllu_sentence *sentence,
                       const struct dgm_bracket_tree *tree, int lifted)
{
    struct dgm_bracket_conllu conllu = { .rules = DGM_HEADS_WORD };

    expect(tree->has_parse && tree->word_count == sentence->tree.count);
    expect(dgm_bracket_to_conllu(env, &conllu, tree) == DGM_OK);
    if (!lifted && is_plain(sentence))
        expect(memcmp(conllu.head, sentence->tree.head,
                      (size_t)tree->word_count * sizeof *conllu.head) == 0);
    dgm_bracket_conllu_clear(env, &conllu);
}

static void check_brackets(const struct dgm_conllu_sentence *sentence)
{
    const struct dgm_bracket_options deeper = { .max_depth = 1 << 20 };
    struct dgm_tree_brackets brackets;
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    struct dgm_writer writer;
    struct memory out, back;
    struct dgm_env env;
    int more = 0, lifted;

    memset(&brackets, 0, sizeof brackets);
    memset(&writer, 0, sizeof writer);
    memset(&reader, 0, sizeof reader);
    memset(&tree, 0, sizeof tree);
    memory_begin(&out, &env, "", 0);
    expect(dgm_writer_open(&env, &writer, "-") == DGM_OK);
    expect(dgm_tree_brackets_write(&env, &brackets, &writer, sentence) == DGM_OK);
    expect(dgm_writer_close(&env, &writer) == DGM_OK);
    lifted = brackets.lifted > 0;
    dgm_tree_brackets_clear(&env, &brackets);
    memory_begin(&back, &env, out.written.data, out.written.size);
    expect(dgm_bracket_reader_open(&env, &reader, "back", &deeper) == DGM_OK);
    expect(dgm_bracket_reader_next_or_none(&env, &reader, &tree, &more) == DGM_OK && more);
    if (sentence->tree.has_parse && sentence->tree.count > 0)
        check_back(&env, sentence, &tree, lifted);
    else
        expect(tree.word_count == 0);
    expect(dgm_bracket_reader_next(&env, &reader, &tree, &more) == DGM_OK && !more);
    dgm_bracket_reader_close(&env, &reader);
    dgm_bracket_clear(&env, &tree);
    dgm_buf_clear(&out.env, &out.written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct dgm_conllu_options options = {
        .lenient = 1, .allow_empty = 1, .allow_unparsed = 1, .multi_root = DGM_MULTI_ROOT_KEEP
    };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    struct dgm_env env;
    int more;

    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    dgm_env_init(&env);
    expect(dgm_buf_add(&env, &text, data, size) == DGM_OK);
    if (dgm_conllu_reader_open_text(&env, &reader, "input", &text, &options) != DGM_OK) {
        expect(env.error.status ==
               DGM_DATA); /* it begins as packed data do, or what else is no text */
        dgm_conllu_reader_close(&env, &reader);
        dgm_buf_clear(&env, &text);
        return 0;
    }
    for (;;) {
        expect(dgm_conllu_reader_next(&env, &reader, &sentence, &more) == DGM_OK);
        if (!more)
            break;
        check_json(&env, &sentence);
        check_brackets(&sentence);
    }
    dgm_conllu_reader_close(&env, &reader);
    dgm_conllu_clear(&env, &sentence);
    dgm_buf_clear(&env, &text);
    return 0;
}
