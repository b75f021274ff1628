/*
 * treebanks.h: which treebank each file of train-parser is of: --treebanks,
 * --valid-treebanks; and the columns that a file does not have.
 */
#ifndef DGM_TRAIN_PARSING_TREEBANKS_H
#define DGM_TRAIN_PARSING_TREEBANKS_H

#include "data/tree/treebank.h"
#include "train/run.h"

/* What --multi-root says. */
enum dgm_multi_root dgm_parsing_multi_root(const struct dgm_settings *settings);

/* DGM_USAGE for options that do not go together: each file has a name, or none has one. */
dgm_status dgm_parsing_treebanks_check(const struct dgm_run *run);
/* The names of --treebanks, each once; zeroed without it. To be cleared by the caller. */
dgm_status dgm_parsing_treebanks_read(const struct dgm_run *run, struct dgm_vocab *names);
/* A checkpoint has its names, `saved`. DGM_USAGE unless the run that goes on names the same ones in
 * the same order; which files are of which, the checksum of the data says. */
dgm_status dgm_parsing_treebanks_compare(const struct dgm_run *run, const char *folder,
                                         const struct dgm_vocab *saved);
/* The treebank of file `i` of --train-sets, or of --valid-sets. */
dgm_status dgm_parsing_treebanks_of(const struct dgm_run *run, const char *option, size_t i,
                                    const struct dgm_vocab *names, int32_t *treebank);
/*
 * Sentences `first` and behind have come from a file of training. FEATS is `_` for a word without
 * features and in a treebank without the column: from a file where no word has any, the column is
 * not learned if treebanks are told apart; else a warning says what is. The log names the columns
 * that a file does not have.
 */
void dgm_parsing_treebanks_settle(const struct dgm_run *run, const struct dgm_lexicon *lexicon,
                                  struct dgm_treebank *bank, int32_t first, const char *path);
/* Logs how many sentences of each treebank there are. */
void dgm_parsing_treebanks_tell(const struct dgm_run *run, const char *option,
                                const struct dgm_vocab *names, const struct dgm_treebank *bank);

#endif
