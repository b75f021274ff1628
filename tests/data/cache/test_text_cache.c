/*
 * test_text_cache.c: files of encoded text: what was written is read, and nothing else is.
 */
#include "data/cache/text_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "data/cache/text_cache_writer.h"
#include "failing_vfs.h"
#include "text_case.h"
#include "test.h"

enum { PAIRS = 300, BLOCK = 2000 };

static const char made_of[] = "source text = 1\ntarget text = 2\ncodes = 3\n";
static const struct dgm_text_limits limits = { { TEXT_CASE_IDS, TEXT_CASE_IDS }, { 9, 9, 9, 9 } };

static const char *path_of(char path[1200])
{
    snprintf(path, 1200, "%s/text.cache", test_dir());
    return path;
}

/* A cache of a corpus. */
static dgm_status write_cache(const struct dgm_corpus *corpus, const char *description)
{
    struct dgm_text_cache_writer writer;
    char path[1200];
    dgm_status status;

    DGM_TRY(dgm_text_cache_writer_open(test_env(), &writer, path_of(path), BLOCK));
    status = dgm_text_cache_writer_add(test_env(), &writer, corpus);
    if (status == DGM_OK)
        status = dgm_text_cache_writer_close(test_env(), &writer, corpus, description);
    dgm_text_cache_writer_abandon(test_env(), &writer);
    return status;
}

static dgm_status open_cache(struct dgm_text_cache *cache, const char *description, char *why)
{
    char path[1200];

    return dgm_text_cache_open(test_env(), cache, path_of(path), description, &limits, why);
}

static void check_same(const struct dgm_corpus *got, const struct dgm_corpus *want)
{
    CHECK_INT(got->source.count, want->source.count);
    CHECK_INT(got->target.count, want->source.count);
    for (int32_t p = 0; p < want->source.count; p++) {
        text_case_check_same(&got->source, p, &want->source, p);
        text_case_check_same(&got->target, p, &want->target, p);
        CHECK_INT(got->line_of[p], want->line_of[p]);
    }
    CHECK_INT(got->lines, want->lines);
    CHECK_INT(got->checksum, want->checksum);
    CHECK_INT(dgm_corpus_checksum(got), dgm_corpus_checksum(want));
}

TEST(text_cache_gives_the_whole_text_back)
{
    struct dgm_corpus corpus, back;
    struct dgm_text_cache cache;
    char why[DGM_TEXT_CACHE_WHY];

    for (int trees = 0; trees <= 3; trees++) {
        CHECK_STATUS(text_case_make(&corpus, PAIRS, trees), DGM_OK);
        CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
        CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
        CHECK(cache.is_open && cache.count > 10);
        memset(&back, 0, sizeof back);
        CHECK_STATUS(dgm_text_cache_read_all(test_env(), &cache, &back), DGM_OK);
        check_same(&back, &corpus);
        CHECK_INT(dgm_text_cache_bytes(&cache), dgm_text_cache_corpus_bytes(&corpus));
        dgm_corpus_clear(test_env(), &back);
        dgm_corpus_clear(test_env(), &corpus);
        dgm_text_cache_close(test_env(), &cache);
    }
}

TEST(text_cache_reads_blocks_in_any_order_and_numbers_their_pairs)
{
    static const uint32_t blocks[] = { 7, 2 };
    struct dgm_corpus corpus, window;
    struct dgm_text_cache cache;
    char why[DGM_TEXT_CACHE_WHY];
    int64_t bytes = 0;
    size_t capacity;

    CHECK_STATUS(text_case_make(&corpus, PAIRS, 3), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
    memset(&window, 0, sizeof window);
    CHECK_STATUS(dgm_text_cache_make_room(test_env(), &cache, &window, blocks, 2), DGM_OK);
    capacity = window.source.id_capacity;
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(dgm_text_cache_read(test_env(), &cache, blocks[i], &window), DGM_OK);
        bytes += dgm_text_cache_block_bytes(&cache, blocks[i]);
    }
    CHECK_INT(window.source.id_capacity, capacity);
    CHECK_INT(dgm_text_cache_corpus_bytes(&window), bytes);
    CHECK_INT(window.numbers[0], cache.blocks[7].first);
    for (int32_t p = 0; p < window.source.count; p++) {
        text_case_check_same(&window.source, p, &corpus.source, window.numbers[p]);
        text_case_check_same(&window.target, p, &corpus.target, window.numbers[p]);
    }
    dgm_corpus_clear(test_env(), &window);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_text_cache_close(test_env(), &cache);
}

/* However the pairs come, the bytes are the same. */
TEST(text_cache_is_the_same_from_a_whole_corpus_and_block_by_block)
{
    struct dgm_corpus corpus, part;
    struct dgm_text_cache_writer writer;
    struct dgm_text_cache cache;
    char path[1200], why[DGM_TEXT_CACHE_WHY];
    uint64_t sums[2] = { 0, 0 };
    int32_t from, to, p;

    CHECK_STATUS(text_case_make(&corpus, PAIRS, 3), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
    for (size_t b = 0; b < cache.count; b++)
        sums[0] ^= cache.blocks[b].checksum + b;
    sums[0] ^= cache.facts.tree_checksum;
    dgm_text_cache_close(test_env(), &cache);
    CHECK_STATUS(dgm_text_cache_writer_open(test_env(), &writer, path_of(path), BLOCK), DGM_OK);
    for (from = 0; from < PAIRS; from = to) {
        to = dgm_text_block_end(&corpus, from, BLOCK);
        memset(&part, 0, sizeof part);
        for (p = from; p < to; p++) {
            CHECK_STATUS(dgm_packed_append(test_env(), &part.source, &corpus.source, p), DGM_OK);
            CHECK_STATUS(dgm_packed_append(test_env(), &part.target, &corpus.target, p), DGM_OK);
        }
        part.line_of = corpus.line_of + from;
        CHECK_STATUS(dgm_text_cache_writer_add(test_env(), &writer, &part), DGM_OK);
        part.line_of = NULL;
        dgm_corpus_clear(test_env(), &part);
    }
    CHECK_STATUS(dgm_text_cache_writer_close(test_env(), &writer, &corpus, made_of), DGM_OK);
    CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
    for (size_t b = 0; b < cache.count; b++)
        sums[1] ^= cache.blocks[b].checksum + b;
    sums[1] ^= cache.facts.tree_checksum;
    CHECK_INT(sums[0], sums[1]);
    dgm_text_cache_close(test_env(), &cache);
    dgm_corpus_clear(test_env(), &corpus);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_why(const char *description, const char *part)
{
    struct dgm_text_cache cache;
    char why[DGM_TEXT_CACHE_WHY];

    CHECK_STATUS(open_cache(&cache, description, why), DGM_OK);
    CHECK(!cache.is_open);
    if (strstr(why, part) == NULL)
        CHECK_STR(why, part);
}

TEST(text_cache_of_another_text_says_what_differs)
{
    struct dgm_corpus corpus;
    char path[1200];

    check_why(made_of, "");
    CHECK_STATUS(text_case_make(&corpus, 50, 0), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    check_why("source text = 1\ntarget text = 7\ncodes = 3\n", "another value of: target text");
    check_why("source text = 1\ntarget text = 2\ncodes = 33\n", "another value of: codes");
    check_why("source text = 1\ntarget text = 2\n", "made of something more");
    check_why("source text = 1\ntarget text = 2\ncodes = 3\ntrees = 4\n",
              "another value of: trees");
    remove(path_of(path));
    dgm_corpus_clear(test_env(), &corpus);
}

static void read_file(struct dgm_buf *bytes)
{
    char path[1200];
    FILE *file = fopen(path_of(path), "rb");
    int c;

    CHECK(file != NULL);
    while ((c = getc(file)) != EOF)
        CHECK_STATUS(dgm_buf_add_char(test_env(), bytes, (char)c), DGM_OK);
    fclose(file);
}

static void write_file(const void *bytes, size_t count)
{
    char path[1200];
    FILE *file = fopen(path_of(path), "wb");

    CHECK(file != NULL);
    fwrite(bytes, 1, count, file);
    fclose(file);
}

/* Whatever bit is wrong: the file is passed over, or a block of it refused. */
static void check_damaged(const struct dgm_corpus *corpus)
{
    struct dgm_text_cache cache;
    struct dgm_corpus back;
    char why[DGM_TEXT_CACHE_WHY];
    dgm_status status = open_cache(&cache, made_of, why);

    memset(&back, 0, sizeof back);
    if (status == DGM_OK && cache.is_open)
        status = dgm_text_cache_read_all(test_env(), &cache, &back);
    else if (status == DGM_OK)
        CHECK(why[0] != '\0');
    CHECK(status == DGM_OK || status == DGM_DATA);
    if (status == DGM_OK && cache.is_open)
        check_same(&back, corpus);
    CHECK(!cache.is_open || status == DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_corpus_clear(test_env(), &back);
    dgm_text_cache_close(test_env(), &cache);
}

TEST(text_cache_with_any_wrong_byte_is_never_read)
{
    struct dgm_corpus corpus;
    struct dgm_buf bytes = { 0 };
    size_t i, step;

    CHECK_STATUS(text_case_make(&corpus, 40, 3), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    read_file(&bytes);
    step = test_is_long() ? 1 : 7;
    for (i = 0; i < bytes.size && !test_has_failed(); i += step) {
        bytes.data[i] ^= (char)(1 << i % 8);
        write_file(bytes.data, bytes.size);
        check_damaged(&corpus);
        bytes.data[i] ^= (char)(1 << i % 8);
    }
    for (i = 0; i < bytes.size && !test_has_failed(); i += step) {
        write_file(bytes.data, i);
        check_damaged(&corpus);
    }
    dgm_buf_clear(test_env(), &bytes);
    dgm_corpus_clear(test_env(), &corpus);
}

/* ---- parts that do not fit together, under right checksums ----------------------------------- */

static void check_misfit(size_t row)
{
    struct dgm_text_cache cache;
    char why[DGM_TEXT_CACHE_WHY];

    CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
    if (cache.is_open || strcmp(why, "its parts do not fit together") != 0)
        CHECK_INT(row, -1);
    dgm_text_cache_close(test_env(), &cache);
}

/* The files of a text: each has a pair at least, not more of them than lines, and all together have
 * what the text has. */
TEST(text_cache_whose_files_do_not_add_up_is_never_read)
{
    static const struct {
        int64_t lines[2], pairs[2]; /* of 40 pairs and 44 lines */
    } rows[] = {
        { { 4, 40 }, { 0, 40 } },   { { 9, 35 }, { 10, 30 } },  { { 20, 24 }, { 20, 19 } },
        { { 20, 24 }, { 20, 21 } }, { { 20, 25 }, { 20, 20 } }, { { 20, 23 }, { 20, 20 } },
        { { 20, 24 }, { 41, -1 } }, { { 50, -6 }, { 48, -8 } }, { { 45, 44 }, { 20, 20 } },
    };
    struct dgm_text_cache cache;
    struct dgm_corpus corpus;
    char why[DGM_TEXT_CACHE_WHY];

    CHECK_STATUS(text_case_make(&corpus, 40, 0), DGM_OK);
    CHECK_STATUS(dgm_reserve(test_env(), &corpus.parts, &corpus.part_capacity, 2,
                             sizeof *corpus.parts),
                 DGM_OK);
    corpus.part_count = 2;
    corpus.lines = 44;
    corpus.parts[0] = (struct dgm_text_part){ .lines = 20, .pairs = 20 };
    corpus.parts[1] = (struct dgm_text_part){ .lines = 24, .pairs = 20 };
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
    CHECK(cache.is_open);
    dgm_text_cache_close(test_env(), &cache);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int part = 0; part < 2; part++) {
            corpus.parts[part].lines = rows[i].lines[part];
            corpus.parts[part].pairs = rows[i].pairs[part];
        }
        CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
        check_misfit(i);
    }
    dgm_corpus_clear(test_env(), &corpus);
}

/* Puts the checksums of the tail and of the end right. */
static void mend(struct dgm_buf *bytes)
{
    unsigned char *end = (unsigned char *)bytes->data + bytes->size - DGM_TEXT_CACHE_END;
    const size_t place = (size_t)dgm_le64(end);

    dgm_le64_put(end + 32,
                 dgm_hash_bytes(bytes->data + place, bytes->size - DGM_TEXT_CACHE_END - place));
    dgm_le64_put(end + 56, dgm_hash_bytes(end, 56));
}

/* Numbers of the tail that grow by one: the facts that are sums of the blocks, and of a block its
 * place, its bytes, its pairs, its positions and its words. */
TEST(text_cache_whose_blocks_do_not_add_up_is_never_read)
{
    static const size_t of_block[] = { 0, 8, 12, 16, 20, 24, 28 };
    enum { SUMS = 5, NUMBERS = sizeof of_block / sizeof of_block[0] };
    struct dgm_buf bytes = { 0 };
    struct dgm_corpus corpus;

    CHECK_STATUS(text_case_make(&corpus, 40, 3), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    read_file(&bytes);
    for (size_t i = 0; i < SUMS + NUMBERS; i++) {
        unsigned char *end = (unsigned char *)bytes.data + bytes.size - DGM_TEXT_CACHE_END;
        unsigned char *facts =
            (unsigned char *)bytes.data + (size_t)dgm_le64(end) + (size_t)dgm_le64(end + 8);
        unsigned char *at =
            i < SUMS ? facts + 8 * i : end - DGM_TEXT_CACHE_ENTRY + of_block[i - SUMS];

        ++*at;
        mend(&bytes);
        write_file(bytes.data, bytes.size);
        check_misfit(i);
        --*at;
    }
    dgm_buf_clear(test_env(), &bytes);
    dgm_corpus_clear(test_env(), &corpus);
}

TEST(text_cache_never_takes_the_place_of_another_file)
{
    static const char text[] = "My only copy of a long letter, "
                               "which somebody has named as a cache by mistake.\n";
    struct dgm_corpus corpus;

    CHECK_STATUS(text_case_make(&corpus, 20, 0), DGM_OK);
    write_file(text, strlen(text));
    check_why(made_of, "no cache of training text");
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "is no cache of training text") != NULL);
    dgm_env_clear_error(test_env());
    dgm_corpus_clear(test_env(), &corpus);
    write_file("", 0);
    check_why(made_of, "empty");
    write_file("dragoman text, version 9, and so on, with sixty-four bytes in all", 64);
    check_why(made_of, "another version");
}

TEST(text_cache_that_is_cut_while_it_is_read_is_an_error)
{
    struct dgm_corpus corpus, window;
    struct dgm_text_cache cache;
    char path[1200], why[DGM_TEXT_CACHE_WHY];

    CHECK_STATUS(text_case_make(&corpus, PAIRS, 0), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
    memset(&window, 0, sizeof window);
    CHECK_STATUS(dgm_text_cache_read(test_env(), &cache, 0, &window), DGM_OK);
    CHECK_INT(truncate(path_of(path), 1000), 0);
    CHECK_STATUS(dgm_text_cache_read(test_env(), &cache, cache.count - 1, &window), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "is damaged") != NULL);
    dgm_env_clear_error(test_env());
    dgm_corpus_clear(test_env(), &window);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_text_cache_close(test_env(), &cache);
}

TEST(text_cache_that_is_open_stays_what_it_was_when_another_takes_its_place)
{
    struct dgm_corpus corpus, other, back;
    struct dgm_text_cache cache;
    char why[DGM_TEXT_CACHE_WHY];

    CHECK_STATUS(text_case_make(&corpus, PAIRS, 3), DGM_OK);
    CHECK_STATUS(text_case_make(&other, 20, 0), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
    CHECK_STATUS(write_cache(&other, "another = text\n"), DGM_OK);
    memset(&back, 0, sizeof back);
    CHECK_STATUS(dgm_text_cache_read_all(test_env(), &cache, &back), DGM_OK);
    check_same(&back, &corpus);
    dgm_corpus_clear(test_env(), &back);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_corpus_clear(test_env(), &other);
    dgm_text_cache_close(test_env(), &cache);
}

/* A full disk, or any other failing call: what was there stays, and nothing is left beside it. */
TEST(text_cache_whose_writing_fails_leaves_the_old_one)
{
    static const char *const calls[] = { "write", "sync", "rename", NULL };
    struct dgm_corpus corpus, other;
    struct dgm_text_cache cache;
    char why[DGM_TEXT_CACHE_WHY];

    CHECK_STATUS(text_case_make(&corpus, PAIRS, 3), DGM_OK);
    CHECK_STATUS(text_case_make(&other, 200, 0), DGM_OK);
    CHECK_STATUS(write_cache(&corpus, made_of), DGM_OK);
    for (int i = 0; calls[i] != NULL; i++) {
        failing_begin(test_env(), 0, calls[i], ENOSPC);
        CHECK_STATUS(write_cache(&other, "another = text\n"), DGM_FAILURE);
        failing_end(test_env());
        dgm_env_clear_error(test_env());
        CHECK_STATUS(open_cache(&cache, made_of, why), DGM_OK);
        CHECK(cache.is_open);
        dgm_text_cache_close(test_env(), &cache);
    }
    dgm_corpus_clear(test_env(), &corpus);
    dgm_corpus_clear(test_env(), &other);
}
