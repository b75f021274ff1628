/*
 * lexicon.c: the vocabularies of a parser, learned from a treebank.
 */
#include "data/tree/lexicon.h"

#include <string.h>

#include "text/bpe/bpe_learn.h"
#include "text/bpe/bpe_load.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Counts of everything that becomes a vocabulary. */
struct counts {
    struct dgm_map forms, words, pieces, tags, labels, morphs[DGM_MORPHS];
    struct dgm_map lemmas; /* form, tag and script, each followed by NUL but the last */
};

static dgm_status lower(struct dgm_env *env, struct dgm_lexicon *lexicon, const char *form,
                        size_t bytes)
{
    lexicon->lowered.size = 0;
    return dgm_unicode_lower_text(env, &lexicon->lowered, form, bytes);
}

static const char *title_of(enum dgm_conllu_column column)
{
    for (int m = 0; m < DGM_MORPHS; m++)
        if (dgm_morph_columns[m] == column)
            return dgm_morph_titles[m];
    return column == DGM_CONLLU_UPOS ? "UPOS" : "DEPREL";
}

/* A tag or a label is a word of a line where it is written for each piece. */
static dgm_status check_name(struct dgm_env *env, const struct dgm_conllu_sentence *sentence,
                             int32_t w, enum dgm_conllu_column column, const char *path)
{
    const char *name = dgm_conllu_field(sentence, w, column);
    char quoted[DGM_QUOTE_SIZE];

    for (const char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f) {
            dgm_quote(quoted, sizeof quoted, name, strlen(name));
            return dgm_fail_at(env, DGM_DATA, path, sentence->rows[sentence->words[w]].line, 0,
                               "%s \"%s\"; expected a name without blanks", title_of(column),
                               quoted);
        }
    return DGM_OK;
}

const char *dgm_lexicon_relation(const struct dgm_conllu_sentence *sentence, int32_t w)
{
    const char *relation = dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL);
    const int was_root = strcmp(dgm_conllu_field(sentence, w, DGM_CONLLU_HEAD), "0") == 0;
    const int hangs = sentence->tree.has_parse && sentence->tree.head[w] != w;

    return was_root && hangs && strcmp(relation, "root") == 0 ? "dep" : relation;
}

static dgm_status count_name(struct dgm_env *env, struct dgm_map *map,
                             const struct dgm_conllu_sentence *sentence, int32_t w,
                             enum dgm_conllu_column column, const char *path)
{
    const char *name = column == DGM_CONLLU_DEPREL ? dgm_lexicon_relation(sentence, w)
                                                   : dgm_conllu_field(sentence, w, column);

    if (strcmp(name, "_") == 0)
        return DGM_OK;
    DGM_TRY(check_name(env, sentence, w, column, path));
    return dgm_map_count(env, map, name, strlen(name), 1);
}

/* What the words of a treebank are counted with. */
struct counting {
    struct dgm_lexicon *lexicon;
    struct counts *counts;
    unsigned morphs;
    const char *path; /* for messages */
};

/* Of a word that has a lemma: which script it takes with its tag. */
static dgm_status count_lemma(struct dgm_env *env, const struct counting *counting,
                              const char *form, const char *tag, const char *script)
{
    struct dgm_buf *key = &counting->lexicon->lowered;

    if (strcmp(tag, "_") == 0)
        return DGM_OK;
    key->size = 0;
    DGM_TRY(dgm_buf_add(env, key, form, strlen(form) + 1));
    DGM_TRY(dgm_buf_add(env, key, tag, strlen(tag) + 1));
    DGM_TRY(dgm_buf_add(env, key, script, strlen(script)));
    return dgm_map_count(env, &counting->counts->lemmas, key->data, key->size, 1);
}

static dgm_status count_morph(struct dgm_env *env, const struct counting *counting,
                              const struct dgm_conllu_sentence *sentence, int32_t w,
                              enum dgm_morph morph)
{
    const enum dgm_conllu_column column = dgm_morph_columns[morph];
    const char *name;

    if (morph != DGM_MORPH_LEMMA) /* a lemma may have blanks */
        DGM_TRY(check_name(env, sentence, w, column, counting->path));
    DGM_TRY(dgm_morph_class_of(env, &counting->lexicon->script, morph,
                               dgm_conllu_field(sentence, w, DGM_CONLLU_FORM),
                               dgm_conllu_field(sentence, w, column), &name));
    if (name == NULL)
        return DGM_OK;
    if (morph == DGM_MORPH_LEMMA)
        DGM_TRY(count_lemma(env, counting, dgm_conllu_field(sentence, w, DGM_CONLLU_FORM),
                            dgm_conllu_field(sentence, w, DGM_CONLLU_UPOS), name));
    return dgm_map_count(env, &counting->counts->morphs[morph], name, strlen(name), 1);
}

static dgm_status count_word(struct dgm_env *env, const struct counting *counting,
                             const struct dgm_conllu_sentence *sentence, int32_t w)
{
    struct dgm_lexicon *lexicon = counting->lexicon;
    struct counts *counts = counting->counts;
    const char *form = dgm_conllu_field(sentence, w, DGM_CONLLU_FORM);

    if (strchr(form, ' ') == NULL) /* a blank inside a word would be one inside a BPE rule */
        DGM_TRY(dgm_map_count(env, &counts->forms, form, strlen(form), 1));
    DGM_TRY(lower(env, lexicon, form, strlen(form)));
    DGM_TRY(dgm_map_count(env, &counts->words, lexicon->lowered.data, lexicon->lowered.size, 1));
    DGM_TRY(count_name(env, &counts->tags, sentence, w, DGM_CONLLU_UPOS, counting->path));
    for (int m = 0; m < DGM_MORPHS; m++)
        if (counting->morphs & 1u << m)
            DGM_TRY(count_morph(env, counting, sentence, w, (enum dgm_morph)m));
    return count_name(env, &counts->labels, sentence, w, DGM_CONLLU_DEPREL, counting->path);
}

static dgm_status count_sentence(struct dgm_env *env, void *user,
                                 const struct dgm_conllu_sentence *sentence)
{
    for (int32_t w = 0; w < sentence->tree.count; w++)
        DGM_TRY(count_word(env, user, sentence, w));
    return DGM_OK;
}

static dgm_status count_treebank(struct dgm_env *env, struct dgm_lexicon *lexicon,
                                 struct counts *counts, const char *path,
                                 const struct dgm_lexicon_options *learn)
{
    struct dgm_conllu_options options = { .multi_root = learn->multi_root };
    struct counting counting = {
        .lexicon = lexicon, .counts = counts, .morphs = learn->morphs, .path = path
    };

    return dgm_conllu_reader_each(env, path, &options, count_sentence, &counting);
}

/* ---- pieces -------------------------------------------------------------------------------- */

dgm_status dgm_lexicon_set_codes(struct dgm_env *env, struct dgm_lexicon *lexicon, const char *text,
                                 size_t bytes, const char *name)
{
    DGM_TRY(dgm_buf_add(env, &lexicon->codes, text, bytes));
    return dgm_bpe_parse(env, &lexicon->bpe, lexicon->codes.data, lexicon->codes.size, name, -1);
}

static dgm_status learn_codes(struct dgm_env *env, struct dgm_lexicon *lexicon,
                              const struct dgm_map *forms, long merges)
{
    struct dgm_bpe_learn_options learn = { .symbols = merges, .min_frequency = 2 };
    struct dgm_buf codes = { .data = NULL };
    dgm_status status;

    DGM_TRY_OUT(dgm_bpe_learn(env, &codes, forms, &learn));
    DGM_TRY_OUT(dgm_lexicon_set_codes(env, lexicon, codes.data, codes.size, "the treebank's BPE"));
out:
    dgm_buf_clear(env, &codes);
    return status;
}

/* Byte `*end` behind the next piece of a form: a character, or what BPE leaves together. */
struct cutter {
    const uint32_t *ends;
    size_t count, next;
};

static dgm_status begin_cut(struct dgm_env *env, struct dgm_lexicon *lexicon, struct cutter *cutter,
                            const char *form, size_t bytes)
{
    memset(cutter, 0, sizeof *cutter);
    if (lexicon->kind != DGM_PIECES_SUBWORDS)
        return DGM_OK;
    return dgm_bpe_apply_word(env, &lexicon->bpe, &cutter->ends, &cutter->count, form, bytes);
}

static size_t next_end(struct cutter *cutter, const char *form, size_t at, size_t bytes)
{
    uint32_t code;

    if (cutter->ends != NULL)
        return cutter->ends[cutter->next++];
    return at + dgm_utf8_decode(&code, form + at, bytes - at);
}

/* A piece that is not the word's last is another one than the same letters at its end. */
static dgm_status piece_name(struct dgm_env *env, struct dgm_buf *name, const char *piece,
                             size_t bytes, int is_inside)
{
    name->size = 0;
    DGM_TRY(dgm_buf_add(env, name, piece, bytes));
    return is_inside ? dgm_buf_add_text(env, name, "@@") : DGM_OK;
}

static dgm_status count_pieces(struct dgm_env *env, struct dgm_lexicon *lexicon,
                               struct counts *counts)
{
    for (size_t i = 0; i < counts->forms.count; i++) {
        const struct dgm_map_entry *entry = &counts->forms.entries[i];
        const char *form = dgm_map_key(&counts->forms, entry);
        struct cutter cutter;

        DGM_TRY(begin_cut(env, lexicon, &cutter, form, entry->length));
        for (size_t at = 0, end; at < entry->length; at = end) {
            end = next_end(&cutter, form, at, entry->length);
            DGM_TRY(piece_name(env, &lexicon->lowered, form + at, end - at,
                               cutter.ends != NULL && end < entry->length));
            DGM_TRY(dgm_map_count(env, &counts->pieces, lexicon->lowered.data,
                                  lexicon->lowered.size, entry->value));
        }
    }
    return DGM_OK;
}

dgm_status dgm_lexicon_pieces(struct dgm_env *env, struct dgm_lexicon *lexicon, const char *form,
                              size_t bytes, int32_t *pieces, int32_t *many)
{
    struct cutter cutter;
    int32_t n = 0;

    DGM_TRY(begin_cut(env, lexicon, &cutter, form, bytes));
    for (size_t at = 0, end; at < bytes && n < DGM_WORD_PIECES; at = end) {
        end = next_end(&cutter, form, at, bytes);
        DGM_TRY(piece_name(env, &lexicon->lowered, form + at, end - at,
                           cutter.ends != NULL && end < bytes));
        pieces[n++] =
            (int32_t)dgm_vocab_find(&lexicon->pieces, lexicon->lowered.data, lexicon->lowered.size);
    }
    if (n == 0)
        pieces[n++] = DGM_VOCAB_UNK;
    *many = n;
    return DGM_OK;
}

/* ---- learning ------------------------------------------------------------------------------ */

/* Whether a word has the column. No features at all are none that could be learned. */
static int is_given(const struct dgm_map *counts)
{
    return counts->count > 1 || (counts->count == 1 && strcmp(counts->bytes, "_") != 0);
}

static dgm_status build_lemmas(struct dgm_env *env, struct dgm_lexicon *lexicon,
                               const struct dgm_map *counts)
{
    const struct dgm_vocab *scripts = &lexicon->morphs[DGM_MORPH_LEMMA];

    for (size_t i = 0; i < counts->count; i++) {
        const char *form = dgm_map_key(counts, &counts->entries[i]);
        const char *tag = form + strlen(form) + 1, *script = tag + strlen(tag) + 1;
        int32_t tag_class = dgm_lexicon_class(&lexicon->tags, tag);
        int32_t script_class = dgm_lexicon_class(scripts, script);

        if (tag_class >= 0 && script_class >= 0) /* none is spelled like a special token */
            DGM_TRY(dgm_lemma_book_add(env, &lexicon->lemmas, form, tag_class, script_class));
    }
    return DGM_OK;
}

static dgm_status build_morphs(struct dgm_env *env, struct dgm_lexicon *lexicon,
                               struct counts *counts, const char *path,
                               const struct dgm_lexicon_options *options)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        if (is_given(&counts->morphs[m]))
            DGM_TRY(dgm_vocab_build(env, &lexicon->morphs[m], &counts->morphs[m], 0, 1));
        else if (options->needed_morphs & 1u << m)
            return dgm_fail_at(env, DGM_DATA, path, 0, 0,
                               "no word has anything in the %s column; expected --columns without "
                               "%s, or all, which takes those that are there",
                               dgm_morph_titles[m], dgm_morph_names[m]);
    }
    return build_lemmas(env, lexicon, &counts->lemmas);
}

static dgm_status build(struct dgm_env *env, struct dgm_lexicon *lexicon, struct counts *counts,
                        const char *path, const struct dgm_lexicon_options *options)
{
    if (counts->words.count == 0 || counts->labels.count == 0)
        return dgm_fail_at(env, DGM_DATA, path, 0, 0,
                           "no word with a relation; expected a treebank in CoNLL-U");
    if (counts->tags.count == 0)
        return dgm_fail_at(env, DGM_DATA, path, 0, 0,
                           "no word has a tag in the UPOS column; expected one for every word");
    if (options->kind == DGM_PIECES_SUBWORDS)
        DGM_TRY(learn_codes(env, lexicon, &counts->forms, options->merges));
    if (options->kind != DGM_PIECES_NONE)
        DGM_TRY(count_pieces(env, lexicon, counts));
    DGM_TRY(
        dgm_vocab_build(env, &lexicon->words, &counts->words, options->words, options->min_count));
    DGM_TRY(dgm_vocab_build(env, &lexicon->pieces, &counts->pieces, 0, 2));
    DGM_TRY(dgm_vocab_build(env, &lexicon->tags, &counts->tags, 0, 1));
    DGM_TRY(dgm_vocab_build(env, &lexicon->labels, &counts->labels, 0, 1));
    return build_morphs(env, lexicon, counts, path, options);
}

dgm_status dgm_lexicon_learn(struct dgm_env *env, struct dgm_lexicon *lexicon,
                             const char *const *paths, size_t files,
                             const struct dgm_lexicon_options *options)
{
    struct counts counts = { 0 };
    dgm_status status;

    memset(lexicon, 0, sizeof *lexicon);
    lexicon->kind = options->kind;
    for (size_t i = 0; i < files; i++)
        DGM_TRY_OUT(count_treebank(env, lexicon, &counts, paths[i], options));
    DGM_TRY_OUT(build(env, lexicon, &counts, paths[0], options));
    if (options->with_text)
        DGM_TRY_OUT(dgm_cut_lexicon_learn(env, &lexicon->cuts, paths, files, options->multi_root));
out:
    dgm_map_clear(env, &counts.forms);
    dgm_map_clear(env, &counts.words);
    dgm_map_clear(env, &counts.pieces);
    dgm_map_clear(env, &counts.tags);
    dgm_map_clear(env, &counts.labels);
    for (int m = 0; m < DGM_MORPHS; m++)
        dgm_map_clear(env, &counts.morphs[m]);
    dgm_map_clear(env, &counts.lemmas);
    if (status != DGM_OK)
        dgm_lexicon_clear(env, lexicon);
    return status;
}

double dgm_lexicon_bytes(const struct dgm_lexicon *lexicon)
{
    double morphs = 0;

    for (int m = 0; m < DGM_MORPHS; m++)
        morphs += dgm_map_bytes(&lexicon->morphs[m].map);
    return morphs + dgm_lemma_book_bytes(&lexicon->lemmas) + dgm_map_bytes(&lexicon->words.map) +
           dgm_map_bytes(&lexicon->pieces.map) + dgm_map_bytes(&lexicon->tags.map) +
           dgm_map_bytes(&lexicon->labels.map) + (double)lexicon->codes.size +
           dgm_map_bytes(&lexicon->treebanks.map) + dgm_bpe_bytes(&lexicon->bpe) +
           dgm_word_vectors_bytes(&lexicon->vectors);
}

void dgm_lexicon_clear(struct dgm_env *env, struct dgm_lexicon *lexicon)
{
    dgm_vocab_clear(env, &lexicon->words);
    dgm_vocab_clear(env, &lexicon->pieces);
    dgm_vocab_clear(env, &lexicon->tags);
    dgm_vocab_clear(env, &lexicon->labels);
    dgm_bpe_clear(env, &lexicon->bpe);
    dgm_buf_clear(env, &lexicon->codes);
    for (int m = 0; m < DGM_MORPHS; m++)
        dgm_vocab_clear(env, &lexicon->morphs[m]);
    dgm_lemma_book_clear(env, &lexicon->lemmas);
    dgm_buf_clear(env, &lexicon->lowered);
    dgm_buf_clear(env, &lexicon->script);
    dgm_cut_lexicon_clear(env, &lexicon->cuts);
    dgm_word_vectors_clear(env, &lexicon->vectors);
    dgm_vocab_clear(env, &lexicon->treebanks);
    memset(lexicon, 0, sizeof *lexicon);
}

void dgm_lexicon_beside(struct dgm_lexicon *lexicon, const struct dgm_lexicon *of)
{
    *lexicon = *of;
    dgm_bpe_beside(&lexicon->bpe, &of->bpe);
    memset(&lexicon->lowered, 0, sizeof lexicon->lowered);
    memset(&lexicon->script, 0, sizeof lexicon->script);
}

void dgm_lexicon_clear_beside(struct dgm_env *env, struct dgm_lexicon *lexicon)
{
    dgm_bpe_clear_beside(env, &lexicon->bpe);
    dgm_buf_clear(env, &lexicon->lowered);
    dgm_buf_clear(env, &lexicon->script);
    memset(lexicon, 0, sizeof *lexicon);
}

/* ---- look-up ------------------------------------------------------------------------------- */

dgm_status dgm_lexicon_word(struct dgm_env *env, struct dgm_lexicon *lexicon, const char *form,
                            size_t bytes, int32_t *word)
{
    DGM_TRY(lower(env, lexicon, form, bytes));
    *word = (int32_t)dgm_vocab_find(&lexicon->words, lexicon->lowered.data, lexicon->lowered.size);
    return DGM_OK;
}

int32_t dgm_lexicon_class(const struct dgm_vocab *vocab, const char *name)
{
    uint32_t number = dgm_vocab_find(vocab, name, strlen(name));

    return number < DGM_VOCAB_SPECIALS ? -1 : (int32_t)number - DGM_VOCAB_SPECIALS;
}

int dgm_lexicon_has(const struct dgm_lexicon *lexicon, enum dgm_morph morph)
{
    return dgm_vocab_size(&lexicon->morphs[morph]) > DGM_VOCAB_SPECIALS;
}

dgm_status dgm_lexicon_morph(struct dgm_env *env, struct dgm_lexicon *lexicon, enum dgm_morph morph,
                             const char *form, const char *value, int32_t *number)
{
    const char *name;

    *number = DGM_MORPH_OPEN;
    DGM_TRY(dgm_morph_class_of(env, &lexicon->script, morph, form, value, &name));
    if (name == NULL)
        return DGM_OK;
    *number = dgm_lexicon_class(&lexicon->morphs[morph], name);
    if (*number < 0)
        *number = DGM_MORPH_UNKNOWN;
    return DGM_OK;
}

int64_t dgm_lexicon_classes(const struct dgm_vocab *vocab)
{
    return (int64_t)dgm_vocab_size(vocab) - DGM_VOCAB_SPECIALS;
}

const char *dgm_lexicon_class_name(const struct dgm_vocab *vocab, int32_t number)
{
    return dgm_vocab_token(vocab, (uint32_t)number + DGM_VOCAB_SPECIALS, NULL);
}
