/*
 * fuzz_conllu.c: any bytes as a CoNLL-U file, read strictly, leniently and with a
 * forest policy.
 *
 * The first byte chooses the options. What is read must be a valid tree or no parse,
 * and every map to pieces and every matrix must work on it.
 */
#include "base/mem.h"
#include "syntax/conllu/conllu_reader.h"
#include "syntax/tree/align.h"

#include "memory.h"
#include "tree_check.h"

/* Every matrix and map of a small sentence, with one to three pieces per word. */
static void use_tree(struct dgm_env *env, const struct dgm_tree *tree)
{
    size_t n = (size_t)tree->count;
    int32_t counts[64], head[192], matrix[64 * 64];
    float position[192];
    struct dgm_align align;
    int projective;
    size_t i;

    expect(tree_validate(env, tree) == DGM_OK);
    if (n == 0 || n > 64)
        return;
    for (i = 0; i < n; i++)
        counts[i] = (int32_t)(1 + i % 3);
    expect(dgm_tree_distances(env, matrix, tree) == DGM_OK);
    expect(tree_is_projective(env, &projective, tree) == DGM_OK);
    expect(dgm_align_init(env, &align, counts, tree->count) == DGM_OK);
    dgm_align_right_chain(head, &align, tree);
    dgm_align_first_piece(head, &align, tree);
    dgm_align_mean_pos(position, &align, tree);
    dgm_align_clear(env, &align);
}

static void read_all(struct dgm_env *env, const struct dgm_conllu_options *options)
{
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    int more = 1;

    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    if (dgm_conllu_reader_open(env, &reader, "input", options) != DGM_OK)
        more = 0;
    while (more) {
        if (dgm_conllu_reader_next(env, &reader, &sentence, &more) != DGM_OK) {
            /* A lenient reader refuses nothing but what cannot be unpacked. */
            expect(env->error.status == DGM_DATA);
            expect(!options->lenient || is_about_packing(env));
            dgm_env_clear_error(env);
            continue;
        }
        if (more && sentence.tree.has_parse)
            use_tree(env, &sentence.tree);
    }
    dgm_conllu_reader_close(env, &reader);
    dgm_conllu_clear(env, &sentence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_conllu_options options = { .format = DGM_CONLLU_UD };
    struct memory memory;
    struct dgm_env env;

    if (size == 0)
        return 0;
    options.lenient = data[0] & 1;
    options.multi_root = (enum dgm_multi_root)((data[0] >> 1) % 3);
    options.allow_empty = data[0] >> 3 & 1;
    options.allow_unparsed = data[0] >> 4 & 1;
    options.strict = data[0] >> 5 & 1;
    options.max_words = data[0] >> 6 & 1 ? 3 : 0;
    memory_begin(&memory, &env, data + 1, size - 1);
    read_all(&env, &options);
    return 0;
}
