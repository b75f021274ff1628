/* ud_deps.c: DEPS of a word or empty node: head:relation|..., sorted by heads, then by relations,
 * each once; heads are 0 and nodes of the sentence, not the node itself (level 2). */
#include "syntax/ud/ud_parts.h"

#include <string.h>

#include "syntax/conllu/conllu_row.h"

/* One head:relation. */
struct dependency {
    const char *text, *relation;
    size_t bytes, relation_bytes;
    int32_t word, empty; /* the head: 8.1 is word 8, empty 1 */
};

/* Whether there is a head with a colon behind it. */
static int read_head(struct dependency *arc)
{
    const char *colon = memchr(arc->text, ':', arc->bytes), *dot;

    if (colon == NULL)
        return 0;
    arc->relation = colon + 1;
    arc->relation_bytes = arc->bytes - (size_t)(colon + 1 - arc->text);
    dot = memchr(arc->text, '.', (size_t)(colon - arc->text));
    arc->empty = 0;
    if (dot == NULL)
        return dgm_conllu_row_number(&arc->word, arc->text, colon);
    return dgm_conllu_row_number(&arc->word, arc->text, dot) &&
           dgm_conllu_row_number(&arc->empty, dot + 1, colon) && arc->empty > 0;
}

/* The row number + 1 of the head, 0 for the root; -1: the sentence has no such node. Empty nodes
 * stand right behind their word. */
static int64_t find_node(const struct dgm_conllu_sentence *sentence, const struct dependency *arc)
{
    const struct dgm_conllu_row *row;
    int64_t at;

    if (arc->word > sentence->tree.count)
        return -1;
    if (arc->word == 0 && arc->empty == 0)
        return 0;
    at = arc->word == 0 ? -1 : (int64_t)sentence->words[arc->word - 1];
    at += arc->empty;
    if (at >= (int64_t)sentence->row_count)
        return -1;
    row = &sentence->rows[at];
    if (arc->empty > 0 && (row->kind != DGM_CONLLU_EMPTY || row->first != arc->word))
        return -1;
    return at + 1;
}

static int compare_relations(const struct dependency *a, const struct dependency *b)
{
    size_t bytes = a->relation_bytes < b->relation_bytes ? a->relation_bytes : b->relation_bytes;
    int order = memcmp(a->relation, b->relation, bytes);

    if (order != 0)
        return order;
    return (a->relation_bytes > b->relation_bytes) - (a->relation_bytes < b->relation_bytes);
}

/* What is wrong between two neighbours, or NULL. */
static const char *find_disorder(const struct dependency *before, const struct dependency *arc)
{
    int heads = before->word != arc->word ? before->word - arc->word : before->empty - arc->empty;
    int relations;

    if (heads != 0)
        return heads > 0 ? "heads in rising order" : NULL;
    relations = compare_relations(before, arc);
    return relations > 0    ? "relations to one head in the order of the alphabet"
           : relations == 0 ? "each head and relation once"
                            : NULL;
}

static dgm_status check_arc(const struct dgm_ud_check *check, const struct dgm_conllu_row *row,
                            const struct dependency *arc, const char *expected)
{
    int64_t head = expected == NULL ? find_node(check->sentence, arc) : 0;

    if (expected == NULL && head < 0)
        expected = "a head that is 0 or a node of this sentence";
    else if (expected == NULL && head == row - check->sentence->rows + 1)
        expected = "another head than the node itself";
    else if (expected == NULL && !dgm_ud_is_enhanced_relation(arc->relation, arc->relation_bytes))
        expected = "a universal relation or ref behind the head, perhaps with subtypes";
    if (expected != NULL)
        return dgm_ud_refuse(check, DGM_CONLLU_BAD_DEPS, row, DGM_CONLLU_DEPS, arc->text,
                             arc->bytes, expected);
    return dgm_ud_add_arc(check, (uint32_t)head, row);
}

dgm_status dgm_ud_deps(const struct dgm_ud_check *check, const struct dgm_conllu_row *row)
{
    struct dependency arc = { 0 }, before = { 0 };
    const char *at = dgm_conllu_row_text(check->sentence, row, DGM_CONLLU_DEPS);

    if (strcmp(at, "_") == 0)
        return DGM_OK;
    for (;; at += arc.bytes + 1) {
        const char *expected = NULL;

        arc.text = at;
        arc.bytes = strcspn(at, "|");
        if (!read_head(&arc))
            expected = "head:relation|...";
        else if (before.text != NULL)
            expected = find_disorder(&before, &arc);
        DGM_TRY(check_arc(check, row, &arc, expected));
        if (at[arc.bytes] == '\0')
            return DGM_OK;
        before = arc;
    }
}
