/*
 * treebank_copy.h: a published treebank written in another format and read again: trees and
 * relations are those of the original.
 */
#ifndef DGM_TEST_TREEBANK_COPY_H
#define DGM_TEST_TREEBANK_COPY_H

#include <stdio.h>
#include <string.h>

#include "base/file/writer.h"
#include "syntax/conllu/conllu_reader.h"
#include "test.h"

/* A format: how a file of it is read, and how a sentence is written. */
struct treebank_format {
    enum dgm_conllu_format format;
    dgm_status (*write)(struct dgm_env *env, struct dgm_writer *writer,
                        const struct dgm_conllu_sentence *sentence);
};

/* A file that is read sentence by sentence. */
struct treebank_reading {
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    int more;
};

static inline void treebank_next(struct treebank_reading *reading)
{
    CHECK_STATUS(dgm_conllu_reader_next(test_env(), &reading->reader, &reading->sentence,
                                        &reading->more),
                 DGM_OK);
}

static inline void treebank_end(struct treebank_reading *reading)
{
    dgm_conllu_reader_close(test_env(), &reading->reader);
    dgm_conllu_clear(test_env(), &reading->sentence);
}

static inline void treebank_write_copy(const struct treebank_format *format, const char *path,
                                       const char *copy)
{
    struct treebank_reading first;
    struct dgm_writer writer;

    memset(&first, 0, sizeof first);
    memset(&writer, 0, sizeof writer);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, copy), DGM_OK);
    CHECK_STATUS(dgm_conllu_reader_open(test_env(), &first.reader, path, NULL), DGM_OK);
    for (treebank_next(&first); first.more; treebank_next(&first))
        CHECK_STATUS(format->write(test_env(), &writer, &first.sentence), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    treebank_end(&first);
}

/* name: of a CoNLL-U file below the shared data. */
static inline void treebank_survives(const struct treebank_format *format, const char *name)
{
    struct dgm_conllu_options options = { .format = format->format };
    struct treebank_reading first, second;
    char path[1200], copy[1200];

    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    snprintf(path, sizeof path, "%s/data/ud/%s", test_shared(), name);
    snprintf(copy, sizeof copy, "%s/copy", test_dir());
    treebank_write_copy(format, path, copy);
    CHECK_STATUS(dgm_conllu_reader_open(test_env(), &first.reader, path, NULL), DGM_OK);
    CHECK_STATUS(dgm_conllu_reader_open(test_env(), &second.reader, copy, &options), DGM_OK);
    for (;;) {
        treebank_next(&first);
        treebank_next(&second);
        CHECK_INT(second.more, first.more);
        if (!first.more)
            break;
        CHECK_INT(second.sentence.tree.count, first.sentence.tree.count);
        CHECK_MEM(second.sentence.tree.head, first.sentence.tree.head,
                  (size_t)first.sentence.tree.count * sizeof(int32_t));
        for (int32_t i = 0; i < first.sentence.tree.count; i++)
            CHECK_STR(dgm_conllu_field(&second.sentence, i, DGM_CONLLU_DEPREL),
                      dgm_conllu_field(&first.sentence, i, DGM_CONLLU_DEPREL));
    }
    treebank_end(&first);
    treebank_end(&second);
}

#endif
