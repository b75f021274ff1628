/*
 * line.c: words in the order they are said, and where commas meet.
 */
#include "line.h"

#include <stdio.h>
#include <string.h>

static int put(struct line *line, const char *form, const char *lemma, const char *upos,
               const char *feats)
{
    struct token *token;

    if (line->count == LINE_WORDS)
        return LINE_WORDS - 1;
    token = &line->token[line->count];
    snprintf(token->form, sizeof token->form, "%s", form);
    snprintf(token->lemma, sizeof token->lemma, "%s", lemma);
    snprintf(token->feats, sizeof token->feats, "%s", feats);
    token->upos = upos;
    token->deprel = "_";
    token->head = -1;
    return line->count++;
}

static int put_comma(struct line *line)
{
    line->comma = 0;
    return put(line, ",", ",", "PUNCT", "");
}

int line_put(struct line *line, const char *form, const char *lemma, const char *upos,
             const char *feats)
{
    int head = line->comma_head;

    if (line->comma)
        line_attach(line, put_comma(line), head, "punct");
    return put(line, form, lemma, upos, feats);
}

void line_attach(struct line *line, int word, int head, const char *deprel)
{
    line->token[word].head = head;
    line->token[word].deprel = deprel;
}

int line_open_comma(struct line *line)
{
    if (line->count == 0)
        return -1;
    return put_comma(line);
}

void line_close_comma(struct line *line, int head)
{
    line->comma = 1;
    line->comma_head = head;
}

void line_stop(struct line *line, int root)
{
    line->comma = 0;
    line_attach(line, put(line, ".", ".", "PUNCT", ""), root, "punct");
    line_attach(line, root, root, "root");
}
