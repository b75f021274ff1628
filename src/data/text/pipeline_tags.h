/*
 * pipeline_tags.h: words such as <de> in front of every source of a text, by which one model learns
 * several things: languages, domains, styles.
 *
 * A tag is an entry of the vocabulary that no text can make: a word that is spelled like one is
 * unknown, but at the head of a line, where it may be read as the tag of that line
 * (decode/source_queue.h). Models of Marian write >>de<<, M2M-100 writes __de__ for what is <de>
 * here. It is a mark like those of tasks (pipeline.h) and no word of the line: BPE does not cut it.
 * Trees have no place for it, so that models which read trees have no tags (model/file/model.c).
 *
 * Multilingual models of other programs have a tag in front of each target, too: the first token
 * that the decoder writes, or is made to write, is the language of the translation.
 */
#ifndef DGM_DATA_TEXT_PIPELINE_TAGS_H
#define DGM_DATA_TEXT_PIPELINE_TAGS_H

#include "data/text/pipeline.h"

/* Makes a tag known, once. DGM_USAGE unless it begins with < and ends with >, with letters between
 * and no blank, comma or bracket, and is no mark of another kind. */
dgm_status dgm_pipeline_add_tag(struct dgm_env *env, struct dgm_pipeline *pipeline, const char *tag,
                                size_t bytes);
/* The entry of a tag, <de>, >>de<< or __de__, in the vocabulary of a side; 0: it is not known. */
int32_t dgm_pipeline_find_tag(const struct dgm_pipeline *pipeline, int side, const char *tag);
/* What stands in front of the sources that are encoded from now on, <de>, >>de<< or __de__; NULL:
 * nothing. DGM_USAGE for a tag that is not known, with those that are. */
dgm_status dgm_pipeline_set_tag(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                const char *tag);
/* The same, of a caller who can choose: a warning where nothing is chosen and tags are known. */
dgm_status dgm_pipeline_choose_tag(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                   const char *tag);
/* What stands in front of the targets that are encoded from now on, and begins each translation;
 * NULL: nothing. DGM_USAGE for a tag that is not known, with those that are, and for a model whose
 * targets begin with none. */
dgm_status dgm_pipeline_set_target_tag(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                       const char *tag);
/* The same, of a caller who can choose: a warning where nothing is chosen and the model's targets
 * begin with a tag. */
dgm_status dgm_pipeline_choose_target_tag(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                          const char *tag);
/*
 * The tag at the head of a line, <de>, >>de<< or __de__, behind blanks: where it begins and, as the
 * result, ends; 0: the line begins with something else. *tag: its entry in the vocabulary of the
 * side that a line may choose for, which is the target where translations begin with a tag; 0: the
 * model does not know it.
 */
size_t dgm_pipeline_tag_at_head(const struct dgm_pipeline *pipeline, const char *line, size_t bytes,
                                size_t *start, int32_t *tag);
/* Warns with the known tags, between two parts of a sentence. */
dgm_status dgm_pipeline_warn_of_tags(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                     const char *front, const char *back);
/* The first tag that `a` knows and `b` does not, or NULL; borrowed. */
const char *dgm_pipeline_other_tag(const struct dgm_pipeline *a, const struct dgm_pipeline *b);
/* All known tags, blanks between, and back; DGM_MODEL with `name` for what is no such list. */
dgm_status dgm_pipeline_print_tags(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                   struct dgm_buf *out);
dgm_status dgm_pipeline_read_tags(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  const char *text, size_t bytes, const char *name);
/* DGM_DATA unless the vocabulary of the source, which came from `name`, holds all of them. */
dgm_status dgm_pipeline_check_tags(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                   const char *name);

#endif
