/* test_tree_picture.c: arcs that never meet, labels that never collide, lines that never wrap. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "draw/tree/box_lines.h"
#include "draw/svg.h"
#include "draw/tree/tree_svg.h"
#include "draw/tree/tree_text.h"
#include "syntax/conllu/conllu_reader.h"
#include "text/unicode/utf8.h"
#include "text/unicode/width.h"

#include "test.h"

/* Columns of a text; an ill-formed byte takes one. */
static size_t width_of_text(const char *bytes, size_t count)
{
    size_t width = 0;
    while (count > 0) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, bytes, count);
        width += (size_t)(code == DGM_UTF8_BAD ? 1 : dgm_width_of(code));
        bytes += used;
        count -= used;
    }
    return width;
}

/* ---- helpers ----------------------------------------------------------------------------- */

/* Whether x..x+width and the same of another leave a distance between them. */
static int apart(int32_t x, int32_t width, int32_t other_x, int32_t other_width)
{
    return x + width < other_x || other_x + other_width < x;
}

/* Every pair of arcs: never two of a level over the same port; inner ones are lower. */
static void check_levels(const struct dgm_arcs *arcs)
{
    size_t i, k;
    for (i = 0; i < arcs->count; i++) {
        const struct dgm_arc *a = &arcs->arcs[i];
        CHECK(a->level >= 1 && a->level <= arcs->levels + (a->head < 0));
        CHECK(arcs->top[a->first] >= a->level && arcs->top[a->last] >= a->level);
        for (k = 0; k < i; k++) {
            const struct dgm_arc *b = &arcs->arcs[k];
            if (a->level == b->level && a->head >= 0)
                CHECK(a->last < b->first || b->last < a->first);
            if (a->head >= 0 && a->first <= b->first && b->last <= a->last)
                CHECK(b->level < a->level);
        }
    }
}

/* Labels touch neither each other nor the lines that come down beside them. */
static void check_labels(const struct dgm_arcs *arcs, int32_t line)
{
    int32_t port;
    size_t i, k;
    for (i = 0; i < arcs->count; i++) {
        const struct dgm_arc *a = &arcs->arcs[i];
        CHECK(a->label_x >= 0 && a->label_x + a->label_width <= arcs->width);
        if (a->head >= 0) {
            CHECK(arcs->port_x[a->first] + line <= a->label_x);
            CHECK(a->label_x + a->label_width <= arcs->port_x[a->last]);
        }
        for (k = 0; k < i; k++)
            if (arcs->arcs[k].level == a->level)
                CHECK(apart(a->label_x, a->label_width, arcs->arcs[k].label_x,
                            arcs->arcs[k].label_width));
        for (port = 0; port < DGM_PORTS * arcs->words; port++)
            if (arcs->top[port] > a->level)
                CHECK(apart(a->label_x, a->label_width, arcs->port_x[port], line - 1));
    }
}

static void check_words(const struct dgm_arcs *arcs)
{
    int32_t word, last = -1, port;
    for (word = 0; word < arcs->words; word++) {
        CHECK(arcs->word_x[word] > last);
        last = arcs->word_x[word] + arcs->cell[word];
        CHECK(last <= arcs->width);
    }
    for (port = 0, last = -1; port < DGM_PORTS * arcs->words; port++) {
        if (arcs->top[port] == 0)
            continue;
        CHECK(arcs->port_x[port] > last);
        last = arcs->port_x[port];
    }
}

/* Each word has exactly one arc to it, from its head. */
static void check_complete(const struct dgm_arcs *arcs, const struct dgm_tree *tree)
{
    size_t i;
    int64_t sum = 0;
    CHECK_INT(arcs->count, tree->has_parse ? tree->count : 0);
    for (i = 0; i < arcs->count; i++) {
        const struct dgm_arc *arc = &arcs->arcs[i];
        CHECK_INT(arc->head < 0 ? arc->dependent : arc->head, tree->head[arc->dependent]);
        sum += arc->dependent;
    }
    CHECK_INT(sum, (int64_t)arcs->count * ((int64_t)arcs->count - 1) / 2);
}

static void check_layout(const struct dgm_arcs *arcs, const struct dgm_tree *tree, int32_t line)
{
    check_complete(arcs, tree);
    check_levels(arcs);
    check_labels(arcs, line);
    check_words(arcs);
}

static int count_text(const char *text, const char *what)
{
    int count = 0;
    for (text = strstr(text, what); text != NULL; text = strstr(text + strlen(what), what))
        count++;
    return count;
}

static int ends_with_blank(const char *line, size_t bytes)
{
    return bytes > 0 && line[bytes - 1] == ' ';
}

static void check_lines(const char *text, int32_t width)
{
    while (*text != '\0') {
        size_t bytes = strcspn(text, "\n");
        CHECK(width_of_text(text, bytes) <= (size_t)width);
        CHECK(!ends_with_blank(text, bytes));
        text += bytes + 1;
    }
}

/* Lines fit, every label appears, and every word that has a head has an arrowhead; root words
 * have one where they stand side by side, and lists have none. */
static void check_text(const struct dgm_tree_picture *picture, const char *text,
                       const struct dgm_conllu_sentence *sentence)
{
    int arrows = count_text(text, "▸") + count_text(text, "▾");
    int32_t word;
    check_lines(text, picture->style.width);
    for (word = 0; word < sentence->tree.count; word++)
        CHECK(strstr(text, dgm_conllu_field(sentence, word, DGM_CONLLU_DEPREL)) != NULL);
    if (picture->arcs.width <= picture->style.width)
        CHECK_INT(arrows, picture->arcs.count);
    else if (arrows > 0)
        CHECK_INT(arrows, sentence->tree.count - dgm_tree_root_count(&sentence->tree));
}

static void check_sentence(struct dgm_tree_picture *picture,
                           const struct dgm_conllu_sentence *sentence)
{
    static const int32_t widths[] = { 60, 100, 1000 };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    int i;
    for (i = 0; i < 3; i++) {
        picture->style.width = widths[i];
        picture->drawn = 0;
        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_tree_text(test_env(), picture, &out, sentence, NULL, 1), DGM_OK);
        check_text(picture, out.data, sentence);
    }
    check_layout(&picture->arcs, &sentence->tree, 1);
    dgm_buf_clear(test_env(), &out);
    CHECK_STATUS(dgm_tree_svg_layout(test_env(), picture, sentence, NULL), DGM_OK);
    check_layout(&picture->arcs, &sentence->tree, 0);
}

/* ---- treebanks --------------------------------------------------------------------------- */

static void check_treebank(const char *name)
{
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    struct dgm_tree_picture picture;
    char path[1024];
    int more = 1;
    snprintf(path, sizeof path, "%s/data/ud/%s/dev.conllu", test_shared(), name);
    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    memset(&picture, 0, sizeof picture);
    picture.style.tags = 1;
    CHECK_STATUS(dgm_conllu_reader_open(test_env(), &reader, path, NULL), DGM_OK);
    while (more) {
        CHECK_STATUS(dgm_conllu_reader_next(test_env(), &reader, &sentence, &more), DGM_OK);
        if (more)
            check_sentence(&picture, &sentence);
    }
    CHECK(reader.sentences > 100);
    dgm_conllu_reader_close(test_env(), &reader);
    dgm_conllu_clear(test_env(), &sentence);
    dgm_tree_picture_clear(test_env(), &picture);
}

TEST(arcs_and_labels_of_english_treebank_never_collide)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_treebank("en_ewt");
}

TEST(arcs_and_labels_of_german_treebank_never_collide)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_treebank("de_gsd");
}

TEST(arcs_and_labels_of_french_treebank_never_collide)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_treebank("fr_sequoia");
}

/* ---- hard trees -------------------------------------------------------------------------- */

static void check_heads(const int32_t *head, int32_t count)
{
    static const struct dgm_arc_metrics metrics = { 2, 1, 1, 1 };
    struct dgm_arcs arcs;
    struct dgm_tree tree;
    int32_t widths[400], word;
    size_t i;
    memset(&arcs, 0, sizeof arcs);
    memset(&tree, 0, sizeof tree);
    for (word = 0; word < count; word++)
        widths[word] = word % 7;
    CHECK_STATUS(dgm_tree_init(test_env(), &tree, head, count), DGM_OK);
    CHECK_STATUS(dgm_arcs_make(test_env(), &arcs, &tree), DGM_OK);
    for (i = 0; i < arcs.count; i++)
        arcs.arcs[i].label_width = (int32_t)(i * 5 % 23);
    dgm_arcs_place(&arcs, widths, &metrics);
    check_layout(&arcs, &tree, 1);
    dgm_arcs_clear(test_env(), &arcs);
    dgm_tree_clear(test_env(), &tree);
}

TEST(stars_chains_and_forests_of_300_words_are_laid_out)
{
    int32_t head[300], word;
    for (word = 0; word < 300; word++)
        head[word] = 0;
    check_heads(head, 300);
    for (word = 0; word < 300; word++)
        head[word] = 150;
    check_heads(head, 300);
    for (word = 0; word < 300; word++)
        head[word] = word > 0 ? word - 1 : 0;
    check_heads(head, 300);
    for (word = 0; word < 300; word++)
        head[word] = word;
    check_heads(head, 300);
    check_heads(head, 1);
    check_heads(head, 0);
}

/* Word i depends on some earlier or later one: far from projective. */
TEST(random_crossing_trees_are_laid_out)
{
    uint32_t state = 12345;
    int32_t head[60], order[60], n = 60, i, k;
    int round;
    for (round = 0; round < 200; round++) {
        for (i = 0; i < n; i++)
            order[i] = i;
        for (i = n - 1; i > 0; i--) {
            int32_t kept = order[i];
            state = state * 1664525U + 1013904223U;
            k = (int32_t)((state >> 8) % (uint32_t)(i + 1));
            order[i] = order[k];
            order[k] = kept;
        }
        for (i = 0; i < n; i++) {
            state = state * 1664525U + 1013904223U;
            head[order[i]] = i == 0 ? order[0] : order[(state >> 8) % (uint32_t)i];
        }
        check_heads(head, n);
    }
}

TEST(levels_rise_by_nesting)
{
    /* She(0) reads(1) the(2) long(3) book(4): the over long, both below book. */
    static const int32_t head[] = { 1, 1, 4, 4, 1 };
    struct dgm_tree tree;
    struct dgm_arcs arcs;
    int32_t level[5];
    size_t i;
    memset(&tree, 0, sizeof tree);
    memset(&arcs, 0, sizeof arcs);
    CHECK_STATUS(dgm_tree_init(test_env(), &tree, head, 5), DGM_OK);
    CHECK_STATUS(dgm_arcs_make(test_env(), &arcs, &tree), DGM_OK);
    CHECK_INT(arcs.count, 5);
    for (i = 0; i < 5; i++)
        level[arcs.arcs[i].dependent] = arcs.arcs[i].level;
    CHECK_INT(level[0], 1);
    CHECK_INT(level[3], 1);
    CHECK_INT(level[2], 2);
    CHECK_INT(level[4], 3);
    CHECK_INT(level[1], 4);
    CHECK_INT(arcs.levels, 3);
    dgm_arcs_clear(test_env(), &arcs);
    dgm_tree_clear(test_env(), &tree);
}

/* ---- the pieces -------------------------------------------------------------------------- */

TEST(svg_escapes_text_and_writes_tenths)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };
    struct dgm_svg svg;
    dgm_svg_start(&svg, test_env(), &out);
    dgm_svg_begin(&svg, "g");
    dgm_svg_attribute(&svg, "x", -5);
    dgm_svg_attribute(&svg, "y", 1230);
    dgm_svg_text_attribute(&svg, "id", "a\"<'\x01\n");
    dgm_svg_element(&svg, "t", "<script>&\x1b\xff \xef\xbf\xbf]]>");
    dgm_svg_begin(&svg, "path");
    dgm_svg_path_begin(&svg);
    dgm_svg_path(&svg, 'M', 15, -20);
    dgm_svg_path(&svg, 'H', 7, 0);
    dgm_svg_path(&svg, 'Z', 0, 0);
    dgm_svg_path_end(&svg);
    dgm_svg_end(&svg, "path");
    dgm_svg_end(&svg, "g");
    CHECK_STATUS(svg.status, DGM_OK);
    CHECK_STR(out.data, "<g x=\"-0.5\" y=\"123\" id=\"a&quot;&lt;&#39;\357\277\275\n\">"
                        "<t>&lt;script&gt;&amp;\357\277\275\357\277\275 \357\277\275]]&gt;</t>"
                        "<path d=\"M1.5 -2H0.7Z\"/></g>");
    dgm_buf_clear(test_env(), &out);
}

TEST(wide_characters_take_two_columns_and_marks_none)
{
    CHECK_INT(width_of_text("abc", 3), 3);
    CHECK_INT(width_of_text("猫が", 6), 4);
    CHECK_INT(width_of_text("e\xcc\x81", 3), 1);
    CHECK_INT(width_of_text("한", 3), 2);
    CHECK_INT(dgm_width_of(0x1100), 2);
    CHECK_INT(dgm_width_of(0x1161), 0);
    CHECK_INT(dgm_width_of(0x200D), 0);
    CHECK_INT(dgm_width_of(0xAD), 1);
    CHECK_INT(dgm_width_of(0x302A), 0);
    CHECK_INT(dgm_width_of(0x1F600), 2);
    CHECK_INT(dgm_width_of(0xFF76), 1);
    CHECK_INT(dgm_width_of(0x3FFFD), 2);
    CHECK_INT(dgm_width_of('\n'), 0);
    CHECK_INT(width_of_text("a\xff", 2), 2);
}

static void check_caption(const char *text, int32_t most, const char *want, int32_t want_columns)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };
    int32_t columns = -1;
    CHECK_STATUS(dgm_buf_add_text(test_env(), &out, ""), DGM_OK);
    CHECK_STATUS(dgm_caption_add(test_env(), &out, text, strlen(text), most, "…", &columns),
                 DGM_OK);
    CHECK_STR(out.data, want);
    CHECK_INT(columns, want_columns);
    dgm_buf_clear(test_env(), &out);
}

TEST(captions_are_cut_by_columns_and_cannot_steer_a_terminal)
{
    check_caption("word", 4, "word", 4);
    check_caption("words", 4, "wor…", 4);
    check_caption("猫猫猫", 4, "猫…", 3);
    check_caption("猫猫", 4, "猫猫", 4);
    check_caption("a\033[2Jb", 9, "a\357\277\275[2Jb", 6);
    check_caption("\342\200\256x\xc2\x9by", 9, "\357\277\275x\357\277\275y", 4);
}

TEST(glyphs_join_lines_by_direction)
{
    CHECK_STR(dgm_line_glyph(DGM_LINE_DOWN | DGM_LINE_RIGHT, 0), "╭");
    CHECK_STR(dgm_line_glyph(DGM_LINE_UP | DGM_LINE_LEFT, 0), "╯");
    CHECK_STR(dgm_line_glyph(DGM_LINE_UP | DGM_LINE_DOWN | DGM_LINE_RIGHT, 0), "├");
    CHECK_STR(dgm_line_glyph(DGM_LINE_LEFT | DGM_LINE_RIGHT, 1), "-");
    CHECK_STR(dgm_line_glyph(DGM_LINE_UP | DGM_LINE_DOWN, 1), "|");
    CHECK_STR(dgm_line_glyph(0, 1), " ");
}
