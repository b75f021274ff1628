/*
 * line.h: a sentence as it is being said: words with their heads, and German commas.
 */
#ifndef CORPORA_LINE_H
#define CORPORA_LINE_H

#define LINE_WORDS 96

struct token {
    char form[40], lemma[40], feats[64];
    const char *upos, *deprel;
    int head; /* index of another token, or itself for the root, or -1 so far */
};

struct line {
    struct token token[LINE_WORDS];
    int count;
    int comma;      /* a closing comma is due unless punctuation follows */
    int comma_head; /* the word it belongs to */
};

/* Adds a word and returns its index. feats may be "". Words beyond the room are
 * dropped; such a line is longer than any that is kept. */
int line_put(struct line *line, const char *form, const char *lemma, const char *upos,
             const char *feats);
void line_attach(struct line *line, int word, int head, const char *deprel);

/* Opens a comma-separated part; returns the comma, to be attached to the part's head,
 * or -1 where the sentence has just begun or a comma stands already. */
int line_open_comma(struct line *line);
void line_close_comma(struct line *line, int head);
/* The full stop. */
void line_stop(struct line *line, int root);

#endif
