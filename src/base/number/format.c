/* format.c: a printf for text and whole numbers, the same in every locale. */
#include "base/number/format.h"

#include <assert.h>
#include <string.h>

/* The arguments stand here because several functions take the next one: a va_list that was handed
 * to a function has no known state behind the call (C99, 7.15), a pointer to this struct has. */
struct sink {
    char *out;
    size_t size;
    size_t length; /* of the whole text, written or not */
    va_list args;
};

/* One conversion between its '%' and its letter. */
struct spec {
    int left, zeros;
    size_t width, precision;
    int has_precision;
    int size; /* 0 int, 1 long, 2 long long, 3 size_t */
};

/* Like snprintf it also counts the characters that do not fit. */
static void put(struct sink *sink, char c)
{
    if (sink->length + 1 < sink->size)
        sink->out[sink->length] = c;
    sink->length++;
}

static void put_field(struct sink *sink, const struct spec *spec, const char *text, size_t count)
{
    size_t fill = spec->width > count ? spec->width - count : 0;
    if (!spec->left && spec->zeros && count > 0 && *text == '-') {
        put(sink, '-');
        text++;
        count--;
    }
    for (size_t i = 0; !spec->left && i < fill; i++)
        put(sink, spec->zeros ? '0' : ' ');
    for (size_t i = 0; i < count; i++)
        put(sink, text[i]);
    for (size_t i = 0; spec->left && i < fill; i++)
        put(sink, ' ');
}

static void put_number(struct sink *sink, const struct spec *spec, unsigned long long value,
                       int negative, unsigned base)
{
    char digits[24]; /* 2^64 - 1 has 20, and a sign */
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0);
    if (negative)
        digits[--at] = '-';
    put_field(sink, spec, digits + at, sizeof digits - at);
}

static long long next_signed(struct sink *sink, int size)
{
    switch (size) {
    case 0: return va_arg(sink->args, int);
    case 1: return va_arg(sink->args, long);
    case 2: return va_arg(sink->args, long long);
    default: return (long long)va_arg(sink->args, size_t);
    }
}

static unsigned long long next_unsigned(struct sink *sink, int size)
{
    switch (size) {
    case 0: return va_arg(sink->args, unsigned);
    case 1: return va_arg(sink->args, unsigned long);
    case 2: return va_arg(sink->args, unsigned long long);
    default: return va_arg(sink->args, size_t);
    }
}

static void put_text(struct sink *sink, const struct spec *spec)
{
    const char *text = va_arg(sink->args, const char *);
    size_t count = 0;
    if (text == NULL)
        text = "(null)";
    while ((!spec->has_precision || count < spec->precision) && text[count] != '\0')
        count++;
    put_field(sink, spec, text, count);
}

/* A number of the format itself, or the next argument for '*'; moves *at behind it. */
static size_t read_count(struct sink *sink, const char **at)
{
    size_t count = 0;
    if (**at == '*') {
        int given = va_arg(sink->args, int);
        ++*at;
        return given > 0 ? (size_t)given : 0;
    }
    while (**at >= '0' && **at <= '9')
        count = count * 10 + (size_t)(*(*at)++ - '0');
    return count;
}

static struct spec read_spec(struct sink *sink, const char **at)
{
    struct spec spec = { 0, 0, 0, 0, 0, 0 };
    for (; **at == '-' || **at == '0'; ++*at) {
        spec.left |= **at == '-';
        spec.zeros |= **at == '0';
    }
    spec.width = read_count(sink, at);
    if (**at == '.') {
        ++*at;
        spec.has_precision = 1;
        spec.precision = read_count(sink, at);
    }
    for (; **at == 'l'; ++*at)
        spec.size++;
    if (**at == 'z') {
        spec.size = 3;
        ++*at;
    }
    return spec;
}

static void put_conversion(struct sink *sink, const struct spec *spec, char letter)
{
    long long value;
    char c;
    switch (letter) {
    case 's': put_text(sink, spec); break;
    case 'd':
    case 'i':
        value = next_signed(sink, spec->size);
        put_number(sink, spec,
                   /* the smallest number has no positive counterpart: negated without sign */
                   value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value,
                   value < 0, 10);
        break;
    case 'u': put_number(sink, spec, next_unsigned(sink, spec->size), 0, 10); break;
    case 'x': put_number(sink, spec, next_unsigned(sink, spec->size), 0, 16); break;
    case 'c':
        c = (char)va_arg(sink->args, int);
        put_field(sink, spec, &c, 1);
        break;
    default:
        assert(letter == '%');
        put(sink, '%');
        break;
    }
}

size_t dgm_format(char *out, size_t size, const char *format, va_list args)
{
    struct sink sink = { .out = out, .size = size };
    const char *at = format;
    va_copy(sink.args, args);
    while (*at != '\0') {
        struct spec spec;
        if (*at != '%') {
            put(&sink, *at++);
            continue;
        }
        at++;
        spec = read_spec(&sink, &at);
        put_conversion(&sink, &spec, *at);
        if (*at != '\0')
            at++;
    }
    va_end(sink.args);
    if (size > 0)
        out[sink.length < size ? sink.length : size - 1] = '\0';
    return sink.length;
}

/* Unicode 15, table 3-7: the bounds of the second byte exclude overlong forms, surrogates
 * and what lies beyond U+10FFFF. */
size_t dgm_format_character(const char *bytes, size_t count)
{
    const unsigned char *b = (const unsigned char *)bytes;
    unsigned char low = 0x80, high = 0xBF;
    size_t length, i;
    if (count == 0)
        return 0;
    if (b[0] < 0x80)
        return 1;
    if (b[0] < 0xC2 || b[0] > 0xF4)
        return 0;
    length = b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : 4;
    if (count < length)
        return 0;
    if (b[0] == 0xE0)
        low = 0xA0;
    else if (b[0] == 0xF0)
        low = 0x90;
    else if (b[0] == 0xED)
        high = 0x9F;
    else if (b[0] == 0xF4)
        high = 0x8F;
    if (b[1] < low || b[1] > high)
        return 0;
    for (i = 2; i < length; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

size_t dgm_format_cut(const char *text, size_t length)
{
    size_t back, expected;
    for (back = 1; back <= 4 && back <= length; back++) {
        unsigned char c = (unsigned char)text[length - back];
        if ((c & 0xC0) == 0x80)
            continue;
        expected = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
        return expected > back ? length - back : length;
    }
    return length;
}
