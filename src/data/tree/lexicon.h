/*
 * lexicon.h: what a parser knows of words: vocabularies of words, pieces, tags and labels, and
 * how a word becomes numbers.
 *
 * A word is seen twice. As a whole it is its lower-cased form, a number of the vocabulary of
 * words, unknown where the treebank shows it too rarely. As a sequence it is its characters, or
 * its BPE pieces, case included: of an unknown word, a parser knows these alone. The artificial
 * root of a tree is the word and the piece <s>. A lexicon is learned from a treebank and kept in
 * the model file.
 */
#ifndef DGM_DATA_TREE_LEXICON_H
#define DGM_DATA_TREE_LEXICON_H

#include "data/tree/morphology.h"
#include "data/tree/text_bank.h"
#include "data/vectors/word_vectors.h"
#include "syntax/conllu/conllu_reader.h"
#include "text/bpe/bpe.h"
#include "text/bpe/vocab.h"
#include "text/lemma/lemma_book.h"

/* The pieces that a word is cut into. */
enum dgm_piece_kind { DGM_PIECES_NONE, DGM_PIECES_CHARS, DGM_PIECES_SUBWORDS };

enum { DGM_ROOT_WORD = DGM_VOCAB_BOS, DGM_WORD_PIECES = 64 /* more of a word are not looked at */ };

struct dgm_lexicon {
    enum dgm_piece_kind kind;
    struct dgm_vocab words, pieces, tags, labels;
    struct dgm_buf codes; /* of DGM_PIECES_SUBWORDS, as text, for the model file */
    struct dgm_bpe bpe;
    struct dgm_vocab morphs[DGM_MORPHS]; /* zeroed: the parser knows nothing of the column */
    struct dgm_lemma_book lemmas;        /* of the treebank, by classes of tags and scripts */
    struct dgm_buf lowered, script;      /* scratch */
    struct dgm_cut_lexicon cuts;         /* of running text, if the parser cuts it */
    struct dgm_word_vectors vectors;     /* learned elsewhere; dim 0: none */
    struct dgm_vocab treebanks; /* that the parser tells apart (treebank_names.h); zeroed: none */
};

struct dgm_lexicon_options {
    enum dgm_piece_kind kind;
    int64_t min_count; /* rarer words are unknown */
    size_t words;      /* vocabulary of words at most; 0: no limit */
    long merges;       /* of BPE */
    enum dgm_multi_root multi_root;
    int with_text; /* learns how running text is cut, too */
    /* Columns to learn as well: those that some word has, and those that some word must have. */
    unsigned morphs, needed_morphs;
};

/* Learns from every sentence of `files` CoNLL-U files, which must hold tags and trees. */
dgm_status dgm_lexicon_learn(struct dgm_env *env, struct dgm_lexicon *lexicon,
                             const char *const *paths, size_t files,
                             const struct dgm_lexicon_options *options);
/* Takes over codes in subword-nmt's format; `name` is used in messages. */
dgm_status dgm_lexicon_set_codes(struct dgm_env *env, struct dgm_lexicon *lexicon, const char *text,
                                 size_t bytes, const char *name);
/* Bytes of vocabularies and codes, without room for more. */
double dgm_lexicon_bytes(const struct dgm_lexicon *lexicon);
void dgm_lexicon_clear(struct dgm_env *env, struct dgm_lexicon *lexicon);

/* One for another user: it shares vocabularies and codes of `of`, which must outlive it and stay as
 * they are; its scratch memory is its own. */
void dgm_lexicon_beside(struct dgm_lexicon *lexicon, const struct dgm_lexicon *of);
void dgm_lexicon_clear_beside(struct dgm_env *env, struct dgm_lexicon *lexicon);

/* The number of a word's form. */
dgm_status dgm_lexicon_word(struct dgm_env *env, struct dgm_lexicon *lexicon, const char *form,
                            size_t bytes, int32_t *word);
/* pieces (DGM_WORD_PIECES): the numbers of a form's pieces, *many of them, at least one. */
dgm_status dgm_lexicon_pieces(struct dgm_env *env, struct dgm_lexicon *lexicon, const char *form,
                              size_t bytes, int32_t *pieces, int32_t *many);

/* Whether it knows a column. */
int dgm_lexicon_has(const struct dgm_lexicon *lexicon, enum dgm_morph morph);
/* The class of a word in a column that it knows, or what stands for none. */
dgm_status dgm_lexicon_morph(struct dgm_env *env, struct dgm_lexicon *lexicon, enum dgm_morph morph,
                             const char *form, const char *value, int32_t *number);

struct dgm_conllu_sentence;
/* The relation of a word of a treebank. A root that hangs on another now (multi_root) is "dep", as
 * `convert trees` writes: a parser calls the root alone "root". */
const char *dgm_lexicon_relation(const struct dgm_conllu_sentence *sentence, int32_t w);

/* Tags and labels as classes 0..; -1 for what is unknown. */
int32_t dgm_lexicon_class(const struct dgm_vocab *vocab, const char *name);
int64_t dgm_lexicon_classes(const struct dgm_vocab *vocab);
const char *dgm_lexicon_class_name(const struct dgm_vocab *vocab, int32_t number);

#endif
