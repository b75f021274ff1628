/* nfc.c: normal form NFC, a letter with its marks at a time. */
#include "text/unicode/nfc.h"

#include "text/unicode/compose.h"
#include "text/unicode/nfc_data.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* The first character that is composed; the first that may belong to the one before it, and the
 * least byte that begins such a one. */
enum { FIRST_COMPOSED = 0xC0, FIRST_MARK = 0x300, MARK_BYTE = 0xCC };
enum { HANGUL = 0xAC00, HANGUL_COUNT = 11172 };
/* No character becomes more than 4. */
enum { MOST = 4 * (1 + DGM_NFC_MARKS) };

/* The canonical combining class; DGM_NFC_MAY_COMPOSE: 0, but it may compose. */
static unsigned class_of(uint32_t code)
{
    if (code < FIRST_MARK || code > 0x10FFFF)
        return 0;
    return dgm_unicode_run(dgm_nfc_class_runs, dgm_nfc_class_run_count, 8, code);
}

static const uint32_t *find_rewritten(uint32_t code, size_t *count)
{
    return code < FIRST_MARK
               ? NULL
               : dgm_unicode_rewritten(dgm_nfc_words, dgm_nfc_word_count, code, count);
}

/* ---- a letter with its marks ----------------------------------------------------------------- */

struct cluster {
    uint32_t codes[MOST];
    unsigned classes[MOST];
    size_t count;
};

/* Puts a character behind those of its class: in canonical order. */
static void put(struct cluster *cluster, uint32_t code)
{
    const unsigned class = class_of(code) == DGM_NFC_MAY_COMPOSE ? 0 : class_of(code);
    size_t i = cluster->count++;

    for (; i > 0 && class != 0 && cluster->classes[i - 1] > class; i--) {
        cluster->codes[i] = cluster->codes[i - 1];
        cluster->classes[i] = cluster->classes[i - 1];
    }
    cluster->codes[i] = code;
    cluster->classes[i] = class;
}

static void put_decomposed(struct cluster *cluster, uint32_t code)
{
    const uint32_t *pair = dgm_unicode_decompose(code);
    size_t count;
    const uint32_t *codes = find_rewritten(code, &count);

    if (pair != NULL) {
        put_decomposed(cluster, pair[0]);
        put(cluster, pair[1]);
    } else if (codes != NULL) {
        for (size_t i = 0; i < count; i++)
            put(cluster, codes[i]);
    } else {
        put(cluster, code);
    }
}

/* Each mark with the last letter, unless one of its class, or of a higher one, is between. */
static void compose(struct cluster *cluster)
{
    size_t letter = 0, kept = 1;
    unsigned last = cluster->classes[0] != 0 ? DGM_NFC_MAY_COMPOSE : 0;

    for (size_t i = 1; i < cluster->count; i++) {
        const uint32_t code = cluster->codes[i];
        const unsigned class = cluster->classes[i];
        const uint32_t both =
            last < class || last == 0 ? dgm_unicode_compose(cluster->codes[letter], code) : 0;

        if (both != 0) {
            cluster->codes[letter] = both;
            continue;
        }
        if (class == 0)
            letter = kept;
        last = class;
        cluster->codes[kept++] = code;
    }
    cluster->count = kept;
}

/* Where the characters end that begin with the first; whether NFC leaves them as they are. */
static size_t end_of(const char *text, size_t bytes, int *is_plain)
{
    size_t count, end;
    uint32_t code;

    end = dgm_utf8_decode(&code, text, bytes);
    *is_plain = code == DGM_UTF8_BAD || find_rewritten(code, &count) == NULL;
    for (int marks = 0; marks < DGM_NFC_MARKS && end < bytes; marks++) {
        size_t used;

        if ((unsigned char)text[end] < MARK_BYTE)
            break;
        used = dgm_utf8_decode(&code, text + end, bytes - end);
        if (class_of(code) == 0)
            break;
        *is_plain = 0;
        end += used;
    }
    return end;
}

/* Of well-formed characters but for the first one, which may be no character. */
static dgm_status add_cluster(struct dgm_env *env, struct dgm_buf *out, const char *text,
                              size_t bytes)
{
    struct cluster cluster;
    uint32_t code;
    size_t at = 0;

    cluster.count = 0;
    if (dgm_utf8_decode(&code, text, bytes) < bytes && code == DGM_UTF8_BAD) {
        at = dgm_utf8_decode(&code, text, bytes);
        DGM_TRY(dgm_buf_add(env, out, text, at));
    }
    for (size_t used; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, text + at, bytes - at);
        put_decomposed(&cluster, code);
    }
    compose(&cluster);
    for (size_t i = 0; i < cluster.count; i++)
        DGM_TRY(dgm_utf8_add(env, out, cluster.codes[i]));
    return DGM_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int may_change(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)text[i] >= MARK_BYTE)
            return 1;
    return 0;
}

dgm_status dgm_unicode_nfc(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes)
{
    size_t done = 0, end;
    int is_plain;

    if (!may_change(text, bytes))
        return dgm_buf_add(env, out, text, bytes);
    for (size_t at = 0; at < bytes; at = end) {
        end = at + end_of(text + at, bytes - at, &is_plain);
        if (is_plain)
            continue;
        DGM_TRY(dgm_buf_add(env, out, text + done, at - done));
        DGM_TRY(add_cluster(env, out, text + at, end - at));
        done = end;
    }
    return dgm_buf_add(env, out, text + done, bytes - done);
}

static int is_composed(uint32_t code)
{
    return code >= FIRST_COMPOSED &&
           (code - HANGUL < HANGUL_COUNT ||
            (code != DGM_UTF8_BAD && dgm_unicode_decompose(code) != NULL));
}

unsigned dgm_unicode_forms(const char *text, size_t bytes)
{
    const unsigned both = DGM_FORM_COMPOSED | DGM_FORM_DECOMPOSED;
    uint32_t code, letter = 0;
    unsigned forms = 0;

    for (size_t at = 0; at < bytes && forms != both;) {
        at += dgm_utf8_decode(&code, text + at, bytes - at);
        if (is_composed(code))
            forms |= DGM_FORM_COMPOSED;
        if (class_of(code) != 0 && dgm_unicode_compose(letter, code) != 0)
            forms |= DGM_FORM_DECOMPOSED;
        if (class_of(code) == 0 || class_of(code) == DGM_NFC_MAY_COMPOSE)
            letter = code;
    }
    return forms;
}

int dgm_unicode_has_joined(const char *text, size_t bytes)
{
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        at += dgm_utf8_decode(&code, text + at, bytes - at);
        if (class_of(code) != 0 && dgm_unicode_is_second(code))
            return 1;
    }
    return 0;
}
