/* sentences.c: the public splitter of running text into sentences. */
#include "api/context.h"
#include "api/program.h"
#include "api/text/line_file.h"
#include "base/mem.h"
#include "text/sentence/sentence.h"
#include "text/tokenize/language.h"

struct dgm_sentences {
    struct dgm_context *context;
    struct dgm_sentence_walk walk;
    size_t *starts; /* (count): of the text that was cut last */
    size_t count, capacity;
    int parts_lines; /* files: an empty line behind the sentences of each line */
};

dgm_status dgm_sentences_new(dgm_context *context, const char *language, dgm_sentences **sentences)
{
    struct dgm_sentences *made;

    DGM_ENTER_NEW(context, sentences);
    if (language == NULL)
        language = "en";
    DGM_TRY(dgm_language_check(&context->env, "language", language));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    dgm_sentence_walk_begin(&made->walk, language, "", 0);
    *sentences = made;
    return DGM_OK;
}

void dgm_sentences_free(dgm_sentences *sentences)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(sentences))
        return;
    env = &sentences->context->env;
    dgm_release(env, sentences->starts);
    dgm_release(env, sentences);
}

dgm_status dgm_sentences_cut(dgm_sentences *sentences, const char *line, size_t bytes,
                             const size_t **starts, size_t *count)
{
    struct dgm_sentence_span sentence;
    struct dgm_env *env;

    DGM_ENTER_HANDLE(sentences);
    env = &sentences->context->env;
    DGM_TRY(dgm_line_check(env, &line, bytes));
    DGM_TRY(dgm_argument_check(env, starts, "starts"));
    DGM_TRY(dgm_argument_check(env, count, "count"));
    sentences->count = 0;
    dgm_sentence_walk_text(&sentences->walk, line, bytes);
    while (dgm_sentence_walk_next(&sentences->walk, &sentence)) {
        DGM_TRY(dgm_grow(env, &sentences->starts, &sentences->capacity, sentences->count,
                         sizeof *sentences->starts));
        sentences->starts[sentences->count++] = sentence.start;
    }
    *starts = sentences->starts;
    *count = sentences->count;
    return DGM_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

void dgm_sentences_part_lines(dgm_sentences *sentences)
{
    sentences->parts_lines = 1;
}

/* The LF behind the last one is the caller's. */
static dgm_status cut_by(struct dgm_env *env, void *tool, int worker, long number, const char *line,
                         size_t bytes, struct dgm_buf *out)
{
    const struct dgm_sentences *sentences = tool;
    struct dgm_sentence_walk walk = sentences->walk;
    struct dgm_sentence_span sentence;
    int is_first = 1;

    (void)worker;
    (void)number;
    dgm_sentence_walk_text(&walk, line, bytes);
    for (; dgm_sentence_walk_next(&walk, &sentence); is_first = 0) {
        if (!is_first)
            DGM_TRY(dgm_buf_add_char(env, out, '\n'));
        DGM_TRY(dgm_buf_add(env, out, line + sentence.start, sentence.end - sentence.start));
    }
    return sentences->parts_lines && !is_first ? dgm_buf_add_char(env, out, '\n') : DGM_OK;
}

dgm_status dgm_sentences_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct dgm_sentences *sentences = tool;

    DGM_ENTER_HANDLE(sentences);
    return dgm_line_file(sentences->context, path, cut_by, tool, write, user, NULL);
}
