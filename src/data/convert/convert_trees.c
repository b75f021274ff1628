/*
 * convert_trees.c: treebanks from one format into another, or into their words.
 *
 * A tree that every reader accepts is written as it was read. Options let more pass: heads that
 * --multi-root has moved, and sentences that a lenient reader reads without their tree. These are
 * mended first, so that the output can be read without such options. --random draws other heads.
 */
#include "data/convert/convert_trees.h"

#include <stdio.h>
#include <string.h>

#include "data/convert/binary_lines.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/bracket/tree_brackets.h"
#include "syntax/conllu/conllx.h"
#include "syntax/conllu/sentence_json.h"
#include "syntax/conllu/stanford.h"
#include "syntax/tree/random_tree.h"

const char *const dgm_treebank_forms[DGM_TREEBANK_FORMS] = { "conllu",   "conllx", "typed",
                                                             "brackets", "words",  "binary",
                                                             "json" };

struct conversion {
    struct dgm_env *env;
    const struct dgm_convert_wishes *wishes;
    struct dgm_writer writer;
    struct dgm_buf out;              /* one line of words */
    struct dgm_conllu_reader reader; /* of dependency trees, and ... */
    struct dgm_conllu_sentence sentence;
    uint32_t sentences;              /* read so far: each has random heads of its own */
    struct dgm_bracket_reader trees; /* ... of brackets */
    struct dgm_bracket_tree tree;
    struct dgm_bracket_conllu heads;      /* of its phrases */
    int has_unknown;                      /* ... of one without a rule: said once */
    struct dgm_tree_brackets tree_output; /* dependencies as brackets */
    int has_lifted;                       /* words of them: said once */
    struct dgm_binary_lines binary;
};

int dgm_convert_needs_heads(enum dgm_treebank_form from, enum dgm_treebank_form to)
{
    return from == DGM_TREEBANK_BRACKETS && (to < DGM_TREEBANK_BRACKETS || to == DGM_TREEBANK_JSON);
}

/* ---- mending ------------------------------------------------------------------------------ */

static dgm_status set_field(struct dgm_env *env, struct dgm_conllu_sentence *sentence,
                            struct dgm_conllu_row *row, enum dgm_conllu_column column,
                            const char *text)
{
    uint32_t at = (uint32_t)sentence->bytes.size;
    /* The reader has held the text to its limit; mending adds a few numbers behind it. */
    sentence->bytes.limit = 32 * DGM_CONLLU_MAX_BYTES;
    DGM_TRY(dgm_buf_add(env, &sentence->bytes, text, strlen(text) + 1));
    row->field[column] = at;
    return DGM_OK;
}

/* A line that ends with CR CR LF leaves a CR at the end of MISC. Written before an LF, it would
 * vanish when the file is read again: so it goes now. */
static dgm_status cut_returns(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    for (size_t i = 0; i < sentence->row_count; i++) {
        struct dgm_conllu_row *row = &sentence->rows[i];
        char *misc = sentence->bytes.data + row->field[DGM_CONLLU_MISC];
        size_t length = strlen(misc);
        if (length == 0 || misc[length - 1] != '\r')
            continue;
        while (length > 0 && misc[length - 1] == '\r')
            misc[--length] = '\0';
        if (length == 0)
            DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_MISC, "_"));
    }
    return DGM_OK;
}

/* Writes the heads that the policy for several roots has moved. Their words are no roots any
 * more, so their relation `root` becomes `dep`. */
static dgm_status write_heads(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    const struct dgm_tree *tree = &sentence->tree;
    char head[16];
    for (int32_t word = 0; word < tree->count; word++) {
        struct dgm_conllu_row *row = &sentence->rows[sentence->words[word]];
        if (tree->head[word] == word ||
            strcmp(dgm_conllu_field(sentence, word, DGM_CONLLU_HEAD), "0") != 0)
            continue;
        snprintf(head, sizeof head, "%ld", (long)tree->head[word] + 1);
        DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_HEAD, head));
        if (strcmp(dgm_conllu_field(sentence, word, DGM_CONLLU_DEPREL), "root") == 0)
            DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_DEPREL, "dep"));
    }
    return DGM_OK;
}

/* Keeps the words of a sentence with faults: numbers them anew, without a tree, and fills empty
 * columns. */
static dgm_status keep_words(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    char id[16];
    for (int32_t word = 0; word < sentence->tree.count; word++) {
        struct dgm_conllu_row *row = &sentence->rows[word];
        *row = sentence->rows[sentence->words[word]];
        sentence->words[word] = (uint32_t)word;
        for (int column = DGM_CONLLU_FORM; column < DGM_CONLLU_COLUMNS; column++)
            if (sentence->bytes.data[row->field[column]] == '\0' ||
                (column >= DGM_CONLLU_HEAD && column <= DGM_CONLLU_DEPS))
                DGM_TRY(set_field(env, sentence, row, (enum dgm_conllu_column)column, "_"));
        snprintf(id, sizeof id, "%ld", (long)word + 1);
        DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_ID, id));
    }
    sentence->row_count = (size_t)sentence->tree.count;
    return DGM_OK;
}

static dgm_status set_head(struct dgm_env *env, struct dgm_conllu_sentence *sentence, int32_t word)
{
    struct dgm_conllu_row *row = &sentence->rows[sentence->words[word]];
    const char *relation = dgm_conllu_field(sentence, word, DGM_CONLLU_DEPREL);
    int is_root = sentence->tree.head[word] == word;
    char head[16];
    snprintf(head, sizeof head, "%ld", is_root ? 0L : (long)sentence->tree.head[word] + 1);
    if (is_root)
        DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_DEPREL, "root"));
    else if (strcmp(relation, "root") == 0 || strcmp(relation, "_") == 0)
        DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_DEPREL, "dep"));
    DGM_TRY(set_field(env, sentence, row, DGM_CONLLU_DEPS, "_"));
    return set_field(env, sentence, row, DGM_CONLLU_HEAD, head);
}

/* Empty nodes are of the graph of DEPS, and go with it. */
static void drop_empty_nodes(struct dgm_conllu_sentence *sentence)
{
    size_t kept = 0;
    int32_t word = 0;
    for (size_t r = 0; r < sentence->row_count; r++) {
        if (sentence->rows[r].kind == DGM_CONLLU_EMPTY)
            continue;
        if (sentence->rows[r].kind == DGM_CONLLU_WORD)
            sentence->words[word++] = (uint32_t)kept;
        sentence->rows[kept++] = sentence->rows[r];
    }
    sentence->row_count = kept;
}

/* Replaces the tree by a random one, which is a function of the seed, of the number of the sentence
 * and of its length. Words keep their tags, and relations that need not change. */
static dgm_status draw_heads(struct conversion *conversion)
{
    enum { STREAM = 0x72747265 }; /* "rtre": no other draws come from it */
    struct dgm_conllu_sentence *sentence = &conversion->sentence;
    struct dgm_random random;
    dgm_random_init(&random, conversion->wishes->random_seed, STREAM, conversion->sentences, 0);
    dgm_tree_random(sentence->tree.head, &random, sentence->tree.count);
    sentence->tree.has_parse = 1;
    drop_empty_nodes(sentence);
    for (int32_t word = 0; word < sentence->tree.count; word++)
        DGM_TRY(set_head(conversion->env, sentence, word));
    return DGM_OK;
}

/* Makes a sentence readable without options; `broken`: it has faults. */
static dgm_status mend(struct dgm_env *env, struct dgm_conllu_sentence *sentence, int broken)
{
    DGM_TRY(cut_returns(env, sentence));
    if (sentence->tree.has_parse)
        return write_heads(env, sentence);
    return broken ? keep_words(env, sentence) : DGM_OK;
}

/* ---- dependency trees --------------------------------------------------------------------- */

static dgm_status open_sentences(struct conversion *conversion, const char *path)
{
    const struct dgm_convert_wishes *wishes = conversion->wishes;
    const struct dgm_conllu_options reading = {
        .format = wishes->from == DGM_TREEBANK_CONLLX  ? DGM_CONLLU_X
                  : wishes->from == DGM_TREEBANK_TYPED ? DGM_CONLLU_TYPED
                                                       : DGM_CONLLU_UD,
        .lenient = wishes->lenient,
        .strict = wishes->strict,
        .multi_root = wishes->multi_root,
        .allow_empty = wishes->allow_empty || wishes->lenient,
        /* Words can be written, and heads be drawn, though there are no heads. */
        .allow_unparsed = !wishes->strict && (wishes->lenient || wishes->random_seed != 0 ||
                                              wishes->to == DGM_TREEBANK_WORDS)
    };

    return dgm_conllu_reader_open(conversion->env, &conversion->reader, path, &reading);
}

/* The forms on one line; a blank inside one becomes U+00A0, as in typed dependencies. */
static dgm_status write_forms(struct conversion *conversion)
{
    struct dgm_env *env = conversion->env;
    struct dgm_buf *out = &conversion->out;
    dgm_buf_reset(out);
    for (int32_t word = 0; word < conversion->sentence.tree.count; word++) {
        const char *form = dgm_conllu_field(&conversion->sentence, word, DGM_CONLLU_FORM);
        if (word > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        for (; *form != '\0'; form++)
            DGM_TRY(*form == ' ' ? dgm_buf_add_text(env, out, "\xC2\xA0")
                                 : dgm_buf_add_char(env, out, *form));
    }
    DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    return dgm_writer_add(env, &conversion->writer, out->data, out->size);
}

/* The error of a sentence that the format cannot hold says where it stands. */
static dgm_status write_typed(struct conversion *conversion)
{
    struct dgm_env *env = conversion->env;
    const struct dgm_conllu_sentence *sentence = &conversion->sentence;
    char message[sizeof env->error.message];
    dgm_status status;
    if (sentence->tree.count == 0)
        return dgm_writer_add(env, &conversion->writer, "\n", 1);
    status = dgm_stanford_write(env, &conversion->writer, sentence);
    if (status != DGM_DATA)
        return status;
    snprintf(message, sizeof message, "%s", env->error.message);
    dgm_env_clear_error(env);
    return dgm_fail_at(env, DGM_DATA, conversion->reader.lines.path, sentence->line, 0, "%s",
                       message);
}

/* A blank line alone is no sentence: one without words and comments gets a comment. */
static dgm_status write_conllu(struct conversion *conversion)
{
    const struct dgm_conllu_sentence *sentence = &conversion->sentence;
    if (sentence->row_count == 0 && sentence->comment_count == 0)
        DGM_TRY(dgm_writer_add(conversion->env, &conversion->writer, "# text =\n", 9));
    return dgm_conllu_write(conversion->env, &conversion->writer, sentence);
}

static dgm_status write_dependencies(struct conversion *conversion)
{
    struct dgm_tree_brackets *brackets = &conversion->tree_output;
    const struct dgm_conllu_sentence *sentence = &conversion->sentence;
    DGM_TRY(dgm_tree_brackets_write(conversion->env, brackets, &conversion->writer, sentence));
    if (brackets->lifted > 0 && conversion->has_lifted++ == 0)
        dgm_log(conversion->env, DGM_LOG_WARNING,
                "%s:%ld: arcs cross, and brackets cannot: words hang higher than their heads (said "
                "once)",
                conversion->reader.lines.path, sentence->line);
    return DGM_OK;
}

static dgm_status write_json(struct conversion *conversion)
{
    struct dgm_buf *out = &conversion->out;
    dgm_buf_reset(out);
    DGM_TRY(dgm_sentence_json(conversion->env, out, &conversion->sentence));
    return dgm_writer_add(conversion->env, &conversion->writer, out->data, out->size);
}

static dgm_status write_sentence(struct conversion *conversion)
{
    struct dgm_env *env = conversion->env;
    struct dgm_conllu_sentence *sentence = &conversion->sentence;
    DGM_TRY(mend(env, sentence, conversion->reader.broken));
    if (conversion->wishes->random_seed != 0)
        DGM_TRY(draw_heads(conversion));
    conversion->sentences++;
    switch (conversion->wishes->to) {
    case DGM_TREEBANK_CONLLX: return dgm_conllx_write(env, &conversion->writer, sentence);
    case DGM_TREEBANK_TYPED: return write_typed(conversion);
    case DGM_TREEBANK_WORDS: return write_forms(conversion);
    case DGM_TREEBANK_BINARY:
        return dgm_binary_lines_of_heads(env, &conversion->writer, &conversion->binary, sentence);
    case DGM_TREEBANK_JSON: return write_json(conversion);
    case DGM_TREEBANK_BRACKETS: return write_dependencies(conversion);
    default: return write_conllu(conversion);
    }
}

/* ---- brackets ----------------------------------------------------------------------------- */

static dgm_status open_trees(struct conversion *conversion, const char *path)
{
    const struct dgm_convert_wishes *wishes = conversion->wishes;
    const struct dgm_bracket_options reading = { .mode = wishes->free_lines ? DGM_BRACKET_FREE
                                                                            : DGM_BRACKET_LINES,
                                                 .lenient = wishes->lenient,
                                                 .cut_labels = !wishes->keep_tags };

    return dgm_bracket_reader_open(conversion->env, &conversion->trees, path, &reading);
}

static void warn_of_unknown(struct conversion *conversion)
{
    const struct dgm_bracket_tree *tree = &conversion->tree;
    int32_t node = conversion->heads.unknown;
    char quoted[DGM_QUOTE_SIZE];
    if (node < 0 || conversion->has_unknown++)
        return;
    dgm_quote(quoted, sizeof quoted, dgm_bracket_text(tree, node),
              strlen(dgm_bracket_text(tree, node)));
    dgm_log(conversion->env, DGM_LOG_WARNING,
            "%s:%ld: no rule for the head of \"%s\": its last constituent is taken (said once)",
            conversion->trees.lines.path, tree->line, quoted);
}

/* Dependencies of phrases go the way of those that are read. */
static dgm_status write_heads_of_phrases(struct conversion *conversion)
{
    struct dgm_env *env = conversion->env;
    const struct dgm_conllu_options reading = { .allow_empty = 1, .allow_unparsed = 1 };
    const struct dgm_buf *block = &conversion->heads.out;
    int more;
    DGM_TRY(dgm_bracket_to_conllu(env, &conversion->heads, &conversion->tree));
    warn_of_unknown(conversion);
    if (conversion->wishes->to == DGM_TREEBANK_CONLLU)
        return dgm_writer_add(env, &conversion->writer, block->data, block->size);
    DGM_TRY(dgm_conllu_reader_open_text(env, &conversion->reader, conversion->trees.lines.path,
                                        block, &reading));
    DGM_TRY(dgm_conllu_reader_next(env, &conversion->reader, &conversion->sentence, &more));
    conversion->sentence.line = conversion->tree.line;
    return write_sentence(conversion);
}

static dgm_status write_tree(struct conversion *conversion)
{
    struct dgm_env *env = conversion->env;
    const struct dgm_bracket_tree *tree = &conversion->tree;
    if (dgm_convert_needs_heads(conversion->wishes->from, conversion->wishes->to))
        return write_heads_of_phrases(conversion);
    if (conversion->wishes->to == DGM_TREEBANK_BRACKETS)
        return dgm_bracket_write(env, &conversion->writer, tree);
    if (conversion->wishes->to == DGM_TREEBANK_BINARY)
        return dgm_binary_lines_of_brackets(env, &conversion->writer, &conversion->binary, tree);
    for (int32_t word = 0; word < tree->word_count; word++) {
        const char *text = dgm_bracket_text(tree, tree->words[word]);
        if (word > 0)
            DGM_TRY(dgm_writer_add(env, &conversion->writer, " ", 1));
        DGM_TRY(dgm_writer_add(env, &conversion->writer, text, strlen(text)));
    }
    return dgm_writer_add(env, &conversion->writer, "\n", 1);
}

/* ---- the file ----------------------------------------------------------------------------- */

static dgm_status next(struct conversion *conversion, int *more)
{
    if (conversion->wishes->from == DGM_TREEBANK_BRACKETS)
        return dgm_bracket_reader_next(conversion->env, &conversion->trees, &conversion->tree,
                                       more);
    return dgm_conllu_reader_next(conversion->env, &conversion->reader, &conversion->sentence,
                                  more);
}

static dgm_status convert(struct conversion *conversion, const char *path)
{
    int is_brackets = conversion->wishes->from == DGM_TREEBANK_BRACKETS, more;
    DGM_TRY(is_brackets ? open_trees(conversion, path) : open_sentences(conversion, path));
    for (;;) {
        DGM_TRY(dgm_poll_saying(conversion->env, "stopped while converting"));
        DGM_TRY(next(conversion, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(is_brackets ? write_tree(conversion) : write_sentence(conversion));
    }
}

/* Writes also what was read before an error. */
static dgm_status close_all(struct conversion *conversion, dgm_status status)
{
    struct dgm_env *env = conversion->env;
    dgm_status closing = dgm_writer_close(env, &conversion->writer);
    if (conversion->wishes->from == DGM_TREEBANK_BRACKETS)
        dgm_bracket_reader_close(env, &conversion->trees);
    dgm_conllu_reader_close(env, &conversion->reader);
    dgm_bracket_conllu_clear(env, &conversion->heads);
    dgm_tree_brackets_clear(env, &conversion->tree_output);
    dgm_conllu_clear(env, &conversion->sentence);
    dgm_bracket_clear(env, &conversion->tree);
    dgm_buf_clear(env, &conversion->out);
    dgm_binary_lines_clear(env, &conversion->binary);
    return status != DGM_OK ? status : closing;
}

dgm_status dgm_convert_run(struct dgm_env *env, const char *path,
                           const struct dgm_convert_wishes *wishes, dgm_write_fn write, void *user)
{
    struct conversion conversion = { .env = env, .wishes = wishes };

    conversion.heads.rules = wishes->rules;
    conversion.heads.relations = wishes->relations;
    dgm_writer_open_sink(&conversion.writer, write, user);
    return close_all(&conversion, convert(&conversion, path));
}
