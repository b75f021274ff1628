/* test_vocab.c: vocabularies. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "text/bpe/vocab.h"
#include "text/bpe/word_counts.h"
#include "treebank_file.h"

static void count(struct dgm_map *counts, const char *line)
{
    CHECK_STATUS(dgm_word_counts_line(test_env(), counts, line, strlen(line)), DGM_OK);
}

TEST(vocab_is_built_by_count_then_bytes_without_specials)
{
    struct dgm_env *env = test_env();
    struct dgm_vocab vocab;
    struct dgm_map counts;

    memset(&counts, 0, sizeof counts);
    memset(&vocab, 0, sizeof vocab);
    count(&counts, "c b b a a </s> </s> </s> d");
    CHECK_STATUS(dgm_vocab_build(env, &vocab, &counts, 7, 1), DGM_OK);
    CHECK_INT(dgm_vocab_size(&vocab), 7);
    CHECK_STR(dgm_vocab_token(&vocab, DGM_VOCAB_EOS, NULL), "</s>");
    CHECK_STR(dgm_vocab_token(&vocab, 4, NULL), "a");
    CHECK_STR(dgm_vocab_token(&vocab, 5, NULL), "b");
    CHECK_STR(dgm_vocab_token(&vocab, 6, NULL), "c");
    CHECK_INT(dgm_vocab_find(&vocab, "b", 1), 5);
    CHECK_INT(dgm_vocab_find(&vocab, "d", 1), DGM_VOCAB_UNK);
    CHECK_STATUS(dgm_vocab_build(env, &vocab, &counts, 0, 2), DGM_OK);
    CHECK_INT(dgm_vocab_size(&vocab), 6);
    dgm_vocab_clear(env, &vocab);
    dgm_map_clear(env, &counts);
}

TEST(vocab_never_takes_text_for_a_special_token)
{
    struct dgm_env *env = test_env();
    struct dgm_vocab vocab;

    memset(&vocab, 0, sizeof vocab);
    CHECK_STATUS(dgm_vocab_parse(env, &vocab, "a 1\n", 4, "v"), DGM_OK);
    CHECK_INT(dgm_vocab_find(&vocab, "</s>", 4), DGM_VOCAB_UNK);
    CHECK_INT(dgm_vocab_find(&vocab, "<s>", 3), DGM_VOCAB_UNK);
    CHECK_INT(dgm_vocab_find(&vocab, "a", 1), 4);
    dgm_vocab_clear(env, &vocab);
}

TEST(vocab_appends_what_it_has_not)
{
    struct dgm_env *env = test_env();
    struct dgm_vocab vocab;
    int is_new;

    memset(&vocab, 0, sizeof vocab);
    CHECK_STATUS(dgm_vocab_parse(env, &vocab, "a 7\nb 1\n", 8, "v"), DGM_OK);
    CHECK_STATUS(dgm_vocab_append(env, &vocab, "a", 1, &is_new), DGM_OK);
    CHECK(!is_new);
    CHECK_STATUS(dgm_vocab_append(env, &vocab, "<de>", 4, &is_new), DGM_OK);
    CHECK(is_new);
    CHECK_INT(dgm_vocab_size(&vocab), 7);
    CHECK_INT(dgm_vocab_find(&vocab, "a", 1), 4);
    CHECK_INT(dgm_vocab_find(&vocab, "<de>", 4), 6);
    CHECK_INT(vocab.map.entries[4].value, 7);
    dgm_vocab_clear(env, &vocab);
}

static void check_bad(const char *text, long line, const char *part)
{
    struct dgm_env *env = test_env();
    struct dgm_vocab vocab;

    memset(&vocab, 0, sizeof vocab);
    CHECK_STATUS(dgm_vocab_parse(env, &vocab, text, strlen(text), "v.txt"), DGM_DATA);
    CHECK_INT(env->error.line, line);
    CHECK(strstr(env->error.message, part) != NULL);
    CHECK_INT(dgm_vocab_size(&vocab), 0);
    dgm_env_clear_error(env);
}

TEST(vocab_refuses_bad_lines_and_says_where)
{
    check_bad("a 1\nb 1\na 2\n", 3, "line 1");
    check_bad("a 1\n 2\n", 2, "empty token");
    check_bad("a 1\nb\n", 2, "no count");
    check_bad("a -1\n", 1, "count");
    check_bad("a 1e3\n", 1, "count");
    check_bad("a 99999999999999999999\n", 1, "count");
    check_bad("a\tb 1\n", 1, "blank or control");
    check_bad("a b 1\n", 1, "blank or control");
    check_bad("\xFF 1\n", 1, "UTF-8");
    check_bad("<pad> 1\n", 1, "reserved");
    check_bad("", 0, "no token");
}

TEST(vocab_is_saved_and_loaded_alike)
{
    static const char text[] = "der 12\n\xC3\xBC@@ 3\nmadeupword0000 0\n";
    struct dgm_env *env = test_env();
    struct dgm_vocab vocab, again;
    struct dgm_buf out;
    char path[1200];

    memset(&vocab, 0, sizeof vocab);
    memset(&again, 0, sizeof again);
    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_vocab_parse(env, &vocab, text, sizeof text - 1, "v"), DGM_OK);
    CHECK_STATUS(dgm_vocab_print(env, &out, &vocab), DGM_OK);
    CHECK_STATUS(put_treebank(path, "dict.txt", out.data), DGM_OK);
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_vocab_load(env, &again, path), DGM_OK);
    CHECK_STATUS(dgm_vocab_print(env, &out, &again), DGM_OK);
    CHECK_STR(out.data, text);
    CHECK_INT(again.map.entries[4].value, 12);
    dgm_buf_clear(env, &out);
    dgm_vocab_clear(env, &vocab);
    dgm_vocab_clear(env, &again);
}

TEST(vocab_of_a_model_must_hold_its_specials)
{
    static const char *const good[] = { "<s>", "<pad>", "</s>", "<unk>", "a" };
    static const char *const bad[] = { "<s>", "<pad>", "a", "<unk>", "b" };
    static const char *const twice[] = { "<s>", "<pad>", "</s>", "<unk>", "<s>" };
    static const size_t bytes[] = { 3, 5, 4, 5, 1 }, bad_bytes[] = { 3, 5, 1, 5, 1 };
    static const size_t twice_bytes[] = { 3, 5, 4, 5, 3 };
    struct dgm_env *env = test_env();
    struct dgm_vocab vocab;

    memset(&vocab, 0, sizeof vocab);
    CHECK_STATUS(dgm_vocab_set(env, &vocab, good, bytes, 5, "m"), DGM_OK);
    CHECK_STATUS(dgm_vocab_set(env, &vocab, bad, bad_bytes, 5, "m"), DGM_MODEL);
    CHECK(strstr(env->error.message, "</s>") != NULL);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_vocab_set(env, &vocab, good, bytes, 3, "m"), DGM_MODEL);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_vocab_set(env, &vocab, twice, twice_bytes, 5, "m"), DGM_MODEL);
    CHECK_INT(dgm_vocab_size(&vocab), 5);
    dgm_vocab_clear(env, &vocab);
}
