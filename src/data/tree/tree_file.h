/*
 * tree_file.h: the trees beside a text, one for each line: dependencies in CoNLL-U, or phrases in
 * brackets, one tree a line.
 *
 * A file whose first character, blank lines aside, is a bracket holds trees in brackets; any other
 * file is CoNLL-U. The reader looks at it when the first sentence is wanted, because a pipe may not
 * be written before the first line of the text is. In brackets, an empty line or one without words,
 * "(())", is a sentence that could not be parsed.
 */
#ifndef DGM_DATA_TREE_TREE_FILE_H
#define DGM_DATA_TREE_TREE_FILE_H

#include "data/tree/line_tree.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/conllu/conllu_reader.h"

enum dgm_tree_format { DGM_TREES_UNKNOWN, DGM_TREES_CONLLU, DGM_TREES_BRACKETS };

/* Zeroed, or with `needs` alone: no file. */
struct dgm_tree_file {
    const char *path;  /* borrowed; NULL: none */
    const char *needs; /* borrowed: what needs dependency trees, for messages; NULL: nothing does */
    int lenient;
    enum dgm_tree_format format;
    struct dgm_conllu_reader conllu;
    struct dgm_conllu_sentence sentence;
    struct dgm_bracket_reader brackets;
    struct dgm_bracket_tree tree;
    struct dgm_line_tree line_tree; /* of the line it was last taken for */
};

/* lenient: a sentence that cannot be read costs its own tree, with a warning; otherwise it is
 * DGM_DATA. No path, no file. */
dgm_status dgm_tree_file_open(struct dgm_env *env, struct dgm_tree_file *file, const char *path,
                              int lenient);
/* The next sentence; *more = 0 at the end. DGM_USAGE for brackets where file->needs is set. */
dgm_status dgm_tree_file_next(struct dgm_env *env, struct dgm_tree_file *file, int *more);
/* The same for line `number` of the text, which must have one: DGM_DATA at the end. */
dgm_status dgm_tree_file_next_for(struct dgm_env *env, struct dgm_tree_file *file, const char *text,
                                  long number);
/* The text has ended with so many lines: DGM_DATA if there is another sentence. */
dgm_status dgm_tree_file_check_end(struct dgm_env *env, struct dgm_tree_file *file,
                                   const char *text, long lines);
/* Takes the tree of the sentence for a line into file->line_tree, as dgm_line_tree_take does. */
dgm_status dgm_tree_file_take(struct dgm_env *env, struct dgm_tree_file *file,
                              const struct dgm_features *features, const struct dgm_encoded *line,
                              const char *path, long number);
/* Where the sentence begins in the file. */
long dgm_tree_file_line(const struct dgm_tree_file *file);
void dgm_tree_file_close(struct dgm_env *env, struct dgm_tree_file *file);

/* DGM_USAGE if the file holds brackets; `needs` says who needs dependency trees. */
dgm_status dgm_tree_file_is_conllu(struct dgm_env *env, const char *path, const char *needs);

#endif
