/*
 * tree_file.c: the trees beside a text, in the format that the file turns out to have.
 */
#include "data/tree/tree_file.h"

/* ---- formats --------------------------------------------------------------------------------- */

static dgm_status look(struct dgm_env *env, struct dgm_lines *lines, const char *needs,
                       enum dgm_tree_format *format)
{
    char byte;

    DGM_TRY(dgm_lines_peek(env, lines, &byte));
    *format = byte == '(' ? DGM_TREES_BRACKETS : DGM_TREES_CONLLU;
    if (*format == DGM_TREES_CONLLU || needs == NULL)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, lines->path, 0, 0,
                       "trees in brackets; expected CoNLL-U: %s needs dependency trees", needs);
}

dgm_status dgm_tree_file_is_conllu(struct dgm_env *env, const char *path, const char *needs)
{
    enum dgm_tree_format format;
    struct dgm_lines lines;
    dgm_status status;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    status = look(env, &lines, needs, &format);
    dgm_lines_close(env, &lines);
    return status;
}

/* Until the format is known, the lines are in the hands of the CoNLL-U reader. */
static dgm_status find_format(struct dgm_env *env, struct dgm_tree_file *file)
{
    enum dgm_tree_format format; /* a refused one stays unknown, and is refused again */
    const struct dgm_bracket_options options = { .lenient = file->lenient };

    if (file->format != DGM_TREES_UNKNOWN)
        return DGM_OK;
    DGM_TRY(look(env, &file->conllu.lines, file->needs, &format));
    file->format = format;
    if (file->format == DGM_TREES_CONLLU)
        return DGM_OK;
    dgm_bracket_reader_open_lines(&file->brackets, &file->conllu.lines, &options);
    return DGM_OK;
}

/* ---- sentences ------------------------------------------------------------------------------- */

dgm_status dgm_tree_file_open(struct dgm_env *env, struct dgm_tree_file *file, const char *path,
                              int lenient)
{
    /* Empty sentences stand beside blank lines. */
    const struct dgm_conllu_options options = {
        .multi_root = DGM_MULTI_ROOT_KEEP, .allow_unparsed = 1, .allow_empty = 1, .lenient = lenient
    };

    if (path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_conllu_reader_open(env, &file->conllu, path, &options));
    file->path = path;
    file->lenient = lenient;
    file->format = DGM_TREES_UNKNOWN;
    return DGM_OK;
}

dgm_status dgm_tree_file_next(struct dgm_env *env, struct dgm_tree_file *file, int *more)
{
    DGM_TRY(find_format(env, file));
    if (file->format == DGM_TREES_BRACKETS)
        return dgm_bracket_reader_next_or_none(env, &file->brackets, &file->tree, more);
    return dgm_conllu_reader_next(env, &file->conllu, &file->sentence, more);
}

dgm_status dgm_tree_file_next_for(struct dgm_env *env, struct dgm_tree_file *file, const char *text,
                                  long number)
{
    int more;

    DGM_TRY(dgm_tree_file_next(env, file, &more));
    if (more)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, file->path, 0, 0,
                       "%ld sentences; expected one for each line "
                       "of %s, also for line %ld [E_ALIGN]",
                       number - 1, text, number);
}

dgm_status dgm_tree_file_check_end(struct dgm_env *env, struct dgm_tree_file *file,
                                   const char *text, long lines)
{
    int more;

    if (file->path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_tree_file_next(env, file, &more));
    if (!more)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, file->path, dgm_tree_file_line(file), 0,
                       "more sentences than the %ld lines of %s [E_ALIGN]", lines, text);
}

dgm_status dgm_tree_file_take(struct dgm_env *env, struct dgm_tree_file *file,
                              const struct dgm_features *features, const struct dgm_encoded *line,
                              const char *path, long number)
{
    if (file->format == DGM_TREES_BRACKETS)
        return dgm_line_tree_take_brackets(env, &file->line_tree, &file->tree, line, path, number);
    return dgm_line_tree_take(env, &file->line_tree, &file->sentence, features, line, path, number);
}

long dgm_tree_file_line(const struct dgm_tree_file *file)
{
    return file->format == DGM_TREES_BRACKETS ? file->tree.line : file->sentence.line;
}

void dgm_tree_file_close(struct dgm_env *env, struct dgm_tree_file *file)
{
    if (file->path != NULL && file->format == DGM_TREES_BRACKETS)
        dgm_bracket_reader_close(env, &file->brackets);
    if (file->path != NULL)
        dgm_conllu_reader_close(env, &file->conllu);
    dgm_conllu_clear(env, &file->sentence);
    dgm_bracket_clear(env, &file->tree);
    dgm_line_tree_clear(env, &file->line_tree);
    file->path = NULL;
}
