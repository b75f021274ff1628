/*
 * bpe.h: byte pair encoding: cutting words into pieces by learned merge rules.
 *
 * Sennrich, Haddow, Birch: "Neural Machine Translation of Rare Words with Subword
 * Units" (ACL 2016). Reads the codes of subword-nmt, versions 0.1 and 0.2, and writes
 * the same bytes. A word starts as single characters, the last one marked </w>; the
 * rule learned first among those that apply is applied everywhere in the word, again
 * and again. With a vocabulary, pieces that are too rare are split again by undoing
 * rules.
 *
 * Pieces are spans of the word, never strings of their own: whatever the user's text
 * holds, even "@@" or "</w>", the pieces of a word always add up to the word.
 *
 * One struct serves one thread at a time, since it remembers the words it has met.
 */
#ifndef DGM_TEXT_BPE_BPE_H
#define DGM_TEXT_BPE_BPE_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"
#include "base/philox.h"
#include "text/bpe/pair_map.h"
#include "text/regex/regex.h"

#define DGM_BPE_RULE_LIMIT ((size_t)1 << 24)
#define DGM_BPE_GLOSSARY_LIMIT 1000

/* One character or merged symbol of the word at work: a node of a doubly linked list. */
struct dgm_bpe_node {
    uint32_t symbol;         /* its entry in `symbols`, or DGM_PAIR_NONE: in no rule */
    uint32_t previous, next; /* nodes, or DGM_PAIR_NONE */
    uint32_t end;            /* byte of the word just behind the symbol */
};

/*
 * A rule that may apply at a node; waits in a heap with the earliest rule, then node,
 * on top.
 */
struct dgm_bpe_waiting {
    uint32_t rule, node;
};

/* A span that is yet to be looked up in the vocabulary. */
struct dgm_bpe_span {
    uint32_t start, end;
};

/* Scratch memory and the cache, which no other struct shares. */
struct dgm_bpe_own {
    struct dgm_map cache; /* word -> offset in `cached` */
    uint32_t *cached;     /* of each word: its number of pieces, then their ends */
    size_t cached_count, cached_capacity;
    struct dgm_bpe_node *nodes;
    size_t node_capacity;
    struct dgm_bpe_waiting *heap;
    size_t heap_count, heap_capacity;
    struct dgm_bpe_waiting *batch; /* the places where the rule of this round applies */
    size_t batch_count, batch_capacity;
    struct dgm_bpe_waiting *aside; /* what dropout passes over in this round */
    size_t aside_count, aside_capacity;
    struct dgm_bpe_span *spans;
    size_t span_capacity;
    uint32_t *ends;
    size_t end_count, end_capacity;
    struct dgm_buf text;
    struct dgm_regex_work search; /* for glossaries */
};

struct dgm_bpe {
    /* The codes. */
    int version;               /* 1: 0.1, </w> is a symbol of its own; 2: 0.2 */
    int has_counts;            /* each merge has a count behind it, as fastBPE writes them */
    size_t rule_count;         /* of different rules */
    struct dgm_map symbols;    /* every symbol that occurs in a rule */
    struct dgm_pair_map rules; /* pairs of symbols, numbered by rank */
    uint32_t *result;          /* of each rule: its merged symbol */
    uint32_t *last;            /* of each rule: its last line, where it stands more than once */
    uint32_t *undo;            /* of each symbol: the rule that makes it, or DGM_PAIR_NONE */
    size_t result_capacity, last_capacity;

    /* Settings; the caller may change `separator` (static text) and `protect`. */
    const char *separator; /* "@@" */
    /*
     * A final piece that ends in the separator, which only the user's own text can
     * cause, looks like an unfinished word once written down. With `protect` it is cut
     * before its last character, and dgm_bpe_undo restores it; without, the bytes are
     * those of subword-nmt.
     */
    int protect;
    double dropout; /* probability of passing over a rule; set by dgm_bpe_set_dropout */
    struct dgm_random random;
    int has_vocabulary;
    struct dgm_map vocabulary; /* pieces with their separator */
    struct dgm_map glossaries; /* expressions: what matches is neither split nor merged */
    struct dgm_bpe_glossary {
        int is_word; /* the expression is a word, which matches nothing but itself */
        struct dgm_regex part, whole;
    } * expressions; /* (glossaries.count) */
    size_t expression_capacity;
    int has_expressions;  /* one of them is no word: then also */
    struct dgm_regex any; /* "^(all of them)$" */

    struct dgm_bpe_own own;
};

/* A word, or a regular expression (text/regex/regex.h), to be left whole, also inside a longer
 * word, as subword-nmt's --glossaries are. DGM_USAGE for what is no expression. */
dgm_status dgm_bpe_add_glossary(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                                size_t bytes);

/*
 * BPE-dropout (Provilkov, Emelianenko, Voita, ACL 2020) from here on; 0 switches it
 * off. The pieces are a function of the seed, two numbers that name the text, and what
 * was cut since.
 */
void dgm_bpe_set_dropout(struct dgm_bpe *bpe, double dropout, uint64_t seed, uint32_t epoch,
                         uint32_t line);

/*
 * Cuts one word. (*ends)[i] is the byte of the word behind piece i, valid until the
 * next call; the last one is `bytes`. A word has at most 2^31 bytes. An empty word has
 * no piece.
 */
dgm_status dgm_bpe_apply_word(struct dgm_env *env, struct dgm_bpe *bpe, const uint32_t **ends,
                              size_t *count, const char *word, size_t bytes);

/*
 * Appends the pieces of every word of a line; blanks at both ends of the line are kept.
 */
dgm_status dgm_bpe_apply_line(struct dgm_env *env, struct dgm_bpe *bpe, struct dgm_buf *out,
                              const char *line, size_t bytes);

/* Appends the line with its pieces joined again. */
dgm_status dgm_bpe_undo(struct dgm_env *env, struct dgm_buf *out, const char *separator,
                        const char *line, size_t bytes);

/* One for another thread: it shares the codes and the words of `of`, which must outlive it and stay
 * as they are, and has a cache of its own. */
void dgm_bpe_beside(struct dgm_bpe *bpe, const struct dgm_bpe *of);
void dgm_bpe_clear_beside(struct dgm_env *env, struct dgm_bpe *bpe);

/* Bytes of the codes, without room for more and without the words that are remembered. */
double dgm_bpe_bytes(const struct dgm_bpe *bpe);
void dgm_bpe_clear(struct dgm_env *env, struct dgm_bpe *bpe);

#endif
