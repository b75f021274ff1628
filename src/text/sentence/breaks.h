/*
 * breaks.h: where sentences may end by the Unicode Standard (UAX 29, of Unicode 14.0): classes of
 * characters, and its rules SB1 to SB11.
 */
#ifndef DGM_TEXT_SENTENCE_BREAKS_H
#define DGM_TEXT_SENTENCE_BREAKS_H

#include <stddef.h>
#include <stdint.h>

/* Sentence_Break. Extend and Format are one class, as are Sep, CR and LF. */
enum dgm_break {
    DGM_BREAK_OTHER,
    DGM_BREAK_SEP, /* ends a paragraph */
    DGM_BREAK_EXTEND,
    DGM_BREAK_SP,
    DGM_BREAK_NUMERIC,
    DGM_BREAK_ATERM, /* a full stop, which may be that of an abbreviation */
    DGM_BREAK_STERM,
    DGM_BREAK_SCONTINUE, /* a comma, a dash: goes on behind a full stop */
    DGM_BREAK_CLOSE,     /* brackets and quotation marks, also those that open */
    DGM_BREAK_OLETTER,   /* neither of the next two */
    DGM_BREAK_LOWER,
    DGM_BREAK_UPPER
};

/* The class of a character; DGM_BREAK_OTHER for what is none. */
enum dgm_break dgm_break_of(uint32_t code);

/* The class of the character at `at`, below size, and in *end where those behind it begin; what
 * extends it (Extend, Format) is part of it. */
enum dgm_break dgm_break_next(const char *text, size_t size, size_t at, size_t *end);

/*
 * text[at..end) ends a sentence or a paragraph: at is its ATerm, STerm or Sep. before: the class of
 * the character before `at`. Where the next sentence begins; or 0: none ends here.
 */
size_t dgm_break_behind(const char *text, size_t size, size_t at, enum dgm_break before);

#endif
