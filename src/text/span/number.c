/*
 * number.c: a number and what belongs to it: its sign, currency, unit; a range, a date, a time of
 * day, a version, a size, an address of the internet, a telephone number. Digits are those of
 * ASCII. "20th", "B2B", "10-year-old" and "5G" are words.
 */
#include <string.h>

#include "base/bytes.h"
#include "text/span/span.h"

/* With a blank between, or none. */
static const char *const units[] = {
    "%",   "‰",   "°C",     "°F",     "°",      "€",  "$",   "£",    "¥",   "EUR", "USD",
    "GBP", "CHF", "JPY",    "CNY",    "kg",     "g",  "mg",  "µg",   "t",   "lb",  "lbs",
    "oz",  "km",  "m",      "dm",     "cm",     "mm", "µm",  "nm",   "ft",  "yd",  "mi",
    "km²", "m²",  "cm²",    "m³",     "cm³",    "ha", "l",   "L",    "dl",  "cl",  "ml",
    "mL",  "h",   "min",    "s",      "ms",     "µs", "ns",  "km/h", "m/s", "mph", "kHz",
    "MHz", "GHz", "Hz",     "kV",     "V",      "mV", "mA",  "W",    "kW",  "MW",  "GW",
    "Wh",  "kWh", "MWh",    "J",      "kJ",     "MJ", "cal", "kcal", "N",   "kN",  "Pa",
    "hPa", "kPa", "bar",    "dB",     "kB",     "KB", "MB",  "GB",   "TB",  "KiB", "MiB",
    "GiB", "TiB", "kbit/s", "Mbit/s", "Gbit/s", "px", "pt",  "dpi",  "fps", "rpm", "ppm",
};
/* Without a blank alone: there they are words. */
static const char *const glued[] = { "in", "am", "pm", "A", "K", "B", "M", "k", "x" };

static const char *const blanks[] = { " ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89" };
static const char *const currencies[] = { "$", "€", "£", "¥" };
static const char *const signs[] = { "+", "-", "−", "±" };
/* Within numbers, before a digit. */
static const char *const joints[] = { ".", ",", ":", "/", "-", "'", "’", "–", "x", "×" };

enum { MOST_PARTS = 32, MOST_ADDRESS = 45 };

/* A text that is looked at up to `most`. */
struct look {
    const char *text;
    size_t most;
};

#define HEX "0123456789abcdefABCDEF"
#define COUNT(words) (sizeof(words) / sizeof *(words))

/* Bytes of the longest of some words at `at`; 0: of none. */
static size_t one_of(const struct look *look, size_t at, const char *const *words, size_t count)
{
    size_t longest = 0;

    for (size_t i = 0; i < count && at < look->most; i++) {
        const size_t bytes = dgm_bytes_begin(look->text + at, look->most - at, words[i]);

        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

static size_t digits(const struct look *look, size_t at)
{
    size_t end = at;

    while (end < look->most && dgm_span_is_digit(look->text[end]))
        end++;
    return end - at;
}

/* Letters, digits and _ of ASCII: scripts without blanks have none around a number. */
static int is_plain(const struct look *look, size_t at)
{
    return at < look->most && dgm_span_is_word(look->text[at]) &&
           (unsigned char)look->text[at] < 0x80;
}

/* Whether a word goes on before `at`, itself or beyond a mark. */
static int is_inside(const struct look *look, size_t at)
{
    return at > 0 &&
           (is_plain(look, at - 1) ||
            (at > 1 && dgm_span_has(".,:/-'@", look->text[at - 1]) && is_plain(look, at - 2)));
}

/* Whether a word goes on behind a number that ends at `at`. */
static int goes_on(const struct look *look, size_t at)
{
    return is_plain(look, at) || (at + 1 < look->most && dgm_span_has(".:/-'@", look->text[at]) &&
                                  is_plain(look, at + 1));
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* A blank and three digits, of a number in groups. */
static size_t group(const struct look *look, size_t at)
{
    const size_t blank = one_of(look, at, blanks, COUNT(blanks));

    return blank > 0 && digits(look, at + blank) == 3 ? blank + 3 : 0;
}

/* What follows digits with digits of its own: "e-5", "T14", ".5". */
static size_t more(const struct look *look, size_t at)
{
    const char c = at < look->most ? look->text[at] : '\0';
    size_t mark = one_of(look, at, joints, COUNT(joints));

    if (mark == 0 && dgm_span_has("eET", c))
        mark = 1 + (c != 'T' && at + 1 < look->most && dgm_span_has("+-", look->text[at + 1]));
    return mark > 0 && digits(look, at + mark) > 0 ? mark + digits(look, at + mark) : 0;
}

/* The end of digits in groups or with marks between; of the first MOST_PARTS of them. */
static size_t body(const struct look *look, size_t at)
{
    const size_t first = digits(look, at);
    size_t end = at + first, next;
    int parts = 0;

    for (; first <= 3 && parts < MOST_PARTS && (next = group(look, end)) > 0; parts++)
        end += next;
    for (; parts < MOST_PARTS && (next = more(look, end)) > 0; parts++)
        end += next;
    return end;
}

/* The end of a unit behind a number that ends at `at`; `at`: there is none. */
static size_t unit(const struct look *look, size_t at)
{
    const size_t blank = one_of(look, at, blanks, COUNT(blanks));
    size_t bytes = one_of(look, at + blank, units, COUNT(units));

    if (bytes == 0 && blank == 0)
        bytes = one_of(look, at, glued, COUNT(glued));
    if (bytes == 0 || (dgm_span_is_letter(look->text[at + blank + bytes - 1]) &&
                       goes_on(look, at + blank + bytes)))
        return at;
    return at + blank + bytes;
}

/* The end of a telephone number, "+49 (0)30 123456"; 0: it has too few digits. */
static size_t telephone(const struct look *look, size_t at)
{
    size_t end = at + 1, count = digits(look, end), parts = 1;

    end += count;
    for (size_t next; end < look->most && parts < 8; parts++) {
        next = end;
        while (next < look->most && next < end + 2 && dgm_span_has(" -/.()", look->text[next]))
            next++;
        if (next == end || digits(look, next) == 0)
            break;
        count += digits(look, next);
        end = next + digits(look, next);
    }
    return parts > 1 && count >= 7 && count <= 16 ? end : 0;
}

/* The end of an address of version 6 (RFC 4291, section 2.2): two colons side by side, or seven,
 * and a digit somewhere. */
static size_t address(const struct look *look, size_t at)
{
    size_t end = at, colons = 0, doubles = 0, numbers = 0;

    for (; end < look->most && end < at + MOST_ADDRESS && dgm_span_has(HEX ":", look->text[end]);
         end++) {
        numbers += (size_t)dgm_span_is_digit(look->text[end]);
        colons += look->text[end] == ':';
        doubles += end > at && look->text[end] == ':' && look->text[end - 1] == ':';
    }
    if (end > at && look->text[end - 1] == ':' && !(end > at + 1 && look->text[end - 2] == ':'))
        return 0;
    if (numbers == 0 || end - at < 3 || goes_on(look, end))
        return 0;
    return colons == 7 || (doubles == 1 && colons > 1) ? end : 0;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Where the digits begin behind a sign and a currency, or the letter of a version. */
static size_t beginning(const struct look *look, size_t at)
{
    size_t start = at;

    if (dgm_span_has("vV", look->text[at]))
        return at + 1;
    start += one_of(look, start, signs, COUNT(signs));
    return start + one_of(look, start, currencies, COUNT(currencies));
}

/* The end of what "5'10" or "14:30" may have behind it. */
static size_t ending(const struct look *look, size_t start, size_t end)
{
    if (end < look->most && look->text[end] == '"' &&
        memchr(look->text + start, '\'', end - start) != NULL)
        return end + 1;
    if (end < look->most && look->text[end] == 'Z' &&
        memchr(look->text + start, 'T', end - start) != NULL)
        return end + 1;
    return unit(look, end);
}

size_t dgm_span_number(const char *text, size_t bytes, size_t at)
{
    const struct look look = { text, bytes - at < DGM_SPAN_MOST ? bytes : at + DGM_SPAN_MOST };
    size_t start, end = 0;

    if (is_inside(&look, at))
        return 0;
    if (dgm_span_has(HEX ":", text[at]))
        end = address(&look, at);
    if (end == 0 && text[at] == '+' && digits(&look, at + 1) > 0)
        end = telephone(&look, at);
    if (end > 0)
        return goes_on(&look, end) ? 0 : end - at;
    start = beginning(&look, at);
    if (digits(&look, start) == 0)
        return 0;
    end = body(&look, start);
    end = ending(&look, start, end);
    return goes_on(&look, end) ? 0 : end - at;
}
