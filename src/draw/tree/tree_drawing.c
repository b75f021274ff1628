/* tree_drawing.c: pictures of the trees of a CoNLL-U file. */
#include "draw/tree/tree_drawing.h"

#include <string.h>

#include "draw/tree/tree_svg.h"
#include "draw/tree/tree_text.h"

/* A sentence that is no tree, or is beyond the limit, is drawn as words without arcs. */
static dgm_status open_files(struct dgm_tree_drawing *drawing, const char *path)
{
    struct dgm_conllu_options reading = { .lenient = 1,
                                          .multi_root = DGM_MULTI_ROOT_KEEP,
                                          .allow_unparsed = 1,
                                          .max_words = DGM_TREE_PICTURE_MAX_WORDS };
    DGM_TRY(dgm_conllu_reader_open(drawing->picture.env, &drawing->reader, path, &reading));
    if (drawing->compare == NULL)
        return DGM_OK;
    drawing->compares = 1;
    return dgm_conllu_reader_open(drawing->picture.env, &drawing->other_reader, drawing->compare,
                                  &reading);
}

static dgm_status fail_word(const struct dgm_tree_drawing *drawing, int place, int32_t word)
{
    const struct dgm_conllu_sentence *one = &drawing->sentences[place];
    const struct dgm_conllu_sentence *other = &drawing->others[place];
    const char *form = dgm_conllu_field(one, word, DGM_CONLLU_FORM);
    const char *other_form = dgm_conllu_field(other, word, DGM_CONLLU_FORM);
    char expected[DGM_QUOTE_SIZE], found[DGM_QUOTE_SIZE];
    dgm_quote(expected, sizeof expected, form, strlen(form));
    dgm_quote(found, sizeof found, other_form, strlen(other_form));
    return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->other_reader.lines.path,
                       other->rows[other->words[word]].line, 0,
                       "the word \"%s\"; expected \"%s\" as in %s:%ld", found, expected,
                       drawing->reader.lines.path, one->rows[one->words[word]].line);
}

/* Whether the sentences of both files are of one text. */
static dgm_status check_words(const struct dgm_tree_drawing *drawing, int place)
{
    const struct dgm_conllu_sentence *one = &drawing->sentences[place];
    const struct dgm_conllu_sentence *other = &drawing->others[place];
    if (one->tree.count != other->tree.count)
        return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->other_reader.lines.path,
                           other->line, 0, "%ld words in this sentence; expected %ld as in %s:%ld",
                           (long)other->tree.count, (long)one->tree.count,
                           drawing->reader.lines.path, one->line);
    for (int32_t w = 0; w < one->tree.count; w++)
        if (strcmp(dgm_conllu_field(one, w, DGM_CONLLU_FORM),
                   dgm_conllu_field(other, w, DGM_CONLLU_FORM)) != 0)
            return fail_word(drawing, place, w);
    return DGM_OK;
}

/* The next sentence of both files. Arcs are compared word by word, so the files must have the same
 * sentences. */
static dgm_status next(struct dgm_tree_drawing *drawing, int place, int *more)
{
    int other_more;
    DGM_TRY(dgm_conllu_reader_next(drawing->picture.env, &drawing->reader,
                                   &drawing->sentences[place], more));
    if (!drawing->compares)
        return DGM_OK;
    DGM_TRY(dgm_conllu_reader_next(drawing->picture.env, &drawing->other_reader,
                                   &drawing->others[place], &other_more));
    if (*more != other_more)
        return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->other_reader.lines.path, 0, 0,
                           "%s sentences than in %s; expected as many", *more ? "fewer" : "more",
                           drawing->reader.lines.path);
    return *more ? check_words(drawing, place) : DGM_OK;
}

static dgm_status draw_one(struct dgm_tree_drawing *drawing, int place, long number)
{
    struct dgm_env *env = drawing->picture.env;
    struct dgm_picture *picture = &drawing->picture;
    const struct dgm_conllu_sentence *sentence = &drawing->sentences[place];
    const struct dgm_conllu_sentence *other = drawing->compares ? &drawing->others[place] : NULL;
    DGM_TRY((picture->is_svg ? dgm_tree_svg : dgm_tree_text)(env, &picture->draw, &picture->out,
                                                             sentence, other, number));
    return dgm_picture_flush(picture);
}

/* Reads one sentence ahead, to know whether there is only one: that has no heading. */
static dgm_status draw_all(struct dgm_tree_drawing *drawing)
{
    long wanted = drawing->sentence, number;
    int more, place = 0;
    DGM_TRY(next(drawing, place, &more));
    for (number = 1; more; number++, place = !place) {
        DGM_TRY(dgm_picture_poll(&drawing->picture));
        if (number == wanted)
            return draw_one(drawing, place, number);
        DGM_TRY(next(drawing, !place, &more));
        if (wanted > 0)
            continue;
        drawing->picture.draw.style.headings = number > 1 || more;
        DGM_TRY(draw_one(drawing, place, number));
    }
    if (wanted > 0)
        return dgm_fail_at(drawing->picture.env, DGM_DATA, drawing->reader.lines.path, 0, 0,
                           "%ld sentences; expected at least %ld", number - 1, wanted);
    return DGM_OK;
}

static void close_files(struct dgm_tree_drawing *drawing)
{
    struct dgm_env *env = drawing->picture.env;
    int i;
    dgm_conllu_reader_close(env, &drawing->reader);
    if (drawing->compares)
        dgm_conllu_reader_close(env, &drawing->other_reader);
    for (i = 0; i < 2; i++) {
        dgm_conllu_clear(env, &drawing->sentences[i]);
        dgm_conllu_clear(env, &drawing->others[i]);
    }
}

dgm_status dgm_tree_drawing_run(struct dgm_tree_drawing *drawing, const char *path)
{
    dgm_status status;

    DGM_TRY_OUT(open_files(drawing, path));
    status = draw_all(drawing);
out:
    status = dgm_picture_end(&drawing->picture, status);
    close_files(drawing);
    return status;
}
