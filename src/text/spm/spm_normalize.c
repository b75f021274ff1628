/*
 * spm_normalize.c: replacement rules and blanks, step by step as the library takes them.
 */
#include "text/spm/spm_normalize.h"

#include <string.h>

#include "text/unicode/utf8.h"

/* What the beginning of a text becomes. */
struct part {
    const char *text;
    size_t bytes;
    size_t taken; /* of the text */
};

static struct part first_part(const struct dgm_spm_rules *rules, const struct dgm_trie *kept,
                              const char *text, size_t bytes)
{
    struct part part = { text, 0, 0 };
    uint32_t code;

    if (kept != NULL)
        part.taken = part.bytes = dgm_trie_longest(kept, text, bytes);
    if (part.taken == 0)
        part.taken = dgm_charsmap_find(&rules->charsmap, text, bytes, &part.text, &part.bytes);
    if (part.taken > 0)
        return part;
    part.taken = part.bytes = dgm_utf8_decode(&code, text, bytes);
    if (code == DGM_UTF8_BAD) {
        part.taken = 1;
        part.text = "\xEF\xBF\xBD"; /* U+FFFD */
        part.bytes = 3;
    }
    return part;
}

/* Bytes of the blanks at the beginning, by the rules. */
static size_t leading_blanks(const struct dgm_spm_rules *rules, const struct dgm_trie *kept,
                             const char *text, size_t bytes)
{
    size_t at = 0;

    while (at < bytes) {
        struct part part = first_part(rules, kept, text + at, bytes - at);

        if (part.bytes != 1 || part.text[0] != ' ')
            break;
        at += part.taken;
    }
    return at;
}

static dgm_status add_part(struct dgm_env *env, const char *blank, struct dgm_buf *out,
                           const struct part *part)
{
    const char *at = part->text, *end = part->text + part->bytes;

    while (at < end) {
        const char *stop = memchr(at, ' ', (size_t)(end - at));

        DGM_TRY(dgm_buf_add(env, out, at, (size_t)((stop != NULL ? stop : end) - at)));
        if (stop == NULL)
            break;
        DGM_TRY(dgm_buf_add_text(env, out, blank));
        at = stop + 1;
    }
    return DGM_OK;
}

static void drop_blanks(struct dgm_buf *out, size_t start, const char *blank)
{
    size_t size = strlen(blank);

    while (out->size - start >= size && memcmp(out->data + out->size - size, blank, size) == 0)
        out->size -= size;
    out->data[out->size] = '\0';
}

static dgm_status add_parts(struct dgm_env *env, const struct dgm_spm_rules *rules,
                            const struct dgm_trie *kept, const char *blank, struct dgm_buf *out,
                            const char *text, size_t bytes)
{
    int after_blank = rules->remove_extra;
    size_t at = 0;

    while (at < bytes) {
        struct part part = first_part(rules, kept, text + at, bytes - at);

        for (; after_blank && part.bytes > 0 && part.text[0] == ' '; part.bytes--)
            part.text++;
        if (part.bytes > 0) {
            DGM_TRY(add_part(env, blank, out, &part));
            after_blank = rules->remove_extra && part.text[part.bytes - 1] == ' ';
        }
        at += part.taken;
    }
    return DGM_OK;
}

dgm_status dgm_spm_normalize(struct dgm_env *env, const struct dgm_spm_rules *rules,
                             const struct dgm_trie *kept, struct dgm_buf *out, const char *text,
                             size_t bytes)
{
    const char *blank = rules->escape_whitespaces ? DGM_SPM_SPACE : " ";
    size_t skip, start = out->size;

    if (kept != NULL && kept->count == 0)
        kept = NULL;
    skip = rules->remove_extra ? leading_blanks(rules, kept, text, bytes) : 0;
    if (skip == bytes)
        return dgm_buf_add(env, out, "", 0);
    if (rules->dummy_prefix && !rules->suffix)
        DGM_TRY(dgm_buf_add_text(env, out, blank));
    DGM_TRY(add_parts(env, rules, kept, blank, out, text + skip, bytes - skip));
    if (rules->remove_extra && out->size > start)
        drop_blanks(out, start, blank);
    if (rules->dummy_prefix && rules->suffix)
        DGM_TRY(dgm_buf_add_text(env, out, blank));
    return dgm_buf_add(env, out, "", 0);
}
