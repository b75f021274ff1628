/*
 * tree_format.h: any bytes as a file of a format that is read into, and written from, the
 * sentences of conllu.h.
 *
 * The first byte chooses the options. What is written must read back as the same tree, and be
 * written again as the same bytes.
 */
#ifndef DGM_FUZZ_TREE_FORMAT_H
#define DGM_FUZZ_TREE_FORMAT_H

#include "syntax/conllu/conllu_reader.h"

#include "memory.h"
#include "tree_check.h"

struct tree_format {
    enum dgm_conllu_format format;
    dgm_status (*write)(struct dgm_env *env, struct dgm_writer *writer,
                        const struct dgm_conllu_sentence *sentence);
};

/* Writes the sentence behind an empty line, so that a byte-order mark is data. */
static void write_out(struct memory *out, const struct tree_format *format,
                      const struct dgm_conllu_sentence *sentence)
{
    struct dgm_writer writer;
    struct dgm_env env;

    memset(&writer, 0, sizeof writer);
    memory_begin(out, &env, "", 0);
    expect(dgm_writer_open(&env, &writer, "-") == DGM_OK);
    expect(dgm_writer_add(&env, &writer, "\n", 1) == DGM_OK);
    if (format->write(&env, &writer, sentence) != DGM_OK)
        dgm_buf_reset(&writer.pending);
    dgm_env_clear_error(&env);
    expect(dgm_writer_close(&env, &writer) == DGM_OK);
}

static void check_written(const struct tree_format *format,
                          const struct dgm_conllu_sentence *sentence,
                          const struct dgm_conllu_options *options)
{
    struct dgm_conllu_options strict = *options;
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence copy;
    struct memory out, back, again;
    struct dgm_env env;
    int more = 0;

    strict.lenient = 0;
    memset(&reader, 0, sizeof reader);
    memset(&copy, 0, sizeof copy);
    write_out(&out, format, sentence);
    memory_begin(&back, &env, out.written.data, out.written.size);
    if (out.written.size > 1) {
        expect(dgm_conllu_reader_open(&env, &reader, "back", &strict) == DGM_OK);
        expect(dgm_conllu_reader_next(&env, &reader, &copy, &more) == DGM_OK && more);
        expect(copy.tree.count == sentence->tree.count && copy.tree.has_parse);
        expect(memcmp(copy.tree.head, sentence->tree.head,
                      (size_t)copy.tree.count * sizeof(int32_t)) == 0);
        write_out(&again, format, &copy);
        expect(again.written.size == out.written.size &&
               memcmp(again.written.data, out.written.data, out.written.size) == 0);
        dgm_conllu_reader_close(&env, &reader);
        dgm_conllu_clear(&env, &copy);
        dgm_buf_clear(&again.env, &again.written);
    }
    dgm_buf_clear(&out.env, &out.written);
}

static void fuzz_tree_format(const struct tree_format *format, const uint8_t *data, size_t size)
{
    struct dgm_conllu_options options = { .format = format->format };
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    struct memory memory;
    struct dgm_env env;
    int more = 1;

    if (size == 0)
        return;
    options.lenient = data[0] & 1;
    options.multi_root = (enum dgm_multi_root)((data[0] >> 1 & 3) % 3);
    options.allow_empty = data[0] >> 3 & 1;
    options.allow_unparsed = data[0] >> 4 & 1;
    options.max_words = data[0] >> 5 & 1 ? 3 : 0;
    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    memory_begin(&memory, &env, data + 1, size - 1);
    if (dgm_conllu_reader_open(&env, &reader, "input", &options) != DGM_OK)
        more = 0;
    while (more) {
        if (dgm_conllu_reader_next(&env, &reader, &sentence, &more) != DGM_OK) {
            /* A lenient reader refuses nothing but what cannot be unpacked. */
            expect(env.error.status == DGM_DATA);
            expect(!options.lenient || is_about_packing(&env));
            dgm_env_clear_error(&env);
            continue;
        }
        if (!more || !sentence.tree.has_parse)
            continue;
        expect(tree_validate(&env, &sentence.tree) == DGM_OK);
        check_written(format, &sentence, &options);
    }
    dgm_conllu_reader_close(&env, &reader);
    dgm_conllu_clear(&env, &sentence);
}

#endif
