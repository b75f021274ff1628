/* stops.c: whether a mark ends its sentence, by rules of languages. */
#include "text/sentence/stops.h"

#include <string.h>

#include "text/sentence/breaks.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

enum { ELLIPSIS = 0x2026, GREEK_QUESTION = 0x37E };
enum { LEAST_PLAIN = 3 };
enum { MOST_WORD = 40 }; /* bytes of the words that are looked at */

/* What a sentence might begin with. */
enum follow {
    FOLLOW_NOTHING, /* the text ends */
    FOLLOW_COMMA,   /* and other marks within sentences */
    FOLLOW_SMALL,
    FOLLOW_CAPITAL,
    FOLLOW_LETTER, /* of a script without capitals */
    FOLLOW_DIGIT,
    FOLLOW_OTHER
};

/* A word, with a blank at either end: as it is written, and in lower case. */
struct word {
    size_t start, end; /* in the text */
    char text[MOST_WORD + 3], lower[2 * MOST_WORD + 3];
    int letters, capitals, digits, dots, others; /* characters of it */
};

/* A row of marks. */
struct row {
    const struct dgm_sentence_language *language; /* NULL: Chinese, Japanese */
    const char *text;
    size_t size, start; /* start: of the sentence */
    size_t at, end;     /* the marks, and what closes behind them */
    size_t next;        /* behind the blanks */
    int stops, asks;    /* full stops; others: ! ? */
    int is_wide;        /* one of them needs no blank */
    int closes;         /* quotation marks and brackets behind them */
    enum follow follow;
    struct word before, behind; /* the words beside it; `behind` without what opens */
};

static uint32_t code_at(const struct row *row, size_t at, size_t *end)
{
    uint32_t code;

    *end = at + dgm_utf8_decode(&code, row->text + at, row->size - at);
    return code;
}

int dgm_stop_is_mark(const struct dgm_sentence_language *language, uint32_t code)
{
    if (code == ELLIPSIS)
        return 1;
    return language != NULL && language->semicolon_asks && (code == ';' || code == GREEK_QUESTION);
}

/* ---- the row and what closes ----------------------------------------------------------------- */

/* Where a footnote "[12]" ends that begins at `at`; or `at`. */
static size_t skip_note(const struct row *row, size_t at)
{
    size_t end = at + 1;

    while (end < row->size && end - at < 5 && row->text[end] >= '0' && row->text[end] <= '9')
        end++;
    return end > at + 1 && end < row->size && row->text[end] == ']' ? end + 1 : at;
}

/* Whether a mark was counted. */
static int count_mark(struct row *row, uint32_t code)
{
    const enum dgm_break class = dgm_break_of(code);

    if (code == ELLIPSIS) {
        row->stops += 3;
    } else if (class == DGM_BREAK_ATERM) {
        row->stops++;
    } else if (class == DGM_BREAK_STERM || dgm_stop_is_mark(row->language, code)) {
        row->asks++;
        row->is_wide |= code >= 0x900;
    } else {
        return 0;
    }
    return 1;
}

/* Brackets of East Asia open where their number is even; so do curly quotation marks there, which
 * close in German. */
static int is_opener(const struct row *row, uint32_t code)
{
    if (code == '(' || code == '[' || code == '{' || code == '<' || code == 0xFF08)
        return 1;
    if (code >= 0x3008 && code <= 0x301D)
        return code == 0x301D || (code % 2 == 0 && code != 0x301C);
    return row->language == NULL && (code == 0x201C || code == 0x2018);
}

static int is_closer(const struct row *row, uint32_t code)
{
    if (is_opener(row, code))
        return 0;
    return code == '*' || code == '_' || code == '>' || dgm_break_of(code) == DGM_BREAK_CLOSE;
}

static void read_row(struct row *row)
{
    size_t at = row->at, end;

    while (at < row->size) {
        const uint32_t code = code_at(row, at, &end);

        if (code == '[')
            end = skip_note(row, at);
        else if (is_closer(row, code))
            row->closes = 1;
        else if (!count_mark(row, code) && dgm_break_of(code) != DGM_BREAK_EXTEND)
            break;
        if (end == at)
            break;
        at = end;
    }
    row->end = at;
}

/* ---- what follows ---------------------------------------------------------------------------- */

static int is_blank_at(const struct row *row, size_t at, size_t *end)
{
    return at < row->size && dgm_break_of(code_at(row, at, end)) == DGM_BREAK_SP;
}

/* Blanks of more than one byte count as letters here. */
static int is_blank_before(const struct row *row, size_t at)
{
    return at == row->start || row->text[at - 1] == ' ' || row->text[at - 1] == '\t';
}

static size_t skip_blanks(const struct row *row, size_t at)
{
    size_t end;

    while (is_blank_at(row, at, &end))
        at = end;
    return at;
}

static int is_one_of(const struct row *row, size_t at, const char *characters)
{
    return at < row->size && row->text[at] != '\0' && strchr(characters, row->text[at]) != NULL;
}

/* Where a smiley ends, ":-)" or ";D", that begins at `at` and stands alone; or `at`. */
static size_t skip_smiley(const struct row *row, size_t at)
{
    size_t end = at + 1, mouth, behind;

    if (!is_one_of(row, at, ":;=8"))
        return at;
    end += is_one_of(row, end, "-'o^");
    for (mouth = end; is_one_of(row, end, ")(DPp/|]");)
        end++;
    return end > mouth && (end == row->size || is_blank_at(row, end, &behind)) ? end : at;
}

/* Where a mark that closes, or one more mark, ends that stands alone at `at`; or `at`. A straight
 * quotation mark may open in text whose marks all stand alone. */
static size_t skip_lone(struct row *row, size_t at)
{
    size_t end, behind;
    const uint32_t code = code_at(row, at, &end);

    if (end < row->size && !is_blank_at(row, end, &behind))
        return at;
    if (count_mark(row, code))
        return end;
    if (code == '"' || code == '\'' ? is_blank_before(row, row->at)
                                    : code != ')' && code != ']' && code != 0xBB && code != 0x201D)
        return at;
    row->closes = 1;
    return end;
}

/* Blanks, and what belongs to the sentence behind one: a French guillemet, a smiley. */
static void read_gap(struct row *row)
{
    size_t end = row->end;

    do {
        row->end = end;
        row->next = skip_blanks(row, end);
        if (row->next == end || row->next >= row->size)
            return;
        end = skip_lone(row, row->next);
        if (end == row->next)
            end = skip_smiley(row, row->next);
    } while (end > row->next);
}

static int is_dash(uint32_t code)
{
    return code == '-' || (code >= 0x2010 && code <= 0x2015);
}

static int is_comma(uint32_t code)
{
    return code == ',' || code == ';' || code == ':' || code == ')' || code == 0x60C ||
           code == 0x61B || code == 0x3001 || code == 0xFF0C;
}

/* The first letter or digit from `next` on, behind what opens. */
static size_t find_word(const struct row *row, enum dgm_break *class)
{
    size_t at = row->next, end;

    for (*class = DGM_BREAK_SEP; at < row->size; at = end) {
        const uint32_t code = code_at(row, at, &end);

        *class = dgm_break_of(code);
        if (*class == DGM_BREAK_SCONTINUE && is_dash(code))
            continue;
        if (*class != DGM_BREAK_CLOSE && *class != DGM_BREAK_OTHER && *class != DGM_BREAK_SP &&
            *class != DGM_BREAK_EXTEND)
            break;
    }
    return at;
}

static enum follow follow_of(enum dgm_break class)
{
    switch (class) {
    case DGM_BREAK_LOWER: return FOLLOW_SMALL;
    case DGM_BREAK_UPPER: return FOLLOW_CAPITAL;
    case DGM_BREAK_OLETTER: return FOLLOW_LETTER;
    case DGM_BREAK_NUMERIC: return FOLLOW_DIGIT;
    default: return FOLLOW_OTHER;
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static void add_character(struct word *word, uint32_t code, size_t *bytes, size_t *lower_bytes)
{
    const enum dgm_break class = dgm_break_of(code);

    word->letters += class >= DGM_BREAK_OLETTER;
    word->capitals += class == DGM_BREAK_UPPER;
    word->digits += class == DGM_BREAK_NUMERIC;
    word->dots += code == '.';
    word->others += class == DGM_BREAK_OTHER;
    *bytes += dgm_utf8_encode(word->text + *bytes, code);
    *lower_bytes += dgm_utf8_encode(word->lower + *lower_bytes, dgm_unicode_lower(code));
}

/* From its place in the text. A longer one than any list has is left empty. */
static void fill_word(const struct row *row, struct word *word)
{
    size_t at = word->start, bytes = 1, lower_bytes = 1, end;

    word->text[0] = word->lower[0] = ' ';
    for (; word->end - word->start <= MOST_WORD && at < word->end; at = end) {
        const uint32_t code = code_at(row, at, &end);

        if (code > 0x10FFFF)
            break;
        add_character(word, code, &bytes, &lower_bytes);
    }
    word->text[bytes] = word->lower[lower_bytes] = ' ';
    word->text[bytes + 1] = word->lower[lower_bytes + 1] = '\0';
}

static int is_in_word(uint32_t code)
{
    const enum dgm_break class = dgm_break_of(code);

    return code == '.' || code == 0xB0 || code == 0xA7 || code == '\'' || code == 0x2019 ||
           code == '-' || class >= DGM_BREAK_OLETTER || class == DGM_BREAK_NUMERIC ||
           class == DGM_BREAK_EXTEND || (class == DGM_BREAK_OTHER && code != '/' && code != '|');
}

/* The word that ends at the marks. */
static void read_before(struct row *row)
{
    struct word *word = &row->before;
    size_t at = row->at, end;

    word->end = row->at;
    while (at > row->start && row->at - at <= MOST_WORD) {
        size_t last = at - 1;

        while (last > row->start && ((unsigned char)row->text[last] & 0xC0) == 0x80)
            last--;
        if (!is_in_word(code_at(row, last, &end)) || end != at)
            break;
        at = last;
    }
    word->start = at;
    fill_word(row, word);
}

static int is_of_word(enum dgm_break class)
{
    return class >= DGM_BREAK_OLETTER || class == DGM_BREAK_NUMERIC || class == DGM_BREAK_EXTEND;
}

static size_t end_of_word(const struct row *row, size_t at)
{
    const size_t start = at;
    size_t end;

    while (at < row->size && at - start <= MOST_WORD &&
           is_of_word(dgm_break_of(code_at(row, at, &end))))
        at = end;
    return at;
}

static void read_behind(struct row *row)
{
    enum dgm_break class;
    size_t end;

    row->behind.start = row->behind.end = row->next;
    if (row->next >= row->size) {
        row->follow = FOLLOW_NOTHING;
        return;
    }
    row->behind.start = find_word(row, &class);
    row->behind.end = end_of_word(row, row->behind.start);
    fill_word(row, &row->behind);
    row->follow = is_comma(code_at(row, row->next, &end)) ? FOLLOW_COMMA : follow_of(class);
    if (row->follow == FOLLOW_SMALL && row->behind.capitals > 0) /* eBay */
        row->follow = FOLLOW_CAPITAL;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* "I." is an initial, though "I" might begin one. */
static int starts_sentences(const struct row *row)
{
    const struct word *word = &row->behind;

    if (word->letters <= 1 && word->end < row->size && row->text[word->end] == '.')
        return 0;
    return word->lower[1] != ' ' && dgm_sentence_starts(row->language, word->lower);
}

static int is_roman(const struct word *word)
{
    const size_t length = strlen(word->text) - 2;

    return length > 0 && strspn(word->text + 1, "IVXLCDM") == length;
}

static int is_number(const struct word *word)
{
    return word->digits > 0 && word->letters == 0;
}

/* Whether a word stands at the head of its sentence, or behind a colon. */
static int is_at_head(const struct row *row, size_t at)
{
    if (at <= row->start + 1)
        return 1;
    return row->text[at - 1] == ' ' && row->text[at - 2] == ':';
}

/* "1." or "b." at the head of a sentence: the label of what follows. */
static int is_label(const struct row *row)
{
    const struct word *word = &row->before;

    if (!is_at_head(row, word->start) || row->stops != 1 || row->asks > 0 || row->closes)
        return 0;
    return (is_number(word) && word->digits <= 3) || (word->letters == 1 && word->digits == 0) ||
           (is_roman(word) && word->letters <= 4);
}

static int is_vowel(uint32_t code)
{
    static const char vowels[] = "aeiouyäöüáéíóúýàèìòùâêîôûãõåæøëïąęěůőűăıœ"
                                 "аеёиоуыэюяіїєўαεηιουωάέήίόύώϊϋ";
    char text[5] = { 0 };

    dgm_utf8_encode(text, code);
    return strstr(vowels, text) != NULL;
}

/* A word with small letters and without vowels, of up to four letters, can hardly be read aloud. */
static int is_unspoken(const struct row *row)
{
    const struct word *word = &row->before;
    const char *lower = word->lower + 1;
    uint32_t code;

    if (word->letters < 2 || word->letters > 4 || word->letters == word->capitals ||
        word->digits > 0 || word->others > 0 || strcmp(row->language->code, "cs") == 0)
        return 0;
    for (size_t left = strlen(lower) - 1; left > 0;) {
        const size_t bytes = dgm_utf8_decode(&code, lower, left);

        if (is_vowel(code) || dgm_break_of(code) == DGM_BREAK_OLETTER)
            return 0;
        lower += bytes;
        left -= bytes;
    }
    return 1;
}

/* "U.S", "z.B": letters with full stops between; no address. */
static int is_dotted(const struct word *word)
{
    return word->dots > 0 && word->digits == 0 && word->letters <= 2 * word->dots + 2;
}

static enum dgm_stop stop_of(const struct row *row)
{
    const struct word *word = &row->before;
    enum dgm_stop stop;

    if (word->text[1] == ' ')
        return DGM_STOP_PLAIN;
    if (word->capitals == 1 && word->letters == 1 && word->digits == 0) /* an initial */
        return DGM_STOP_EITHER;
    stop = dgm_sentence_stop(row->language, word->text, word->lower);
    if (stop != DGM_STOP_PLAIN)
        return stop;
    if (word->letters == 1 && word->digits == 0)
        return DGM_STOP_EITHER;
    if (is_dotted(word) || is_unspoken(row))
        return DGM_STOP_EITHER;
    if (row->language->ordinals && ((is_number(word) && word->digits <= 2) || is_roman(word)))
        return DGM_STOP_EITHER;
    return DGM_STOP_PLAIN;
}

static int is_small_word(const struct word *word)
{
    return word->capitals + word->digits + word->dots + word->others == 0;
}

/* Whoever writes no capitals at all ends sentences all the same. */
static int ends_before_small(const struct row *row, enum dgm_stop stop)
{
    const struct word *word = &row->before;

    if (row->closes)
        return 0;
    if (row->asks > 0 || row->stops > 1)
        return starts_sentences(row) && row->stops <= 1;
    if (word->text[1] == ' ') /* a token of its own, as those of abbreviations are not */
        return row->at > row->start && row->text[row->next] != '&'; /* &quot; may close */
    return stop == DGM_STOP_PLAIN && word->letters >= LEAST_PLAIN && word->dots == 0 &&
           word->digits == 0;
}

/* Behind a single full stop. */
static int ends_at_stop(const struct row *row)
{
    const enum dgm_stop stop = stop_of(row);

    if (row->follow == FOLLOW_SMALL)
        return ends_before_small(row, stop);
    switch (stop) {
    case DGM_STOP_PLAIN: return 1;
    case DGM_STOP_INSIDE: return 0;
    case DGM_STOP_NUMBER:
        return row->follow != FOLLOW_DIGIT && !(is_roman(&row->behind) && !starts_sentences(row));
    default: return starts_sentences(row) || row->follow == FOLLOW_OTHER;
    }
}

/* Of languages with lists. */
static int ends_sentence(const struct row *row)
{
    if (row->follow == FOLLOW_NOTHING)
        return 1;
    if (row->follow == FOLLOW_COMMA || is_label(row))
        return 0;
    if (row->asks > 0 || row->stops > 1)
        return row->follow != FOLLOW_SMALL || ends_before_small(row, DGM_STOP_PLAIN);
    return ends_at_stop(row);
}

/* Of Chinese and Japanese: an ellipsis alone does not end a sentence, nor a mark within a quotation
 * that small Kana go on behind. */
static int ends_wide(const struct row *row)
{
    size_t end;

    if (row->next >= row->size)
        return 1;
    if (row->asks == 0 && row->stops != 1)
        return 0;
    if (row->closes) {
        const uint32_t code = code_at(row, row->next, &end);

        return !(code >= 0x3041 && code <= 0x309F) && !is_comma(code);
    }
    return 1;
}

/* A mark of words with blanks between is within one where none follows; of Chinese, an ASCII mark
 * before ASCII may be of an address. */
static int has_room(const struct row *row)
{
    if (row->language == NULL && row->asks > 0 && row->end < row->size &&
        (unsigned char)row->text[row->end] >= 0x80)
        return 1;
    return row->is_wide || row->end >= row->size || row->next > row->end ||
           dgm_break_of((unsigned char)row->text[row->end]) == DGM_BREAK_SEP;
}

/* "went home.He slept": no blank where one was forgotten. Names of files and addresses have no
 * small word before the mark, or no word with a capital behind it. */
static int is_glued(const struct row *row)
{
    const struct word *before = &row->before, *behind = &row->behind;
    if (row->closes || row->follow != FOLLOW_CAPITAL || behind->start != row->next)
        return 0;
    if (!is_small_word(before) || before->letters < 2 || !is_blank_before(row, before->start))
        return 0;
    return behind->capitals == 1 && behind->digits == 0 && behind->letters != 1;
}

size_t dgm_stop_behind(const struct dgm_sentence_language *language, const char *text, size_t size,
                       size_t start, size_t at, size_t *resume)
{
    struct row row = { .language = language, .text = text, .size = size, .start = start, .at = at };
    size_t end;

    if (dgm_break_of(code_at(&row, at, &end)) == DGM_BREAK_SEP)
        return end;
    read_row(&row);
    read_gap(&row);
    *resume = row.end;
    if (language == NULL)
        return has_room(&row) && ends_wide(&row) ? row.next : 0;
    read_before(&row);
    read_behind(&row);
    if (!has_room(&row))
        return is_glued(&row) ? row.next : 0;
    return ends_sentence(&row) ? row.next : 0;
}
