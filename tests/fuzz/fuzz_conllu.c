/*
 * fuzz_conllu.c: any bytes as a CoNLL-U file, read strictly, leniently and with a
 * forest policy.
 *
 * The first byte chooses the options. What is read must be a valid tree or no parse,
 * and every map to pieces and every matrix must work on it.
 */
#include "base/file/vfs.h"
#include "base/mem.h"
#include "syntax/conllu/conllu_reader.h"
#include "syntax/tree/align.h"

#include "tree_check.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input as the only file there is. */
struct memory_file {
    const uint8_t *bytes;
    size_t size, at;
};

static int open_memory(void *user, const char *path, int flags, unsigned mode)
{
    (void)user;
    (void)path;
    (void)flags;
    (void)mode;
    return 3;
}

static long read_memory(void *user, int fd, void *out, size_t count)
{
    struct memory_file *file = user;
    size_t left = file->size - file->at;

    (void)fd;
    if (count > left)
        count = left;
    if (count > 0)
        memcpy(out, file->bytes + file->at, count);
    file->at += count;
    return (long)count;
}

static int close_memory(void *user, int fd)
{
    (void)user;
    (void)fd;
    return 0;
}

static int measure_memory(void *user, int fd, long long *bytes, int *is_regular)
{
    const struct memory_file *file = user;

    (void)fd;
    *bytes = (long long)file->size;
    *is_regular = 1;
    return 0;
}

static void expect(int holds)
{
    if (!holds)
        abort();
}

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
            expect(!options->lenient || strstr(env->error.message, "gzip") != NULL);
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
    struct dgm_vfs vfs = dgm_vfs_system;
    struct memory_file file = { NULL, 0, 0 };
    struct dgm_conllu_options options = { .format = DGM_CONLLU_UD };
    struct dgm_env env;

    if (size == 0)
        return 0;
    options.lenient = data[0] & 1;
    options.multi_root = (enum dgm_multi_root)((data[0] >> 1) % 3);
    options.allow_empty = data[0] >> 3 & 1;
    options.allow_unparsed = data[0] >> 4 & 1;
    options.strict = data[0] >> 5 & 1;
    options.max_words = data[0] >> 6 & 1 ? 3 : 0;
    file.bytes = data + 1;
    file.size = size - 1;
    vfs.open = open_memory;
    vfs.read = read_memory;
    vfs.close = close_memory;
    vfs.size = measure_memory;
    vfs.user = &file;
    dgm_env_init(&env);
    env.vfs = &vfs;
    read_all(&env, &options);
    return 0;
}
