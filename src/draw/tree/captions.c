/* captions.c: cleans the texts of a sentence, cuts them, and measures them in columns. */
#include "draw/tree/captions.h"

#include <string.h>

#include "base/mem.h"
#include "text/unicode/utf8.h"
#include "text/unicode/width.h"

/* What a terminal or an XML reader must not see: controls, U+2028 and U+2029, marks that turn
 * the direction of what follows, noncharacters. */
static uint32_t cleaned(uint32_t code)
{
    if (code == DGM_UTF8_BAD || code < 0x20 || (code >= 0x7F && code < 0xA0))
        return DGM_UTF8_REPLACEMENT;
    if ((code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069))
        return DGM_UTF8_REPLACEMENT;
    if ((code & 0xFFFE) == 0xFFFE)
        return DGM_UTF8_REPLACEMENT;
    return code;
}

/* Bytes of the longest start of the text that takes at most `most` columns. A mark that nothing
 * carries any more would stick to foreign text: more than eight in a row end the text, too. */
static size_t measure(const char *text, size_t bytes, int32_t most, int32_t *columns)
{
    size_t at = 0;
    int32_t marks = 0;
    *columns = 0;
    while (at < bytes) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, text + at, bytes - at);
        int width = dgm_width_of(cleaned(code));
        marks = width > 0 ? 0 : marks + 1;
        if (*columns + width > most || marks > 8)
            break;
        *columns += width;
        at += used;
    }
    return at;
}

dgm_status dgm_caption_add(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes,
                           int32_t most, const char *ellipsis, int32_t *columns)
{
    int32_t width;
    size_t at = 0, end = measure(text, bytes, most, &width);
    int is_cut = end < bytes;
    if (is_cut)
        end = measure(text, bytes, most - 1, &width);
    while (at < end) {
        uint32_t code;
        at += dgm_utf8_decode(&code, text + at, end - at);
        DGM_TRY(dgm_utf8_add(env, out, cleaned(code)));
    }
    if (columns != NULL)
        *columns = width + is_cut;
    return is_cut ? dgm_buf_add_text(env, out, ellipsis) : DGM_OK;
}

/* ---- of words ---------------------------------------------------------------------------- */

static dgm_status add_text(struct dgm_env *env, struct dgm_captions *captions, size_t place,
                           const char *text, int32_t most, const char *ellipsis)
{
    captions->start[place] = captions->bytes.size;
    DGM_TRY(dgm_caption_add(env, &captions->bytes, text, strlen(text), most, ellipsis,
                            &captions->columns[place]));
    return dgm_buf_add(env, &captions->bytes, "", 1);
}

static const char *tag_of(const struct dgm_conllu_sentence *sentence, int32_t word)
{
    const char *tag = dgm_conllu_field(sentence, word, DGM_CONLLU_UPOS);
    if (strcmp(tag, "_") == 0)
        tag = dgm_conllu_field(sentence, word, DGM_CONLLU_XPOS);
    return strcmp(tag, "_") == 0 ? "" : tag;
}

/* Without a parse on one side, nothing can be compared. */
static int is_different(const struct dgm_conllu_sentence *a, const struct dgm_conllu_sentence *b,
                        int32_t word)
{
    if (b == NULL || !a->tree.has_parse || !b->tree.has_parse || word >= b->tree.count)
        return 0;
    return a->tree.head[word] != b->tree.head[word] ||
           strcmp(dgm_conllu_field(a, word, DGM_CONLLU_DEPREL),
                  dgm_conllu_field(b, word, DGM_CONLLU_DEPREL)) != 0;
}

static dgm_status fill_word(struct dgm_env *env, struct dgm_captions *captions,
                            const struct dgm_conllu_sentence *sentence, int32_t word,
                            const struct dgm_caption_options *options)
{
    size_t place = (size_t)word * DGM_CAPTION_KINDS;
    const char *label = dgm_conllu_field(sentence, word, DGM_CONLLU_DEPREL);
    captions->differs[word] = (unsigned char)is_different(sentence, options->other, word);
    captions->differences += captions->differs[word];
    DGM_TRY(add_text(env, captions, place, dgm_conllu_field(sentence, word, DGM_CONLLU_FORM),
                     DGM_CAPTION_MOST_FORM, options->ellipsis));
    DGM_TRY(add_text(env, captions, place + 1, options->tags ? tag_of(sentence, word) : "",
                     DGM_CAPTION_MOST_TAG, options->ellipsis));
    if (!sentence->tree.has_parse || strcmp(label, "_") == 0)
        label = "";
    DGM_TRY(
        add_text(env, captions, place + 2, label, DGM_CAPTION_MOST_LABEL - 1, options->ellipsis));
    if (!captions->differs[word] || options->mark[0] == '\0')
        return DGM_OK;
    captions->bytes.size--; /* its NUL */
    captions->columns[place + 2]++;
    DGM_TRY(dgm_buf_add_text(env, &captions->bytes, options->mark));
    return dgm_buf_add(env, &captions->bytes, "", 1);
}

static dgm_status reserve(struct dgm_env *env, struct dgm_captions *captions, int32_t count)
{
    size_t texts;
    captions->count = count;
    captions->differences = 0;
    dgm_buf_reset(&captions->bytes);
    if (!dgm_size_mul(&texts, (size_t)captions->count, DGM_CAPTION_KINDS))
        return dgm_fail(env, DGM_MEMORY, "a sentence too long to draw");
    DGM_TRY(dgm_reserve(env, &captions->start, &captions->start_capacity, texts,
                        sizeof *captions->start));
    DGM_TRY(dgm_reserve(env, &captions->columns, &captions->column_capacity, texts,
                        sizeof *captions->columns));
    return dgm_reserve(env, &captions->differs, &captions->differ_capacity, (size_t)captions->count,
                       sizeof *captions->differs);
}

dgm_status dgm_captions_blank(struct dgm_env *env, struct dgm_captions *captions, int32_t count)
{
    size_t i, texts = (size_t)count * DGM_CAPTION_KINDS;
    DGM_TRY(reserve(env, captions, count));
    DGM_TRY(dgm_buf_add(env, &captions->bytes, "", 1));
    for (i = 0; i < texts; i++) {
        captions->start[i] = 0;
        captions->columns[i] = 0;
    }
    if (count > 0)
        memset(captions->differs, 0, (size_t)count);
    return DGM_OK;
}

dgm_status dgm_captions_fill(struct dgm_env *env, struct dgm_captions *captions,
                             const struct dgm_conllu_sentence *sentence,
                             const struct dgm_caption_options *options)
{
    int32_t word;
    DGM_TRY(reserve(env, captions, sentence->tree.count));
    for (word = 0; word < captions->count; word++)
        DGM_TRY(fill_word(env, captions, sentence, word, options));
    return DGM_OK;
}

void dgm_captions_clear(struct dgm_env *env, struct dgm_captions *captions)
{
    dgm_buf_clear(env, &captions->bytes);
    dgm_release(env, captions->start);
    dgm_release(env, captions->columns);
    dgm_release(env, captions->differs);
    memset(captions, 0, sizeof *captions);
}

const char *dgm_caption(const struct dgm_captions *captions, int32_t word, enum dgm_caption kind)
{
    return captions->bytes.data + captions->start[(size_t)word * DGM_CAPTION_KINDS + kind];
}

int32_t dgm_caption_columns(const struct dgm_captions *captions, int32_t word,
                            enum dgm_caption kind)
{
    return captions->columns[(size_t)word * DGM_CAPTION_KINDS + kind];
}

/* ---- of the sentence --------------------------------------------------------------------- */

static const char *text_comment(const struct dgm_conllu_sentence *sentence)
{
    static const char name[] = "# text = ";
    size_t i;
    for (i = 0; i < sentence->comment_count; i++) {
        const char *line = sentence->bytes.data + sentence->comments[i];
        if (strncmp(line, name, sizeof name - 1) == 0)
            return line + sizeof name - 1;
    }
    return NULL;
}

/* The forms, and never much more than `most` columns of them: what is behind is cut anyway. */
static dgm_status join_forms(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_conllu_sentence *sentence, int32_t most)
{
    int32_t word;
    for (word = 0; word < sentence->tree.count && out->size / 4 <= (size_t)most; word++) {
        if (word > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add_text(env, out, dgm_conllu_field(sentence, word, DGM_CONLLU_FORM)));
    }
    return DGM_OK;
}

dgm_status dgm_caption_sentence(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_conllu_sentence *sentence, int32_t most,
                                const char *ellipsis)
{
    const char *comment = text_comment(sentence);
    struct dgm_buf joined = { .data = NULL };
    dgm_status status;
    if (comment != NULL)
        return dgm_caption_add(env, out, comment, strlen(comment), most, ellipsis, NULL);
    status = join_forms(env, &joined, sentence, most);
    if (status == DGM_OK && joined.size > 0)
        status = dgm_caption_add(env, out, joined.data, joined.size, most, ellipsis, NULL);
    dgm_buf_clear(env, &joined);
    return status;
}
