/* place.c: a tree of spans, whose nodes find their places each within its parent's. */
#include "text/span/place.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

/* ---- tags that belong together --------------------------------------------------------------- */

enum tag { NO_TAG, OPENS, CLOSES };

/* What a tag does, and its name. */
static enum tag read_tag(const struct dgm_taken *item, const char *line, const char **name,
                         size_t *bytes)
{
    const char *text = line + item->span.start;
    const size_t size = item->span.end - item->span.start;
    const int closes = size > 1 && text[1] == '/';
    size_t end = 1 + (size_t)closes;

    if (item->span.kind != DGM_SPAN_tag || text[1] == '!' || text[size - 2] == '/')
        return NO_TAG;
    *name = text + end;
    while (!dgm_span_has(" \t>", text[end]))
        end++;
    *bytes = (size_t)(text + end - *name);
    return closes ? CLOSES : OPENS;
}

/* The latest tag that is open and has the name; -1: none. Items that are open are linked by their
 * mates, the latest first. */
static int32_t find_open(const struct dgm_taken *items, const char *line, int32_t open,
                         const char *name, size_t bytes)
{
    const char *other;
    size_t other_bytes;

    for (int look = 0; open >= 0 && look < 64; open = items[open].mate, look++) {
        read_tag(&items[open], line, &other, &other_bytes);
        if (dgm_bytes_compare(name, bytes, other, other_bytes) == 0)
            return open;
    }
    return -1;
}

dgm_status dgm_taken_pair(struct dgm_env *env, struct dgm_taken *items, size_t count,
                          const char *line)
{
    int32_t open = -1;

    if (count > INT32_MAX)
        return dgm_fail(env, DGM_DATA, "%zu spans in a line; expected fewer", count);
    for (int32_t i = 0; i < (int32_t)count; i++) {
        const char *name;
        size_t bytes;
        const enum tag tag = read_tag(&items[i], line, &name, &bytes);
        int32_t opening;

        items[i].mate = -1;
        if (tag == OPENS) {
            items[i].mate = open;
            open = i;
        }
        opening = tag == CLOSES ? find_open(items, line, open, name, bytes) : -1;
        if (opening < 0)
            continue;
        while (open != opening) { /* left open: it stands alone */
            const int32_t before = items[open].mate;

            items[open].mate = -1;
            open = before;
        }
        open = items[opening].mate;
        items[opening].mate = i;
        items[i].mate = opening;
    }
    while (open >= 0) {
        const int32_t before = items[open].mate;

        items[open].mate = -1;
        open = before;
    }
    return DGM_OK;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* A span alone, or two tags that belong together. Node 0 is the line; node 1 + i is item i, unless
 * that closes. Children are linked in the order of the translation. */
struct dgm_place_node {
    int32_t parent, first, last, next;
    int32_t start, end; /* words of the translation before it, and before its end */
};

static int is_closing(const struct dgm_taken *items, int32_t i)
{
    return items[i].mate >= 0 && items[i].mate < i;
}

/* Children in the order of the line, for now. */
static void make_tree(struct dgm_place_node *nodes, const struct dgm_taken *items, int32_t count)
{
    int32_t parent = 0;

    nodes[0] = (struct dgm_place_node){ .parent = -1, .first = -1, .last = -1, .next = -1 };
    for (int32_t i = 0; i < count; i++) {
        struct dgm_place_node *node = &nodes[1 + i], *above = &nodes[parent];

        if (is_closing(items, i)) {
            parent = above->parent;
            continue;
        }
        *node = (struct dgm_place_node){ .parent = parent, .first = -1, .last = -1, .next = -1 };
        if (above->last >= 0)
            nodes[above->last].next = 1 + i;
        else
            above->first = 1 + i;
        above->last = 1 + i;
        if (items[i].mate > i)
            parent = 1 + i;
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The first and the last word of the translation from each word of the line; -1: none. */
static dgm_status find_ends(struct dgm_env *env, struct dgm_places *places,
                            const struct dgm_come_from *from)
{
    for (int side = 0; side < 2; side++) {
        DGM_TRY(dgm_reserve(env, &places->ends[side], &places->end_capacity[side],
                            (size_t)from->of + 1, sizeof *places->ends[side]));
        for (int32_t s = 0; s < from->of; s++)
            places->ends[side][s] = -1;
    }
    for (int32_t t = 0; t < from->count; t++) {
        const int32_t s = from->words[t];

        if (s < 0 || s >= from->of)
            continue;
        if (places->ends[0][s] < 0)
            places->ends[0][s] = t;
        places->ends[1][s] = t;
    }
    return DGM_OK;
}

/* Before which word of the translation a span stands that stood before word `at` of the line: that
 * of the nearest word with a link, the one behind it first. */
static int32_t place_point(const struct dgm_places *places, const struct dgm_come_from *from,
                           int32_t at)
{
    for (int32_t d = 0; d < from->of; d++) {
        if (at + d < from->of && places->ends[0][at + d] >= 0)
            return places->ends[0][at + d];
        if (at - 1 - d >= 0 && at - 1 - d < from->of && places->ends[1][at - 1 - d] >= 0)
            return places->ends[1][at - 1 - d] + 1;
    }
    return from->of > 0 ? (int32_t)((int64_t)at * from->count / from->of) : 0;
}

/* Around the words from those between; where there are none, a point. */
static void place_pair(const struct dgm_places *places, const struct dgm_come_from *from,
                       int32_t first, int32_t end, struct dgm_place_node *node)
{
    node->start = from->count;
    node->end = -1;
    for (int32_t s = first; s < end && s < from->of; s++) {
        if (places->ends[0][s] < 0)
            continue;
        if (places->ends[0][s] < node->start)
            node->start = places->ends[0][s];
        if (places->ends[1][s] + 1 > node->end)
            node->end = places->ends[1][s] + 1;
    }
    if (node->end < 0)
        node->start = node->end = place_point(places, from, first);
}

/* Where slots say where an item stands, and the one that closes it. */
static int place_known(const struct dgm_come_from *from, int32_t i, int32_t mate,
                       struct dgm_place_node *node)
{
    const int32_t start = from->known != NULL ? from->known[i] : -1;
    const int32_t end = start >= 0 && mate >= 0 ? from->known[mate] : start;

    if (start < 0 || end < start)
        return 0;
    node->start = start;
    node->end = end;
    return 1;
}

static int32_t clamp(int32_t x, int32_t low, int32_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* Takes the child into the list of those before it, by where it starts; behind equal ones. It
 * passes so many of them and no more, lest a line of tags alone takes for ever. */
static void insert(struct dgm_place_node *nodes, struct dgm_place_node *above, int32_t child)
{
    int32_t *link = &above->first;

    if (above->last >= 0 && nodes[above->last].start <= nodes[child].start)
        link = &nodes[above->last].next;
    for (int passed = 0; passed < 256 && *link >= 0; passed++) {
        if (nodes[*link].start > nodes[child].start)
            break;
        link = &nodes[*link].next;
    }
    nodes[child].next = *link;
    *link = child;
    if (nodes[child].next < 0)
        above->last = child;
}

/* Finds the places of a node's children, which do not overlap, within its own. */
static void place_children(const struct dgm_places *places, const struct dgm_taken *items,
                           const struct dgm_come_from *from, int32_t which)
{
    struct dgm_place_node *nodes = places->nodes, *above = &nodes[which];
    int32_t child = above->first, done = above->start;

    above->first = above->last = -1;
    while (child >= 0) {
        const int32_t i = child - 1, next = nodes[child].next;

        nodes[child].next = -1;
        if (place_known(from, i, items[i].mate, &nodes[child]))
            ;
        else if (items[i].mate >= 0)
            place_pair(places, from, items[i].words, items[items[i].mate].words, &nodes[child]);
        else
            nodes[child].start = nodes[child].end = place_point(places, from, items[i].words);
        nodes[child].start = clamp(nodes[child].start, above->start, above->end);
        insert(nodes, above, child);
        child = next;
    }
    for (child = above->first; child >= 0; child = nodes[child].next) {
        nodes[child].start = clamp(nodes[child].start, done, above->end);
        nodes[child].end = clamp(nodes[child].end, nodes[child].start, above->end);
        done = nodes[child].end;
    }
}

/* Writes items down as they follow each other. */
static void list_items(struct dgm_places *places, const struct dgm_taken *items)
{
    const struct dgm_place_node *nodes = places->nodes;
    int32_t at = nodes[0].first;

    for (places->count = 0; at > 0;) {
        int32_t i = at - 1;

        places->gaps[i] = nodes[at].start;
        places->order[places->count++] = i;
        if (nodes[at].first >= 0) {
            at = nodes[at].first;
            continue;
        }
        for (;; at = nodes[at].parent) {
            i = at - 1;
            if (items[i].mate >= 0) {
                places->gaps[items[i].mate] = nodes[at].end;
                places->order[places->count++] = items[i].mate;
            }
            if (nodes[at].next >= 0) {
                at = nodes[at].next;
                break;
            }
            if (nodes[at].parent <= 0)
                return;
        }
    }
}

dgm_status dgm_places_find(struct dgm_env *env, struct dgm_places *places,
                           const struct dgm_taken *items, size_t count,
                           const struct dgm_come_from *from)
{
    DGM_TRY(
        dgm_reserve(env, &places->gaps, &places->gap_capacity, count + 1, sizeof *places->gaps));
    DGM_TRY(dgm_reserve(env, &places->order, &places->order_capacity, count + 1,
                        sizeof *places->order));
    DGM_TRY(
        dgm_reserve(env, &places->nodes, &places->node_capacity, count + 1, sizeof *places->nodes));
    DGM_TRY(find_ends(env, places, from));
    make_tree(places->nodes, items, (int32_t)count);
    places->nodes[0].end = from->count;
    /* Parents stand before their children. */
    for (int32_t node = 0; node <= (int32_t)count; node++)
        if (node == 0 || !is_closing(items, node - 1))
            place_children(places, items, from, node);
    list_items(places, items);
    return DGM_OK;
}

void dgm_places_clear(struct dgm_env *env, struct dgm_places *places)
{
    dgm_release(env, places->gaps);
    dgm_release(env, places->order);
    dgm_release(env, places->nodes);
    for (int side = 0; side < 2; side++)
        dgm_release(env, places->ends[side]);
    memset(places, 0, sizeof *places);
}
