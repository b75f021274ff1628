/*
 * span.h: parts of a line that are no words of a language and must come through unharmed:
 * addresses, tags, placeholders, emoji, code, numbers.
 *
 * They are found by how they are written, from left to right, the longest of the kind that is tried
 * first (span_list.h), in one pass. Text is UTF-8; what is ill-formed is part of none but code and
 * quoted values of tags.
 */
#ifndef DGM_TEXT_SPAN_SPAN_H
#define DGM_TEXT_SPAN_SPAN_H

#include "base/env.h"

/* Bytes of a span at most: so many are looked at from each place where one may begin. */
enum { DGM_SPAN_MOST = 2048 };

enum dgm_span_kind {
#define SPAN(name) DGM_SPAN_##name,
#include "text/span/span_list.h"
    DGM_SPAN_KINDS
};

#define SPAN(name) size_t dgm_span_##name(const char *text, size_t bytes, size_t at);
#include "text/span/span_list.h"

struct dgm_line_span {
    enum dgm_span_kind kind;
    size_t start, end; /* bytes of the text */
    int slot;          /* 1 + the slot that stands for it (slot.h); 0: none does */
};

/* The spans of a text. Zeroed: none; cleared in any case. */
struct dgm_span_list {
    struct dgm_line_span *items; /* (count), which do not overlap, in order */
    size_t count, capacity;
};

/* kinds: bits 1 << kind of those that are looked for. Forgets what was found before. */
dgm_status dgm_spans_find(struct dgm_env *env, struct dgm_span_list *spans, const char *text,
                          size_t bytes, unsigned kinds);
void dgm_spans_clear(struct dgm_env *env, struct dgm_span_list *spans);

/* Bits of the kinds in a list of names with commas between; "all", "none". DGM_USAGE for another
 * name, which it tells as a value of `option`. */
dgm_status dgm_span_kinds_read(struct dgm_env *env, const char *option, const char *list,
                               unsigned *kinds);

/* For those who find spans, of one byte: whether it is a letter or a digit of ASCII; of a word: one
 * of these, _, or part of a character beyond ASCII; one of these marks. */
int dgm_span_is_letter(char byte);
int dgm_span_is_digit(char byte);
int dgm_span_is_word(char byte);
int dgm_span_has(const char *marks, char byte);
/* Whether a word goes on with the character before byte `at` of a text, or with that at it. Scripts
 * without blanks between words (Han, Kana, Thai) have none beside a span, either. */
int dgm_span_word_before(const char *text, size_t at);
int dgm_span_word_at(const char *text, size_t bytes, size_t at);

#endif
