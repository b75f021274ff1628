/*
 * test_conllu_shared.c: every published treebank in the shared data comes back byte for
 * byte, the packed ones included where zlib is there.
 */
#include "base/file/writer.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "config.h"
#include "syntax/conllu/conllu_reader.h"

#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Compares the lines of two files; only LF ends them, so equal lines are equal bytes up
 * to the line ends, and these files have LF alone. */
static void check_same_lines(const char *a, const char *b)
{
    struct dgm_lines first, second;
    int more = 1, also = 1;

    CHECK_STATUS(dgm_lines_open(test_env(), &first, a), DGM_OK);
    CHECK_STATUS(dgm_lines_open(test_env(), &second, b), DGM_OK);
    for (;;) {
        CHECK_STATUS(dgm_lines_next(test_env(), &first, &more), DGM_OK);
        CHECK_STATUS(dgm_lines_next(test_env(), &second, &also), DGM_OK);
        CHECK_INT(also, more);
        if (!more)
            break;
        CHECK_INT(second.line.size, first.line.size);
        CHECK_MEM(second.line.data, first.line.data, first.line.size);
    }
    CHECK_INT(first.had_cr, 0);
    CHECK_INT(second.had_cr, 0);
    CHECK_INT(first.ended_without_lf, second.ended_without_lf);
    dgm_lines_close(test_env(), &first);
    dgm_lines_close(test_env(), &second);
}

static void check_round_trip(const char *path, long *sentences)
{
    struct dgm_env *env = test_env();
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    struct dgm_writer writer;
    char copy[512];
    int more = 1;

    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    memset(&writer, 0, sizeof writer);
    snprintf(copy, sizeof copy, "%s/copy.conllu", test_dir());
    CHECK_STATUS(dgm_conllu_reader_open(env, &reader, path, NULL), DGM_OK);
    CHECK_STATUS(dgm_writer_open(env, &writer, copy), DGM_OK);
    for (;;) {
        CHECK_STATUS(dgm_conllu_reader_next(env, &reader, &sentence, &more), DGM_OK);
        if (!more)
            break;
        CHECK_INT(sentence.tree.has_parse, 1);
        CHECK_STATUS(dgm_conllu_write(env, &writer, &sentence), DGM_OK);
    }
    *sentences += reader.sentences;
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    dgm_conllu_reader_close(env, &reader);
    dgm_conllu_clear(env, &sentence);
    check_same_lines(path, copy);
}

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);

    return length >= size && strcmp(text + length - size, end) == 0;
}

static int is_treebank(const char *name)
{
#ifdef DGM_HAVE_ZLIB
    if (ends_with(name, ".conllu.gz"))
        return 1;
#endif
    return ends_with(name, ".conllu");
}

/* The treebanks of one folder and of the folders in it. */
static void check_folder(const char *path, int depth, long *files, long *sentences)
{
    struct dirent *item;
    struct stat info;
    char below[1024];
    DIR *folder = opendir(path);

    if (folder == NULL)
        return;
    while ((item = readdir(folder)) != NULL) {
        if (item->d_name[0] == '.')
            continue;
        snprintf(below, sizeof below, "%s/%s", path, item->d_name);
        if (stat(below, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && depth > 0)
            check_folder(below, depth - 1, files, sentences);
        if (!S_ISREG(info.st_mode) || !is_treebank(below))
            continue;
        check_round_trip(below, sentences);
        ++*files;
    }
    closedir(folder);
}

static void check_shared(const char *name, long least_files, long least_sentences)
{
    long files = 0, sentences = 0;
    char path[512];

    snprintf(path, sizeof path, "%s/%s", test_shared(), name);
    check_folder(path, 2, &files, &sentences);
    CHECK(files >= least_files);
    CHECK(sentences >= least_sentences);
}

TEST(conllu_of_all_shared_pud_treebanks_comes_back_byte_for_byte)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_shared("data/pud", 3, 3000);
}

TEST(conllu_of_all_shared_ud_treebanks_comes_back_byte_for_byte)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_shared("data/ud", 5, 5000);
}
