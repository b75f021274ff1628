/*
 * spm.h: a SentencePiece model: pieces with scores and types, and how text is rewritten before it
 * is cut into them.
 *
 * Kudo, Richardson: "SentencePiece: A simple and language independent subword tokenizer and
 * detokenizer for Neural Text Processing" (EMNLP 2018). Reads the files (.model) of that library,
 * a protocol buffer whose fields sentencepiece_model.proto numbers. A model does not change once
 * it is read: any number of threads may use it.
 */
#ifndef DGM_TEXT_SPM_SPM_H
#define DGM_TEXT_SPM_SPM_H

#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "text/spm/charsmap.h"
#include "text/spm/trie.h"

#define DGM_SPM_SPACE "\xE2\x96\x81" /* U+2581, which stands for a blank */
enum { DGM_SPM_SPACE_BYTES = 3 };

#define DGM_SPM_PIECE_LIMIT ((size_t)1 << 22)
#define DGM_SPM_PIECE_BYTES 8000     /* a piece has fewer, as in the library */
#define DGM_SPM_UNKNOWN_PENALTY 10.0 /* of unknown characters, below the least score */

/* How text is cut; numbers of the file. */
enum dgm_spm_kind {
    DGM_SPM_UNIGRAM = 1,
    DGM_SPM_BPE = 2,
    DGM_SPM_WORD = 3,
    DGM_SPM_CHAR = 4,
    DGM_SPM_KINDS
};

/* What a piece is; numbers of the file. */
enum dgm_spm_type {
    DGM_SPM_NORMAL = 1,
    DGM_SPM_UNKNOWN = 2,
    DGM_SPM_CONTROL = 3, /* no text becomes it, and it becomes no text */
    DGM_SPM_USER_DEFINED = 4,
    DGM_SPM_UNUSED = 5, /* may be merged, but is cut again */
    DGM_SPM_BYTE = 6,
    DGM_SPM_TYPES
};

/* How text is rewritten. */
struct dgm_spm_rules {
    struct dgm_buf name; /* "nmt_nfkc"; only told */
    struct dgm_charsmap charsmap;
    int dummy_prefix;       /* a blank is added ... */
    int suffix;             /* ... at the end, not at the beginning */
    int remove_extra;       /* blanks at both ends go, and of several in a row all but one */
    int escape_whitespaces; /* U+2581 for each blank */
};

struct dgm_spm {
    struct dgm_buf file; /* the bytes that were read */
    enum dgm_spm_kind kind;
    struct dgm_map pieces; /* id = place of insertion; value = type */
    float *scores;         /* by id */
    size_t score_capacity;
    float *weights;          /* by id: scores as a path adds them up (spm_unigram.c) */
    float least, most;       /* of the scores of normal pieces */
    struct dgm_trie text;    /* unigram: what a path is made of */
    struct dgm_trie defined; /* user-defined symbols */
    int32_t unk;
    int byte_fallback;
    int32_t bytes[256]; /* with byte_fallback: the ids of all bytes */
    struct dgm_buf unk_surface;
    struct dgm_spm_rules rules, denormal; /* before text is cut; after it is put together */
    int has_denormal;
};

/* A zeroed model from a file's bytes, of which it makes a copy; to be cleared, also on failure.
 * DGM_DATA with `name` and, where there is one, the byte: no such file, a piece that is empty, too
 * long, given twice, no UTF-8 or without a finite score, no or two unknown pieces, not all bytes
 * for byte fallback, broken replacement rules. */
dgm_status dgm_spm_parse(struct dgm_env *env, struct dgm_spm *spm, const char *bytes, size_t size,
                         const char *name);
dgm_status dgm_spm_load(struct dgm_env *env, struct dgm_spm *spm, const char *path);
void dgm_spm_clear(struct dgm_env *env, struct dgm_spm *spm);

size_t dgm_spm_size(const struct dgm_spm *spm);
/* The text of a piece, followed by a NUL; borrowed. */
const char *dgm_spm_piece(const struct dgm_spm *spm, int32_t id, size_t *bytes);
enum dgm_spm_type dgm_spm_type(const struct dgm_spm *spm, int32_t id);
/* The id of a piece, the unknown one for what is none. */
int32_t dgm_spm_find(const struct dgm_spm *spm, const char *piece, size_t bytes);
/* The same of what can stand in a text; the unknown one for control symbols, too. */
int32_t dgm_spm_find_in_text(const struct dgm_spm *spm, const char *piece, size_t bytes);
/* The byte that a piece like "<0x0A>" spells; -1: it spells none. */
int dgm_spm_byte(const char *piece, size_t bytes);

static inline int dgm_spm_is_space(const char *text, size_t bytes)
{
    return bytes >= DGM_SPM_SPACE_BYTES && memcmp(text, DGM_SPM_SPACE, DGM_SPM_SPACE_BYTES) == 0;
}

/* Bytes of the character, or of the longest user-defined symbol, at the beginning of a text that
 * is not empty; *is_symbol (may be NULL) tells which. */
size_t dgm_spm_unit(const struct dgm_spm *spm, const char *text, size_t bytes, int *is_symbol);
const char *dgm_spm_kind_name(enum dgm_spm_kind kind);

#endif
