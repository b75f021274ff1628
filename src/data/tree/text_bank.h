/*
 * text_bank.h: the running text of treebanks, and where its tokens and sentences end: what a parser
 * learns to cut text from.
 *
 * Each row of the text (characters.h) has a label, as in UDPipe (Straka, Hajic, Strakova, LREC
 * 2016) and Stanza (Qi et al., ACL 2020, section 2.1). Paragraphs end at `# newpar` and `# newdoc`;
 * the text is what words, ranges and MISC say it is (syntax/conllu/surface.h).
 */
#ifndef DGM_DATA_TREE_TEXT_BANK_H
#define DGM_DATA_TREE_TEXT_BANK_H

#include "base/hash.h"
#include "data/tree/characters.h"
#include "syntax/conllu/conllu_reader.h"
#include "text/tokenize/multiword.h"

/* What ends at a row. */
enum dgm_cut_label {
    DGM_CUT_NOTHING,
    DGM_CUT_TOKEN,
    DGM_CUT_MULTIWORD, /* a token that is several words */
    DGM_CUT_SENTENCE,  /* a token, and the sentence with it */
    DGM_CUT_MULTIWORD_SENTENCE,
    DGM_CUT_LABELS
};

/* What a parser that cuts text knows beside its network. Zeroed: it does not. */
struct dgm_cut_lexicon {
    struct dgm_vocab characters;
    struct dgm_multiwords multiwords;
    int has_blanks; /* tokens may have blanks inside */
};

dgm_status dgm_cut_lexicon_learn(struct dgm_env *env, struct dgm_cut_lexicon *lexicon,
                                 const char *const *paths, size_t files,
                                 enum dgm_multi_root multi_root);
void dgm_cut_lexicon_clear(struct dgm_env *env, struct dgm_cut_lexicon *lexicon);

/* Rows of a sentence, and of the paragraph that it stands in. */
struct dgm_text_span {
    int32_t first, end, paragraph_first, paragraph_end;
};

/* Zeroed is empty. */
struct dgm_text_bank {
    struct dgm_characters rows;
    int32_t *labels;             /* (rows.count), enum dgm_cut_label */
    struct dgm_text_span *spans; /* those that a bank of the same file has, by number */
    size_t span_count, span_capacity, label_capacity;
    struct dgm_hash hash; /* of everything that was added */
};

/* Appends the text of a file, whose sentences of 1 to max_words words have spans, as in
 * dgm_treebank_load. Where `# text` differs from the words the log says so. */
dgm_status dgm_text_bank_load(struct dgm_env *env, struct dgm_text_bank *bank,
                              const struct dgm_cut_lexicon *lexicon, const char *path,
                              int32_t max_words, enum dgm_multi_root multi_root);
void dgm_text_bank_clear(struct dgm_env *env, struct dgm_text_bank *bank);

#endif
