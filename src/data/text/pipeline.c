/*
 * pipeline.c: a line of text to token ids and back.
 */
#include "data/text/pipeline.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "text/bpe/bpe_load.h"
#include "text/bpe/word_counts.h"
#include "text/span/slot.h"
#include "text/tokenize/detokenize.h"
#include "text/tokenize/normalize.h"
#include "text/tokenize/tokenize.h"
#include "text/unicode/nfc.h"
#include "text/unicode/utf8.h"

/* clang-format off */
const struct dgm_opt dgm_pipeline_options[] = {
    { .name = "source-lang", .letter = 's', .type = DGM_OPT_TEXT, .argument = "L", .fallback = "en",
      .help = "Language of the source", .section = "Words and pieces" },
    { .name = "target-lang", .type = DGM_OPT_TEXT, .argument = "L", .fallback = "de",
      .help = "Language of the target" },
    { .name = "tokenize", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "moses",
      .choices = "none|moses|spm",
      .help = "How raw text is cut into words; none: words are separated by blanks already; spm: "
              "it is not, the models of --spm cut it into pieces" },
    { .name = "lower-case", .type = DGM_OPT_FLAG, .fallback = "false", .aliases = "lc",
      .help = "Lower-case both sides" },
    { .name = "normalize-punctuation", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Write quotes, dashes and blanks in one way" },
    { .name = "normalize-steps", .type = DGM_OPT_TEXT, .argument = "STEPS", .fallback = "moses",
      .unsaid = 1, .needs = "normalize-punctuation",
      .help = "What is normalised: moses, as Moses' script does; as sacremoses, none or some of "
              "penn,commas,numbers,full-width,controls" },
    { .name = "unicode", .type = DGM_OPT_CHOICE, .argument = "FORM", .fallback = "auto",
      .choices = "auto|nfc|keep", .unsaid = 1,
      .help = "How letters with accents are read: composed, in Unicode's normal form NFC; as they "
              "are; auto: composed, unless the training text has decomposed ones alone" },
    { .name = "placeholders", .type = DGM_OPT_REAL, .argument = "SHARE", .fallback = "0",
      .low = 0, .high = 1, .unsaid = 1,
      .help = "Let placeholders stand for this share of the addresses, tags, numbers that both "
              "sides of a pair have alike: a model learns where they go",
      .excludes = "!multitask, whose brackets are never cut; "
                  "!guided-alignment, whose links are of words that stay" },
    { .name = "source-end", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "1", .low = 0,
      .high = 1, .unsaid = 1,
      .help = "Whether the encoder reads the end of the sentence, </s>, behind its words; models "
              "of OpenNMT-py have learned without" },
    { .name = "multitask", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Learn to write the parse of the source beside its translation",
      .section = "Trees and links" },
    DGM_OPT_END
};
/* clang-format on */

const char *const dgm_task_marks[DGM_TASKS] = { "<TR>", "<PA>" };

static dgm_status copy_language(struct dgm_env *env, char out[16], const char *language)
{
    if (strlen(language) >= 16)
        return dgm_fail(env, DGM_USAGE, "language \"%s\"; expected a code such as en", language);
    strcpy(out, language);
    return DGM_OK;
}

dgm_status dgm_pipeline_init(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             const struct dgm_settings *settings, int joint)
{
    const char *form = dgm_settings_text(settings, "unicode");

    memset(pipeline, 0, sizeof *pipeline);
    pipeline->moses = strcmp(dgm_settings_text(settings, "tokenize"), "moses") == 0;
    pipeline->has_spm = strcmp(dgm_settings_text(settings, "tokenize"), "spm") == 0;
    pipeline->lower = dgm_settings_flag(settings, "lower-case");
    pipeline->punctuation = dgm_settings_flag(settings, "normalize-punctuation");
    pipeline->form = strcmp(form, "nfc") == 0    ? DGM_TEXT_FORM_NFC
                     : strcmp(form, "keep") == 0 ? DGM_TEXT_FORM_KEPT
                                                 : DGM_TEXT_FORM_AUTO;
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        pipeline->composes[side] = pipeline->form == DGM_TEXT_FORM_NFC;
    DGM_TRY(dgm_normal_steps_read(env, "--normalize-steps",
                                  dgm_settings_text(settings, "normalize-steps"),
                                  &pipeline->steps));
    pipeline->joint = joint;
    pipeline->has_slots = dgm_settings_real(settings, "placeholders") > 0;
    pipeline->omits_end = dgm_settings_int(settings, "source-end") == 0;
    pipeline->multitask = dgm_settings_flag(settings, "multitask");
    DGM_TRY(copy_language(env, pipeline->language[DGM_SOURCE],
                          dgm_settings_text(settings, "source-lang")));
    return copy_language(env, pipeline->language[DGM_TARGET],
                         dgm_settings_text(settings, "target-lang"));
}

static void clear_scratch(struct dgm_env *env, struct dgm_pipeline *pipeline)
{
    dgm_buf_clear(env, &pipeline->clean);
    dgm_buf_clear(env, &pipeline->tokens);
    dgm_buf_clear(env, &pipeline->piece);
    dgm_spm_line_clear(env, &pipeline->line);
    dgm_spm_decoder_clear(env, &pipeline->decoder);
    memset(pipeline, 0, sizeof *pipeline);
}

/* A trie has about as many bytes as the pieces that it is made of, twice. */
static double bytes_of_spm(const struct dgm_spm_text *text)
{
    return 3.0 * (double)text->spm.file.size + dgm_map_bytes(&text->spm.pieces) +
           4.0 * sizeof(int32_t) * (double)text->count;
}

double dgm_pipeline_bytes(const struct dgm_pipeline *pipeline)
{
    double bytes = (double)pipeline->codes.size + dgm_bpe_bytes(&pipeline->bpe);

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        bytes += bytes_of_spm(&pipeline->spm[side]) + dgm_map_bytes(&pipeline->vocab[side].map);
    return bytes;
}

void dgm_pipeline_clear(struct dgm_env *env, struct dgm_pipeline *pipeline)
{
    dgm_buf_clear(env, &pipeline->codes);
    dgm_bpe_clear(env, &pipeline->bpe);
    dgm_spm_text_clear(env, &pipeline->spm[DGM_SOURCE]);
    dgm_spm_text_clear(env, &pipeline->spm[DGM_TARGET]);
    dgm_vocab_clear(env, &pipeline->vocab[DGM_SOURCE]);
    dgm_vocab_clear(env, &pipeline->vocab[DGM_TARGET]);
    dgm_map_clear(env, &pipeline->tags);
    dgm_features_clear(env, &pipeline->features);
    clear_scratch(env, pipeline);
}

void dgm_pipeline_beside(struct dgm_pipeline *pipeline, const struct dgm_pipeline *of)
{
    *pipeline = *of;
    dgm_bpe_beside(&pipeline->bpe, &of->bpe);
    pipeline->tag = pipeline->target_tag = 0;
    memset(&pipeline->clean, 0, sizeof pipeline->clean);
    memset(&pipeline->tokens, 0, sizeof pipeline->tokens);
    memset(&pipeline->piece, 0, sizeof pipeline->piece);
    memset(&pipeline->line, 0, sizeof pipeline->line);
    memset(&pipeline->decoder, 0, sizeof pipeline->decoder);
}

void dgm_pipeline_clear_beside(struct dgm_env *env, struct dgm_pipeline *pipeline)
{
    dgm_bpe_clear_beside(env, &pipeline->bpe);
    clear_scratch(env, pipeline);
}

dgm_status dgm_pipeline_set_codes(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  const char *text, size_t bytes, const char *name)
{
    DGM_TRY(dgm_buf_add(env, &pipeline->codes, text, bytes));
    DGM_TRY(dgm_bpe_parse(env, &pipeline->bpe, text, bytes, name, -1));
    pipeline->bpe.protect = 1;
    pipeline->has_bpe = 1;
    return DGM_OK;
}

dgm_status dgm_pipeline_set_spm(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                                const char *bytes, size_t size, const char *name)
{
    return dgm_spm_parse(env, &pipeline->spm[side].spm, bytes, size, name);
}

dgm_status dgm_pipeline_link_spm(struct dgm_env *env, struct dgm_pipeline *pipeline)
{
    static const char *const sides[] = { "source", "target" };

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        size_t missing;

        if (dgm_pipeline_spm(pipeline, side) != &pipeline->spm[side])
            continue;
        DGM_TRY(dgm_spm_text_link(env, &pipeline->spm[side], dgm_pipeline_vocab(pipeline, side),
                                  &missing));
        if (missing > 0)
            dgm_log(env, DGM_LOG_WARNING,
                    "%zu pieces are not in the vocabulary of the %s, and become <unk>", missing,
                    sides[side]);
    }
    return DGM_OK;
}

void dgm_pipeline_take(struct dgm_pipeline *pipeline, struct dgm_pipeline *from)
{
    pipeline->has_bpe = from->has_bpe;
    pipeline->codes = from->codes;
    pipeline->bpe = from->bpe;
    memcpy(pipeline->vocab, from->vocab, sizeof from->vocab);
    memcpy(pipeline->spm, from->spm, sizeof from->spm);
    memset(from->spm, 0, sizeof from->spm);
    pipeline->tags = from->tags;
    pipeline->features = from->features;
    from->has_bpe = 0;
    memset(&from->codes, 0, sizeof from->codes);
    memset(&from->bpe, 0, sizeof from->bpe);
    memset(from->vocab, 0, sizeof from->vocab);
    memset(&from->tags, 0, sizeof from->tags);
    memset(&from->features, 0, sizeof from->features);
}

const struct dgm_vocab *dgm_pipeline_vocab(const struct dgm_pipeline *pipeline, int side)
{
    return &pipeline->vocab[pipeline->joint ? DGM_SOURCE : side];
}

static int has_marks(const struct dgm_vocab *vocab)
{
    for (uint32_t i = 0; i < dgm_vocab_size(vocab); i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(vocab, i, &bytes);

        if (dgm_unicode_has_joined(token, bytes))
            return 1;
    }
    return 0;
}

/* Rules of a SentencePiece model compose themselves. */
static int is_composed_by_rules(const struct dgm_pipeline *pipeline, int side)
{
    return pipeline->has_spm && dgm_pipeline_spm(pipeline, side)->spm.rules.charsmap.unit_count > 0;
}

void dgm_pipeline_settle_form(struct dgm_pipeline *pipeline)
{
    for (int side = DGM_SOURCE; side <= DGM_TARGET && pipeline->form == DGM_TEXT_FORM_AUTO; side++)
        pipeline->composes[side] =
            !is_composed_by_rules(pipeline, side) && !has_marks(dgm_pipeline_vocab(pipeline, side));
}

size_t dgm_pipeline_bare(const struct dgm_pipeline *pipeline, const char *piece, size_t bytes)
{
    const char *separator = pipeline->has_bpe ? pipeline->bpe.separator : "";
    const size_t length = strlen(separator);

    return length > 0 && bytes >= length && memcmp(piece + bytes - length, separator, length) == 0
               ? bytes - length
               : bytes;
}

const struct dgm_spm_text *dgm_pipeline_spm(const struct dgm_pipeline *pipeline, int side)
{
    const int is_shared = pipeline->joint && pipeline->spm[DGM_TARGET].spm.file.size == 0;

    return &pipeline->spm[is_shared ? DGM_SOURCE : side];
}

/* Single blanks between words, none at the ends; tabs and other blanks part words too. */
static dgm_status add_words(struct dgm_env *env, struct dgm_buf *out, const char *line,
                            size_t bytes)
{
    size_t at = 0, length, start = out->size;
    const char *word;

    while (dgm_word_counts_next(line, bytes, &at, &word, &length)) {
        if (out->size > start)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add(env, out, word, length));
    }
    return DGM_OK;
}

dgm_status dgm_pipeline_clean(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                              const char *line, size_t bytes)
{
    const struct dgm_normalize_options normalize = { .compose = pipeline->composes[side],
                                                     .punctuation = pipeline->punctuation,
                                                     .steps = pipeline->steps,
                                                     .lower = pipeline->lower,
                                                     .language = pipeline->language[side] };
    struct dgm_buf *clean = &pipeline->clean, *tokens = &pipeline->tokens;

    dgm_buf_reset(clean);
    dgm_buf_reset(tokens);
    DGM_TRY(dgm_utf8_repair(env, tokens, line, bytes, NULL));
    for (size_t i = 0; i < tokens->size && !pipeline->has_spm; i++)
        if (tokens->data[i] == '\t')
            tokens->data[i] = ' ';
    if (normalize.compose || normalize.punctuation || normalize.lower)
        return dgm_normalize_line(env, clean, tokens->data, tokens->size, &normalize);
    return dgm_buf_add(env, clean, tokens->data, tokens->size);
}

dgm_status dgm_pipeline_words(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                              struct dgm_buf *out, const char *line, size_t bytes)
{
    const struct dgm_tokenize_options tokenize = { .language = pipeline->language[side],
                                                   .escape = pipeline->escapes };
    struct dgm_buf *clean = &pipeline->clean, *tokens = &pipeline->tokens;

    DGM_TRY(dgm_pipeline_clean(env, pipeline, side, line, bytes));
    if (!pipeline->moses)
        return add_words(env, out, clean->data, clean->size);
    dgm_buf_reset(tokens);
    DGM_TRY(dgm_tokenize_line(env, tokens, clean->data, clean->size, &tokenize));
    return add_words(env, out, tokens->data, tokens->size);
}

/* ---- ids ----------------------------------------------------------------------------------- */

dgm_status dgm_encoded_push(struct dgm_env *env, struct dgm_encoded *out, int32_t id, int32_t word)
{
    DGM_TRY(dgm_grow(env, &out->ids, &out->id_capacity, (size_t)out->n, sizeof *out->ids));
    DGM_TRY(dgm_grow(env, &out->words, &out->word_capacity, (size_t)out->n, sizeof *out->words));
    out->ids[out->n] = id;
    out->words[out->n++] = word;
    return DGM_OK;
}

dgm_status dgm_pipeline_spell(struct dgm_env *env, struct dgm_pipeline *pipeline, const char *piece,
                              size_t bytes, int is_last)
{
    dgm_buf_reset(&pipeline->piece);
    DGM_TRY(dgm_buf_add(env, &pipeline->piece, piece, bytes));
    return is_last ? DGM_OK : dgm_buf_add_text(env, &pipeline->piece, pipeline->bpe.separator);
}

static dgm_status push_word(struct dgm_env *env, struct dgm_pipeline *pipeline,
                            const struct dgm_vocab *vocab, struct dgm_encoded *out,
                            const char *word, size_t bytes)
{
    const struct dgm_buf *piece = &pipeline->piece;
    const uint32_t *ends;
    size_t count, start = 0;

    if ((pipeline->multitask &&
         dgm_bytes_which(word, bytes, dgm_task_marks, DGM_TASKS) < DGM_TASKS) ||
        (pipeline->tags.count > 0 && dgm_map_find(&pipeline->tags, word, bytes) != NULL))
        return dgm_encoded_push(env, out, DGM_VOCAB_UNK, out->n_words++);
    if (!pipeline->has_bpe)
        return dgm_encoded_push(env, out, (int32_t)dgm_vocab_find(vocab, word, bytes),
                                out->n_words++);
    DGM_TRY(dgm_bpe_apply_word(env, &pipeline->bpe, &ends, &count, word, bytes));
    for (size_t i = 0; i < count; i++) {
        DGM_TRY(dgm_pipeline_spell(env, pipeline, word + start, ends[i] - start, i + 1 == count));
        DGM_TRY(dgm_encoded_push(env, out, (int32_t)dgm_vocab_find(vocab, piece->data, piece->size),
                                 out->n_words));
        start = ends[i];
    }
    out->n_words++;
    return DGM_OK;
}

/* Adds a piece to the words of the line, where blanks part words. */
static dgm_status add_piece_word(struct dgm_env *env, struct dgm_buf *text, const char *piece,
                                 size_t bytes)
{
    if (text->size > 0)
        DGM_TRY(dgm_buf_add_char(env, text, ' '));
    for (size_t i = 0; i < bytes; i++)
        DGM_TRY(dgm_buf_add_char(env, text, (unsigned char)piece[i] <= ' ' ? '_' : piece[i]));
    return DGM_OK;
}

/* A blank source is nothing to translate and stays blank; a blank target is a translation. */
static dgm_status push_tag(struct dgm_env *env, const struct dgm_pipeline *pipeline, int side,
                           struct dgm_encoded *out, int has_words)
{
    if (side == DGM_SOURCE && pipeline->tag > 0 && has_words)
        return dgm_encoded_push(env, out, pipeline->tag, -1);
    if (side == DGM_TARGET && pipeline->target_tag > 0)
        return dgm_encoded_push(env, out, pipeline->target_tag, -1);
    return DGM_OK;
}

/* The pieces of a stretch of text, and those alone. */
static dgm_status push_pieces(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct dgm_spm_text *text, struct dgm_encoded *out,
                              const char *stretch, size_t bytes)
{
    struct dgm_spm_line *pieces = &pipeline->line;

    DGM_TRY(dgm_spm_encode(env, &text->spm, pieces, stretch, bytes));
    for (size_t i = 0; i < pieces->count; i++) {
        size_t size;
        const char *piece = dgm_spm_line_piece(&text->spm, pieces, i, &size);

        DGM_TRY(add_piece_word(env, &out->text, piece, size));
        DGM_TRY(dgm_encoded_push(env, out, text->entries[pieces->pieces[i].id], out->n_words++));
    }
    return DGM_OK;
}

/* A slot is no text of the SentencePiece model's: what is before it and behind it is. */
static dgm_status push_slot(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                            struct dgm_encoded *out, const char *slot)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, side);

    DGM_TRY(add_piece_word(env, &out->text, slot, DGM_SLOT_BYTES));
    return dgm_encoded_push(env, out, (int32_t)dgm_vocab_find(vocab, slot, DGM_SLOT_BYTES),
                            out->n_words++);
}

static size_t next_slot(const struct dgm_pipeline *pipeline, const struct dgm_buf *text, size_t at)
{
    return pipeline->has_slots ? dgm_slot_next(text->data, text->size, at) : text->size;
}

/* The end of a sentence; a blank line is nothing else in any case. */
static dgm_status push_end(struct dgm_env *env, const struct dgm_pipeline *pipeline, int side,
                           struct dgm_encoded *out)
{
    if (side == DGM_SOURCE && pipeline->omits_end && out->n > 0)
        return DGM_OK;
    return dgm_encoded_push(env, out, DGM_VOCAB_EOS, -1);
}

static dgm_status encode_spm(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                             struct dgm_encoded *out, const char *line, size_t bytes)
{
    const struct dgm_spm_text *text = dgm_pipeline_spm(pipeline, side);
    const struct dgm_buf *clean = &pipeline->clean;
    int32_t tag = 0;
    size_t at = 0, next;

    DGM_TRY(dgm_pipeline_clean(env, pipeline, side, line, bytes));
    DGM_TRY(push_tag(env, pipeline, side, out, 1));
    tag = out->n;
    while ((next = next_slot(pipeline, clean, at)) < clean->size) {
        DGM_TRY(push_pieces(env, pipeline, text, out, clean->data + at, next - at));
        DGM_TRY(push_slot(env, pipeline, side, out, clean->data + next));
        at = next + DGM_SLOT_BYTES;
    }
    DGM_TRY(push_pieces(env, pipeline, text, out, clean->data + at, clean->size - at));
    if (side == DGM_SOURCE && out->n == tag)
        out->n = 0;
    return push_end(env, pipeline, side, out);
}

dgm_status dgm_pipeline_encode(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                               struct dgm_encoded *out, const char *line, size_t bytes)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, side);
    const char *mark = dgm_task_marks[DGM_TRANSLATING], *word;
    size_t at = 0, length;
    int is_marked;

    out->n = out->n_words = 0;
    dgm_buf_reset(&out->text);
    if (pipeline->has_spm)
        return encode_spm(env, pipeline, side, out, line, bytes);
    DGM_TRY(dgm_pipeline_words(env, pipeline, side, &out->text, line, bytes));
    is_marked = pipeline->multitask && side == DGM_SOURCE && out->text.size > 0;
    if (is_marked)
        DGM_TRY(dgm_encoded_push(env, out, (int32_t)dgm_vocab_find(vocab, mark, strlen(mark)), -1));
    DGM_TRY(push_tag(env, pipeline, side, out, out->text.size > 0));
    while (dgm_word_counts_next(out->text.data, out->text.size, &at, &word, &length))
        DGM_TRY(push_word(env, pipeline, vocab, out, word, length));
    if (is_marked)
        DGM_TRY(dgm_encoded_push(env, out, out->ids[0], -1));
    return push_end(env, pipeline, side, out);
}

dgm_status dgm_pipeline_encode_parse(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                     struct dgm_encoded *out, const char *line, size_t bytes)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_TARGET);
    size_t at = 0, length;
    const char *word;

    out->n = out->n_words = 0;
    dgm_buf_reset(&out->text);
    DGM_TRY(dgm_buf_add(env, &out->text, line, bytes));
    while (dgm_word_counts_next(line, bytes, &at, &word, &length)) {
        uint32_t id = dgm_vocab_find(vocab, word, length);
        if (id == DGM_VOCAB_UNK)
            return dgm_fail(env, DGM_DATA,
                            "the vocabulary has no entry \"%.*s\"; expected all "
                            "brackets of the trees",
                            (int)length, word);
        DGM_TRY(dgm_encoded_push(env, out, (int32_t)id, out->n_words++));
    }
    return dgm_encoded_push(env, out, DGM_VOCAB_EOS, -1);
}

dgm_status dgm_pipeline_encode_words(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                                     struct dgm_encoded *out, const char *const *words,
                                     int32_t count)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, side);
    const struct dgm_normalize_options normalize = { .compose = pipeline->composes[side],
                                                     .lower = pipeline->lower,
                                                     .language = pipeline->language[side] };

    out->n = out->n_words = 0;
    for (int32_t w = 0; w < count; w++) {
        dgm_buf_reset(&out->text);
        if (normalize.compose || normalize.lower)
            DGM_TRY(dgm_normalize_line(env, &out->text, words[w], strlen(words[w]), &normalize));
        else
            DGM_TRY(dgm_buf_add_text(env, &out->text, words[w]));
        DGM_TRY(push_word(env, pipeline, vocab, out, out->text.data, out->text.size));
    }
    return push_end(env, pipeline, side, out);
}

int32_t dgm_encoded_tokens(const struct dgm_encoded *encoded)
{
    return encoded->n - (encoded->n > 0 && encoded->ids[encoded->n - 1] == DGM_VOCAB_EOS);
}

int dgm_encoded_is_blank(const struct dgm_encoded *encoded)
{
    return dgm_encoded_tokens(encoded) == 0;
}

void dgm_encoded_cut(struct dgm_encoded *encoded, int32_t most)
{
    int32_t tail = 0, n = encoded->n;

    if (n <= most)
        return;
    while (tail < most && tail < n && encoded->words[n - 1 - tail] < 0)
        tail++;
    memmove(encoded->ids + most - tail, encoded->ids + n - tail,
            (size_t)tail * sizeof *encoded->ids);
    memmove(encoded->words + most - tail, encoded->words + n - tail,
            (size_t)tail * sizeof *encoded->words);
    encoded->n = most;
}

dgm_status dgm_pipeline_check_marks(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                    const char *name)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_SOURCE);

    for (int task = 0; pipeline->multitask && task < DGM_TASKS; task++) {
        const char *mark = dgm_task_marks[task];
        if (dgm_vocab_find(vocab, mark, strlen(mark)) == DGM_VOCAB_UNK)
            return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                               "the vocabulary of the source has no "
                               "entry %s; expected the tags of multitask",
                               mark);
    }
    return DGM_OK;
}

dgm_status dgm_pipeline_check_slots(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                    const char *name)
{
    for (int slot = 0; pipeline->has_slots && slot < 2 * DGM_SLOTS; slot++) {
        const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, slot % 2);

        if (dgm_vocab_find(vocab, dgm_slot_text(slot / 2), DGM_SLOT_BYTES) == DGM_VOCAB_UNK)
            return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                               "the vocabulary has no entry U+FDD%d; expected all placeholders, "
                               "U+FDD0 to U+FDD%d",
                               slot / 2, DGM_SLOTS - 1);
    }
    return DGM_OK;
}

void dgm_encoded_clear(struct dgm_env *env, struct dgm_encoded *encoded)
{
    dgm_release(env, encoded->ids);
    dgm_release(env, encoded->words);
    dgm_buf_clear(env, &encoded->text);
    memset(encoded, 0, sizeof *encoded);
}

/* ---- back to text ---------------------------------------------------------------------------- */

static dgm_status decode_spm(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             struct dgm_buf *out, const struct dgm_target_ids *target)
{
    const struct dgm_spm_text *text = dgm_pipeline_spm(pipeline, DGM_TARGET);
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_TARGET);
    const struct dgm_copies *copies = target->copies;
    struct dgm_spm_decoder *decoder = &pipeline->decoder;
    size_t next = 0;

    dgm_spm_decoder_begin(decoder);
    for (int32_t i = target->from; i < target->n && target->ids[i] != DGM_VOCAB_EOS; i++) {
        const struct dgm_copy *copy = dgm_copies_at(copies, i, &next);

        if (copy == NULL) {
            DGM_TRY(
                dgm_spm_text_decode(env, text, vocab, &pipeline->tags, decoder, target->ids[i]));
            continue;
        }
        DGM_TRY(dgm_spm_decoder_add_text(env, &text->spm, decoder, copies->text.data + copy->at,
                                         copy->bytes, copy->is_glued));
        i = copy->end - 1;
    }
    return dgm_spm_text_decode_end(env, text, decoder, out);
}

/* Words with single blanks between, into pipeline->tokens. */
static dgm_status join_pieces(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct dgm_target_ids *target)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_TARGET);
    struct dgm_buf *words = &pipeline->tokens;
    int goes_on = 1; /* no blank comes next */
    size_t next = 0;

    dgm_buf_reset(words);
    for (int32_t i = target->from; i < target->n && target->ids[i] != DGM_VOCAB_EOS; i++) {
        const struct dgm_copy *copy = dgm_copies_at(target->copies, i, &next);
        size_t bytes, bare;
        const char *piece = dgm_vocab_token(vocab, (uint32_t)target->ids[i], &bytes);

        bare = dgm_pipeline_bare(pipeline, piece, bytes);
        if (copy != NULL) {
            piece = target->copies->text.data + copy->at;
            bare = bytes = copy->bytes;
            i = copy->end - 1;
        }
        if (!goes_on)
            DGM_TRY(dgm_buf_add_char(env, words, ' '));
        DGM_TRY(dgm_buf_add(env, words, piece, bare));
        goes_on = bare < bytes;
    }
    return DGM_OK;
}

dgm_status dgm_pipeline_decode(struct dgm_env *env, struct dgm_pipeline *pipeline,
                               struct dgm_buf *out, const struct dgm_target_ids *target,
                               int detokenize)
{
    const struct dgm_buf *words = &pipeline->tokens;

    if (pipeline->has_spm)
        return decode_spm(env, pipeline, out, target);
    DGM_TRY(join_pieces(env, pipeline, target));
    if (detokenize && pipeline->moses)
        return dgm_detokenize_line(env, out, words->data, words->size,
                                   pipeline->language[DGM_TARGET]);
    return dgm_buf_add(env, out, words->data, words->size);
}
