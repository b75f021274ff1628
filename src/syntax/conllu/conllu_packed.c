/* conllu_packed.c: a head of counts, then the arrays of a sentence. */
#include "syntax/conllu/conllu_packed.h"

#include <string.h>

#include "base/mem.h"

struct head {
    int64_t line, words, rows, comments, bytes;
};

dgm_status dgm_conllu_pack(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_conllu_sentence *sentence)
{
    const struct head head = { sentence->line, sentence->tree.count, (int64_t)sentence->row_count,
                               (int64_t)sentence->comment_count, (int64_t)sentence->bytes.size };

    DGM_TRY(dgm_buf_add(env, out, &head, sizeof head));
    DGM_TRY(dgm_buf_add(env, out, sentence->words, (size_t)head.words * sizeof *sentence->words));
    DGM_TRY(dgm_buf_add(env, out, sentence->rows, sentence->row_count * sizeof *sentence->rows));
    DGM_TRY(dgm_buf_add(env, out, sentence->comments,
                        sentence->comment_count * sizeof *sentence->comments));
    return dgm_buf_add(env, out, sentence->bytes.data, sentence->bytes.size);
}

static int is_count(int64_t count, size_t size)
{
    return count >= 0 && (uint64_t)count <= size;
}

/* Whether the arrays that the head announces are as long as what follows it. */
static int fits(const struct head *head, const struct dgm_conllu_sentence *sentence, size_t size)
{
    return is_count(head->words, INT32_MAX) && is_count(head->rows, size) &&
           is_count(head->comments, size) && is_count(head->bytes, size) &&
           (size_t)head->words * sizeof *sentence->words +
                   (size_t)head->rows * sizeof *sentence->rows +
                   (size_t)head->comments * sizeof *sentence->comments + (size_t)head->bytes ==
               size;
}

/* `count` bytes to an array; NULL is no array of memcpy, even of nothing. */
static const char *take(void *to, const char *from, size_t count)
{
    if (count > 0)
        memcpy(to, from, count);
    return from + count;
}

static dgm_status reserve(struct dgm_env *env, struct dgm_conllu_sentence *sentence,
                          const struct head *head)
{
    DGM_TRY(dgm_reserve(env, &sentence->words, &sentence->word_capacity, (size_t)head->words,
                        sizeof *sentence->words));
    DGM_TRY(dgm_reserve(env, &sentence->rows, &sentence->row_capacity, (size_t)head->rows,
                        sizeof *sentence->rows));
    return dgm_reserve(env, &sentence->comments, &sentence->comment_capacity,
                       (size_t)head->comments, sizeof *sentence->comments);
}

dgm_status dgm_conllu_unpack(struct dgm_env *env, struct dgm_conllu_sentence *sentence,
                             const char *packed, size_t size)
{
    struct head head;

    dgm_conllu_empty(env, sentence);
    if (size >= sizeof head)
        memcpy(&head, packed, sizeof head);
    if (size < sizeof head || !fits(&head, sentence, size - sizeof head))
        return dgm_fail(env, DGM_DATA, "a sentence of another rank is not what was sent");
    DGM_TRY(reserve(env, sentence, &head));
    packed += sizeof head;
    packed = take(sentence->words, packed, (size_t)head.words * sizeof *sentence->words);
    packed = take(sentence->rows, packed, (size_t)head.rows * sizeof *sentence->rows);
    packed = take(sentence->comments, packed, (size_t)head.comments * sizeof *sentence->comments);
    DGM_TRY(dgm_buf_add(env, &sentence->bytes, packed, (size_t)head.bytes));
    DGM_TRY(dgm_tree_init(env, &sentence->tree, NULL, (int32_t)head.words));
    sentence->row_count = (size_t)head.rows;
    sentence->comment_count = (size_t)head.comments;
    sentence->line = (long)head.line;
    return DGM_OK;
}
