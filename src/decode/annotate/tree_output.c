/* tree_output.c: blocks of CoNLL-U as lines of JSON or brackets, or as a picture. */
#include "decode/annotate/tree_output.h"

#include <string.h>

#include "draw/tree/tree_svg.h"
#include "syntax/conllu/sentence_json.h"

const char *const dgm_tree_form_names[DGM_TREE_FORMS] = { "conllu", "json", "brackets", "svg" };

void dgm_tree_output_begin(struct dgm_tree_output *output, dgm_write_fn write, void *user)
{
    output->write = write;
    output->user = user;
    output->read = 0;
    output->picture.drawn = 0;
    output->picture.right = output->picture.bottom = 0;
    output->picture.style.tags = 1;
    dgm_buf_reset(&output->body);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void warn_of_lifting(struct dgm_env *env, struct dgm_tree_output *output)
{
    if (output->brackets.lifted == 0 || output->has_lifted++)
        return;
    dgm_log(
        env, DGM_LOG_WARNING,
        "arcs cross, and brackets cannot: %ld words of a sentence hang higher than the parser has "
        "put them (--projective finds trees that brackets hold; said once)",
        (long)output->brackets.lifted);
}

static dgm_status add_line(struct dgm_env *env, struct dgm_tree_output *output,
                           struct dgm_writer *writer)
{
    if (output->form == DGM_TREE_BRACKETS) {
        DGM_TRY(dgm_tree_brackets_write(env, &output->brackets, writer, &output->sentence[0]));
        warn_of_lifting(env, output);
        return DGM_OK;
    }
    dgm_buf_reset(&output->line);
    DGM_TRY(dgm_sentence_json(env, &output->line, &output->sentence[0]));
    return dgm_writer_add(env, writer, output->line.data, output->line.size);
}

static dgm_status add_lines(struct dgm_env *env, struct dgm_tree_output *output)
{
    struct dgm_writer writer;
    dgm_status status, closing;
    int more = 1;

    dgm_writer_open_sink(&writer, output->write, output->user);
    for (;;) {
        DGM_TRY_OUT(dgm_conllu_reader_next(env, &output->reader, &output->sentence[0], &more));
        if (!more)
            break;
        DGM_TRY_OUT(add_line(env, output, &writer));
    }
out:
    closing = dgm_writer_close(env, &writer);
    return status != DGM_OK ? status : closing;
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* The sentence before the latest, or with `last` that: a single one has no heading. */
static dgm_status draw(struct dgm_env *env, struct dgm_tree_output *output, int last)
{
    long number = last ? output->read : output->read - 1;

    if (number == 0)
        return DGM_OK;
    output->picture.style.headings = output->read > 1;
    return dgm_tree_svg(env, &output->picture, &output->body, &output->sentence[number % 2], NULL,
                        number);
}

static dgm_status add_drawings(struct dgm_env *env, struct dgm_tree_output *output)
{
    for (;;) {
        struct dgm_conllu_sentence *next = &output->sentence[(output->read + 1) % 2];
        int more;

        DGM_TRY(dgm_conllu_reader_next(env, &output->reader, next, &more));
        if (!more)
            return DGM_OK;
        if (next->tree.count == 0)
            continue;
        output->read++;
        DGM_TRY(draw(env, output, 0));
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

dgm_status dgm_tree_output_add(struct dgm_env *env, struct dgm_tree_output *output,
                               const struct dgm_buf *blocks)
{
    const struct dgm_conllu_options reading = {
        .lenient = 1,
        .allow_empty = 1,
        .allow_unparsed = 1,
        .multi_root = DGM_MULTI_ROOT_KEEP,
        .max_words = output->form == DGM_TREE_SVG ? DGM_TREE_PICTURE_MAX_WORDS : INT32_MAX,
    };

    if (output->form == DGM_TREE_CONLLU)
        return dgm_report_write(env, output->write, output->user, blocks);
    DGM_TRY(dgm_conllu_reader_open_text(env, &output->reader, "parsed", blocks, &reading));
    return output->form == DGM_TREE_SVG ? add_drawings(env, output) : add_lines(env, output);
}

dgm_status dgm_tree_output_end(struct dgm_env *env, struct dgm_tree_output *output)
{
    struct dgm_buf file = { NULL, 0, 0, 0 };
    dgm_status status;

    if (output->form != DGM_TREE_SVG)
        return DGM_OK;
    DGM_TRY_OUT(draw(env, output, 1));
    DGM_TRY_OUT(dgm_tree_svg_file(env, &output->picture, &file, &output->body));
    status = dgm_report_write(env, output->write, output->user, &file);
out:
    dgm_buf_clear(env, &file);
    return status;
}

void dgm_tree_output_clear(struct dgm_env *env, struct dgm_tree_output *output)
{
    dgm_conllu_reader_close(env, &output->reader);
    dgm_conllu_clear(env, &output->sentence[0]);
    dgm_conllu_clear(env, &output->sentence[1]);
    dgm_buf_clear(env, &output->line);
    dgm_buf_clear(env, &output->body);
    dgm_tree_brackets_clear(env, &output->brackets);
    dgm_tree_picture_clear(env, &output->picture);
}
