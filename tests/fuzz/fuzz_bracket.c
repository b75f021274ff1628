/*
 * fuzz_bracket.c: any bytes as a file of bracketed trees.
 *
 * The first byte chooses the options. Links and spans of what is read must agree, and a
 * tree that is written must read back as it was. By all rules for heads it becomes CoNLL-U that a
 * strict reader takes, with one root, no crossing arcs, and one head outside of each constituent.
 */
#include "syntax/bracket/bracket_conllu.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/conllu/conllu_reader.h"

#include "memory.h"
#include "tree_check.h"

static void check_tree(const struct dgm_bracket_tree *tree)
{
    int32_t i, child, word = 0;

    expect(tree->node_count >= 1 && tree->nodes[0].parent == -1);
    expect(tree->nodes[0].first_word == 0 && tree->nodes[0].end_word == tree->word_count);
    for (i = 0; i < tree->node_count; i++) {
        const struct dgm_bracket_node *node = &tree->nodes[i];
        int32_t at = node->first_word;

        expect(node->parent < i && node->text < tree->bytes.size);
        if (node->is_word) {
            expect(tree->words[word] == i && at == word && node->end_word == ++word);
            expect(node->first_child == -1);
            continue;
        }
        expect(node->first_child == i + 1 || (i == 0 && tree->node_count == 1));
        for (child = node->first_child; child >= 0; child = tree->nodes[child].next_sibling) {
            expect(tree->nodes[child].parent == i && tree->nodes[child].first_word == at);
            at = tree->nodes[child].end_word;
        }
        expect(node->end_word == at);
    }
    expect(word == tree->word_count);
}

static void check_same(const struct dgm_bracket_tree *a, const struct dgm_bracket_tree *b)
{
    int32_t i;

    expect(a->node_count == b->node_count && a->word_count == b->word_count);
    for (i = 0; i < a->node_count; i++) {
        expect(a->nodes[i].parent == b->nodes[i].parent);
        expect(strcmp(dgm_bracket_text(a, i), dgm_bracket_text(b, i)) == 0);
    }
}

/* Whether a bracket stands behind the start of an escape, which the format cannot hold. */
static int is_ambiguous(const struct dgm_bracket_tree *tree)
{
    static const char *const starts[] = { "-LRB", "-RRB", "-LSB", "-RSB", "-LCB", "-RCB" };
    int32_t word;
    size_t i;

    for (word = 0; word < tree->word_count; word++) {
        for (i = 0; i < sizeof starts / sizeof starts[0]; i++) {
            const char *at = dgm_bracket_text(tree, tree->words[word]);

            while ((at = strstr(at, starts[i])) != NULL) {
                at += 4;
                if (*at != '\0' && strchr("()[]{}", *at) != NULL)
                    return 1;
            }
        }
    }
    return 0;
}

static void check_written(const struct dgm_bracket_tree *tree,
                          const struct dgm_bracket_options *options)
{
    struct dgm_bracket_options deeper = { .max_depth = 2000 };
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree copy;
    struct dgm_writer writer;
    struct memory out, back;
    struct dgm_env env;
    int more = 0;

    memset(&writer, 0, sizeof writer);
    memset(&reader, 0, sizeof reader);
    memset(&copy, 0, sizeof copy);
    deeper.cut_labels = options->cut_labels;
    memory_begin(&out, &env, "", 0);
    expect(dgm_writer_open(&env, &writer, "-") == DGM_OK);
    expect(dgm_bracket_write(&env, &writer, tree) == DGM_OK);
    expect(dgm_writer_close(&env, &writer) == DGM_OK);
    memory_begin(&back, &env, out.written.data, out.written.size);
    expect(dgm_bracket_reader_open(&env, &reader, "back", &deeper) == DGM_OK);
    expect(dgm_bracket_reader_next(&env, &reader, &copy, &more) == DGM_OK && more);
    check_same(&copy, tree);
    dgm_bracket_reader_close(&env, &reader);
    dgm_bracket_clear(&env, &copy);
    dgm_buf_clear(&out.env, &out.written);
}

/* ---- heads ----------------------------------------------------------------------------------- */

static void check_constituents(const struct dgm_bracket_tree *tree, const int32_t *head)
{
    for (int32_t i = 0; i < tree->node_count && i < 200; i++) {
        int32_t first = tree->nodes[i].first_word, end = tree->nodes[i].end_word, outside = 0;

        for (int32_t w = first; w < end; w++)
            outside += head[w] == w || head[w] < first || head[w] >= end;
        expect(outside == 1);
    }
}

static void check_conllu(const struct dgm_bracket_conllu *conllu,
                         const struct dgm_bracket_tree *tree)
{
    const struct dgm_conllu_options options = { .allow_empty = 1, .allow_unparsed = 1 };
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    struct dgm_env env;
    int more, projective;

    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    dgm_env_init(&env);
    expect(dgm_conllu_reader_open_text(&env, &reader, "block", &conllu->out, &options) == DGM_OK);
    expect(dgm_conllu_reader_next(&env, &reader, &sentence, &more) == DGM_OK && more);
    expect(sentence.tree.count == tree->word_count);
    expect(sentence.tree.has_parse == (tree->has_parse && tree->word_count > 0));
    if (sentence.tree.has_parse) {
        expect(dgm_tree_root_count(&sentence.tree) == 1);
        expect(tree_is_projective(&env, &projective, &sentence.tree) == DGM_OK && projective);
        check_constituents(tree, sentence.tree.head);
    }
    expect(dgm_conllu_reader_next(&env, &reader, &sentence, &more) == DGM_OK && !more);
    dgm_conllu_reader_close(&env, &reader);
    dgm_conllu_clear(&env, &sentence);
}

static void check_heads(const struct dgm_bracket_tree *tree, unsigned choice)
{
    struct dgm_env env;

    dgm_env_init(&env);
    for (int rules = 0; rules < DGM_HEAD_RULES; rules++) {
        struct dgm_bracket_conllu conllu = {
            .rules = (enum dgm_head_rules)rules,
            .relations = (enum dgm_bracket_relations)(choice % DGM_BRACKET_RELATIONS),
        };

        expect(dgm_bracket_to_conllu(&env, &conllu, tree) == DGM_OK);
        check_conllu(&conllu, tree);
        dgm_bracket_conllu_clear(&env, &conllu);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_bracket_options options = { .mode = DGM_BRACKET_LINES };
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    struct memory memory;
    struct dgm_env env;
    int more = 1;

    if (size == 0)
        return 0;
    options.lenient = data[0] & 1;
    options.mode = data[0] >> 1 & 1 ? DGM_BRACKET_FREE : DGM_BRACKET_LINES;
    options.cut_labels = data[0] >> 2 & 1;
    options.raw_words = data[0] >> 3 & 1;
    options.max_depth = data[0] >> 4 & 1 ? 4 : 0;
    options.max_words = data[0] >> 5 & 1 ? 3 : 0;
    memset(&reader, 0, sizeof reader);
    memset(&tree, 0, sizeof tree);
    memory_begin(&memory, &env, data + 1, size - 1);
    if (dgm_bracket_reader_open(&env, &reader, "input", &options) != DGM_OK)
        more = 0;
    while (more) {
        if (dgm_bracket_reader_next(&env, &reader, &tree, &more) != DGM_OK) {
            /* A lenient reader refuses nothing but what cannot be unpacked. */
            expect(env.error.status == DGM_DATA);
            expect(!options.lenient || is_about_packing(&env));
            dgm_env_clear_error(&env);
            continue;
        }
        if (!more)
            break;
        check_tree(&tree);
        check_heads(&tree, data[0] >> 6);
        if (tree.has_parse && !options.raw_words && !is_ambiguous(&tree))
            check_written(&tree, &options);
    }
    dgm_bracket_reader_close(&env, &reader);
    dgm_bracket_clear(&env, &tree);
    return 0;
}
