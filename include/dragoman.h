/*
 * dragoman.h: the public C interface of Dragoman, neural machine translation with syntax.
 *
 * It needs nothing but the C library's headers, and compiles as C99 and as C++. The library never
 * exits, aborts or prints. A function that can fail returns a dgm_status, and the context keeps the
 * first error in full. What holds for all functions stands here once; the comment of a function
 * says what it does, and what is special about its errors, its memory and its threads.
 *
 * Ownership. A context and the handles made with it (tokenizer, sentences, words, segmenter,
 * truecaser, langid, cleaner, splitter, scorer, model, translator, rescorer, annotator) belong to
 * the caller, who frees them: each by the _free function beside its _new, the context last. Freeing
 * NULL does nothing. A _new that fails sets the handle to NULL, and leaves nothing to free. The
 * library copies what it keeps of texts, arrays and options, so the caller may change or free them
 * after the call; of a callback it keeps the pointer `user` as it is.
 *
 * Options. Every struct of options begins with its own size, so that a program that was built
 * against an older header keeps working. Zero in every other field means the default, and a NULL
 * pointer in place of the struct means all defaults. A number outside the range of its field, NaN
 * among them, is DGM_USAGE, and the message names the field. DGM_OPTIONS below initialises a
 * struct.
 *
 * Lines and results. A line is its bytes, any but LF (else DGM_USAGE), and their number. It needs
 * no NUL at its end; NULL will do for 0 bytes. A result of text belongs to the handle, ends with a
 * NUL that its length does not count, and is valid until the next call on that handle. That call
 * may take it as its input.
 *
 * Files. A path "-" means standard input where a comment says so. What a call writes replaces a
 * file only after success.
 *
 * Errors. NULL for a context, a handle or an argument that must be there is DGM_USAGE. The first
 * error sticks: until dgm_context_clear, every further call on the context and its handles does
 * nothing and returns the status of that error. So a program may check once, after many calls. Any
 * call may return DGM_MEMORY; a file that cannot be read, or whose contents are wrong, is DGM_DATA
 * (DGM_MODEL for a model's), and one that cannot be written DGM_FAILURE.
 *
 * Threads. A context and its handles serve one thread at a time. Contexts know nothing of each
 * other, and any number of threads may each use one. A dgm_model alone may be shared by handles of
 * several contexts. A call computes with as many threads of its
 * own as the context says, and its results do not depend on that number. Callbacks, but for an
 * allocator, run in the thread that made the call, and must not call back into their context: such
 * a call is DGM_USAGE, which is not recorded, and what is freed there stays. dgm_context_stop,
 * dgm_context_checkpoint, dgm_context_error and what a function's comment says are the exceptions.
 *
 * fork(). A child may use and free what no thread was using when the process forked: contexts,
 * handles and models. What computes there starts threads of its own with its first work, and gives
 * the same bytes; parent and child know nothing of each other. What a thread was using at that
 * moment the child may neither use nor free: its memory goes with the process. A child that is made
 * in a callback may only exec or _exit. OpenCL does not work on in a child: a call that would
 * compute with it, and opening it there once the parent has, is DGM_UNSUPPORTED; freeing is fine,
 * and asks nothing of the driver.
 */
#ifndef DRAGOMAN_H
#define DRAGOMAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; dgm_version_number() is that of the library. */
#define DGM_VERSION_MAJOR 0
#define DGM_VERSION_MINOR 1
#define DGM_VERSION_PATCH 0
#define DGM_VERSION_NUMBER (DGM_VERSION_MAJOR * 10000 + DGM_VERSION_MINOR * 100 + DGM_VERSION_PATCH)

#if defined(_WIN32)
#define DGM_API
#else
#define DGM_API __attribute__((visibility("default")))
#endif

/*
 * Status codes, one line each: name, exit code of the command-line program, meaning. The values are
 * never renumbered.
 */
#define DGM_STATUS_LIST(S)                                                \
    S(OK, 0, "no error")                                                  \
    S(FAILURE, 1, "the run failed (system call, internal limit)")         \
    S(USAGE, 2, "wrong use: option, argument or setting")                 \
    S(DATA, 3, "bad or misaligned data: text, corpus, tree, codes")       \
    S(MODEL, 4, "bad model, checkpoint or vocabulary file")               \
    S(MEMORY, 5, "out of memory, or the device was lost")                 \
    S(DIVERGED, 6, "training diverged: loss or gradient is not a number") \
    S(INTERRUPTED, 130, "stopped by a signal after a graceful save")      \
    S(UNSUPPORTED, 1, "this build or device does not offer the operation")

/* clang-format off */
typedef enum dgm_status {
#define DGM_STATUS_ENUM(name, code, text) DGM_##name,
    DGM_STATUS_LIST(DGM_STATUS_ENUM)
#undef DGM_STATUS_ENUM
    DGM_STATUS_COUNT
} dgm_status;
/* clang-format on */

/* The first error of a context. Lines and columns count from 1. */
typedef struct dgm_error {
    dgm_status status;
    char file[256];    /* the input at fault, or "" */
    long line, column; /* 0: does not apply */
    long long offset;  /* byte offset in a binary file; -1: does not apply */
    char message[512]; /* one line: what was found; what was expected; how to go on */
} dgm_error;

/*
 * Where a context takes its memory from. `resize` behaves as realloc: of a NULL pointer it makes a
 * new block, and after a failure it returns NULL and leaves the old block alone. `release` accepts
 * NULL. They are called by one thread at a time, which need not be the one that made the call.
 */
typedef struct dgm_allocator {
    void *(*resize)(void *user, void *block, size_t bytes);
    void (*release)(void *user, void *block);
    void *user;
} dgm_allocator;

typedef enum dgm_level { DGM_LOG_ERROR, DGM_LOG_WARNING, DGM_LOG_NOTE, DGM_LOG_DEBUG } dgm_level;

/* Receives one line without its newline; the text is valid during the call only. */
typedef void (*dgm_log_fn)(void *user, dgm_level level, const char *text);

/* Receives a piece of a result. What it returns, unless DGM_OK, ends the call that writes, which
 * returns it, or DGM_FAILURE where it is none of DGM_STATUS_LIST. */
typedef dgm_status (*dgm_write_fn)(void *user, const char *text, size_t bytes);

/*
 * Initialises a struct of options, in C and in C++, without a warning about fields left out:
 *
 *     dgm_context_options options = DGM_OPTIONS(dgm_context_options);
 *     options.threads = 2;
 */
#ifdef __cplusplus
extern "C++" {
template <class options_type> inline options_type dgm_options_of()
{
    options_type options = options_type();
    options.struct_size = sizeof options;
    return options;
}
}
#define DGM_OPTIONS(type) dgm_options_of<type>()
#else
/* clang-format off */
#define DGM_OPTIONS(type) { .struct_size = sizeof(type) }
/* clang-format on */
#endif

/* The library's version, "0.1.0"; as DGM_VERSION_NUMBER; and how it was built, a few `name: value`
 * lines. These texts, and those of a status, are constants. */
DGM_API const char *dgm_version(void);
DGM_API int dgm_version_number(void);
DGM_API const char *dgm_build(void);

/* A status as a word, "data"; the exit code that the program uses for it; what that code means. */
DGM_API const char *dgm_status_name(dgm_status status);
DGM_API int dgm_status_exit_code(dgm_status status);
DGM_API const char *dgm_status_text(dgm_status status);

/* ---- context ------------------------------------------------------------------------------ */

typedef struct dgm_context dgm_context;

typedef struct dgm_context_options {
    size_t struct_size;
    const dgm_allocator *allocator; /* copied; NULL: that of the C library */
    dgm_log_fn log;                 /* NULL: silence */
    void *log_user;
    dgm_level log_level; /* messages above it are dropped; 0: errors only */
    int threads;         /* to compute with; 0: one for each processor */
    const char *isa;     /* instruction set, "avx2"; NULL: the best there is */
    const char *devices; /* as dgm_context_set_devices; NULL: "cpu" */
} dgm_context_options;

/* Makes a context. There is none yet to keep an error in: the status is all that a failure
 * tells. */
DGM_API dgm_status dgm_context_new(const dgm_context_options *options, dgm_context **context);
/* Frees a context, after all handles that were made with it. */
DGM_API void dgm_context_free(dgm_context *context);

/* The first error since the context was made or cleared; its status is DGM_OK if there is none. It
 * belongs to the context and changes with the next call. NULL for a NULL context. */
DGM_API const dgm_error *dgm_context_error(const dgm_context *context);
/* Forgets the error: calls work again. */
DGM_API void dgm_context_clear(dgm_context *context);

/* The fields log_level and threads of the options, from now on. */
DGM_API dgm_status dgm_context_set_log_level(dgm_context *context, dgm_level level);
DGM_API dgm_status dgm_context_set_threads(dgm_context *context, int threads);

/*
 * How many bytes of memory the process may use from now on, program and stacks included; 0: any
 * number, the default. A call that would need more is DGM_MEMORY. Training on the CPU says so
 * before its first update, and names the size of batches that would fit. Memory of other devices,
 * and what the allocator wastes, are not counted.
 */
DGM_API dgm_status dgm_context_set_memory(dgm_context *context, int64_t bytes);

/*
 * The device that handles made from now on compute with:
 *
 *     "cpu"       the processor; the default, as is NULL
 *     "gpu"       a GPU
 *     "opencl"    any OpenCL device, a GPU first
 *     "auto"      a GPU that can be used, else the CPU; the log has a note that says why
 *     "1", "A10"  a number that dgm_devices lists, or part of the name of a device or platform
 *     "0,1"       a list of these, at most 16
 *
 * dgm_train and dgm_train_parser spread the batches of an update over the devices of a list; all
 * else takes the first, and the log has a note. A text that means nothing of this is DGM_USAGE.
 * Whether the device is there turns out later: the _new of a handle, or dgm_train, fails with
 * DGM_UNSUPPORTED.
 */
DGM_API dgm_status dgm_context_set_devices(dgm_context *context, const char *devices);

/* Whose matrix products an OpenCL device runs: "own", "clblast", or "auto", the default. CLBlast is
 * opened at run time; where it is missing, the _new of a handle returns DGM_USAGE. */
DGM_API dgm_status dgm_context_set_gemm(dgm_context *context, const char *gemm);

/*
 * To what the operands of matrix products are rounded: "f32" (not at all, the default, as is NULL),
 * "tf32" or "bf16", on the tensor cores of an OpenCL device; "bf16" on a processor with AMX, too.
 * Sums, weights and all else stay f32. With a device that has no such products the _new of a
 * handle, or dgm_train, fails with DGM_UNSUPPORTED. With "auto" a CPU that has none computes in f32
 * then, and the log says so. Where there is AMX, Linux is asked for its registers as a device is
 * opened: from then on sigaltstack needs 8 KiB more (sysconf(_SC_MINSIGSTKSZ) tells).
 */
DGM_API dgm_status dgm_context_set_precision(dgm_context *context, const char *precision);

/* Asks a long call to save what is worth saving and to return DGM_INTERRUPTED: training after the
 * update it is at, all else after the batch, the step of a search, the sample or the piece of a
 * file. It may be called at any time, from a signal handler, a callback or another thread. The
 * request stays: further calls that take long return at once. */
DGM_API void dgm_context_stop(dgm_context *context);

/* Asks a long call to log one line of status, how far it is in the text that it reads, and to go
 * on. A training run also saves a checkpoint, after the update, or in the validation, that it is
 * at. It may be called when dgm_context_stop may. */
DGM_API void dgm_context_checkpoint(dgm_context *context);

/* ---- tokeniser ---------------------------------------------------------------------------- */

typedef struct dgm_tokenizer dgm_tokenizer;

typedef struct dgm_tokenizer_options {
    size_t struct_size;
    const char *language; /* "en" (the default), "de", "fr" have rules of their own */
    int aggressive;       /* split hyphens inside words: a @-@ b */
    int no_escape;        /* leave & | < > ' " [ ] as they are */
    int punctuation;      /* normalise punctuation first */
    int lower;            /* lower-case first */
    /* What punctuation is normalised: "moses", as Moses' script does; as sacremoses, "none" or some
     * of penn,commas,numbers,full-width,controls. NULL: "penn,commas,numbers", its default. */
    const char *punctuation_steps;
} dgm_tokenizer_options;

/* Makes a tokenizer; the log has a warning if the language has no rules of its own. */
DGM_API dgm_status dgm_tokenizer_new(dgm_context *context, const dgm_tokenizer_options *options,
                                     dgm_tokenizer **tokenizer);
DGM_API void dgm_tokenizer_free(dgm_tokenizer *tokenizer);

/* Turns a line of running text into tokens with one blank between, as Moses' tokenizer.perl
 * does, but for marks and joiners, which stay with what stands before them, and for U+2019, which
 * is an apostrophe. Languages without rules have general ones, which cut marks off the ends of
 * words alone. */
DGM_API dgm_status dgm_tokenizer_apply(dgm_tokenizer *tokenizer, const char *line, size_t bytes,
                                       const char **out, size_t *out_bytes);
/* Turns tokens into running text. By the general rules the text that was cut comes back, but for a
 * blank before a mark that closes or behind one that opens; by Moses', in most lines. */
DGM_API dgm_status dgm_tokenizer_undo(dgm_tokenizer *tokenizer, const char *line, size_t bytes,
                                      const char **out, size_t *out_bytes);

/* ---- sentences ---------------------------------------------------------------------------- */

/* Where the sentences of running text begin, by rules: of 20 languages with lists of abbreviations
 * (ar, cs, da, de, el, en, es, fi, fr, hu, it, nl, pl, pt, ro, ru, sv, tr, uk, vi), of Chinese and
 * Japanese by their marks, of others by the Unicode Standard (UAX 29). */
typedef struct dgm_sentences dgm_sentences;

/* language: a code of ISO 639; NULL: "en". */
DGM_API dgm_status dgm_sentences_new(dgm_context *context, const char *language,
                                     dgm_sentences **sentences);
DGM_API void dgm_sentences_free(dgm_sentences *sentences);
/* Lends starts[0..count), offsets into the line: a sentence, and the blanks behind it, go up to
 * where the next one begins, the last up to the end of the line. Blanks at the head of the line
 * belong to none; a blank line has no sentence. */
DGM_API dgm_status dgm_sentences_cut(dgm_sentences *sentences, const char *line, size_t bytes,
                                     const size_t **starts, size_t *count);

/* ---- words, vocabularies, learning BPE ---------------------------------------------------- */

/* Words and how often each was seen. A word is what stands between blanks. */
typedef struct dgm_words dgm_words;

/* Makes an empty count. */
DGM_API dgm_status dgm_words_new(dgm_context *context, dgm_words **words);
DGM_API void dgm_words_free(dgm_words *words);
/* Counts the words of a line; those of every line of a text file ("-": standard input). */
DGM_API dgm_status dgm_words_add(dgm_words *words, const char *line, size_t bytes);
DGM_API dgm_status dgm_words_read(dgm_words *words, const char *path);
/* Adds the counts of a file of `word count` lines ("-": standard input). */
DGM_API dgm_status dgm_words_read_counts(dgm_words *words, const char *path);

/*
 * Counts the words of so many lines of all these files, each line as likely as any other; of all,
 * if there are no more. The same files give the same lines. They are read twice: DGM_USAGE if one
 * is a stream.
 */
DGM_API dgm_status dgm_words_read_sample(dgm_words *words, const char *const *paths, size_t count,
                                         int64_t lines);
/*
 * Keeps what is counted from now on in so many bytes (64 KiB or more; 0, the default: no limit).
 * Where they do not suffice, the rarest words go, and the log has a warning when a result is
 * written: which words may be missing, and by how much counts may be too low.
 */
DGM_API dgm_status dgm_words_set_memory(dgm_words *words, int64_t bytes);

/* Writes `word count` lines, the most frequent first, with the bytes of subword-nmt's get-vocab. */
DGM_API dgm_status dgm_words_write_counts(dgm_words *words, dgm_write_fn write, void *user);

/* Writes a vocabulary of tokens as fairseq's dict.txt: at most `size` entries (0: no limit), none
 * rarer than min_count. The four special entries count, but are not written. */
DGM_API dgm_status dgm_words_write_vocabulary(dgm_words *words, size_t size, int64_t min_count,
                                              dgm_write_fn write, void *user);

typedef struct dgm_codes_options {
    size_t struct_size;
    long symbols;          /* rules to learn; 0: 10000 */
    int64_t min_frequency; /* stop at rarer pairs; 0: 2 */
    int total_symbols;     /* take the number of different characters off `symbols` */
} dgm_codes_options;

/* Learns BPE codes, and writes them with the bytes of subword-nmt's learn-bpe. */
DGM_API dgm_status dgm_words_learn(dgm_words *words, const dgm_codes_options *options,
                                   dgm_write_fn write, void *user);

/* ---- applying BPE ------------------------------------------------------------------------- */

typedef struct dgm_segmenter dgm_segmenter;

typedef struct dgm_segmenter_options {
    size_t struct_size;
    const char *codes;             /* file of codes; NULL: the segmenter can only undo */
    long merges;                   /* use the first so many rules; 0: all */
    const char *separator;         /* NULL: "@@" */
    const char *vocabulary;        /* file of `piece count` lines; rarer pieces are split again */
    int64_t threshold;             /* least count of a piece of that file */
    const char *const *glossaries; /* words and regular expressions that are never split */
    size_t glossary_count;
    double dropout; /* probability of passing over a rule: BPE-dropout */
    uint64_t seed;
    int no_merges; /* use none of the rules: pieces are characters; not with merges */
} dgm_segmenter_options;

/* Makes a segmenter with the codes and the vocabulary of these files, which it keeps in memory. */
DGM_API dgm_status dgm_segmenter_new(dgm_context *context, const dgm_segmenter_options *options,
                                     dgm_segmenter **segmenter);
DGM_API void dgm_segmenter_free(dgm_segmenter *segmenter);
/* Cuts the words of a line into pieces. With dropout, the pieces depend on the seed and on how many
 * lines came before. DGM_USAGE without codes. */
DGM_API dgm_status dgm_segmenter_apply(dgm_segmenter *segmenter, const char *line, size_t bytes,
                                       const char **out, size_t *out_bytes);
/* Joins pieces to words. */
DGM_API dgm_status dgm_segmenter_undo(dgm_segmenter *segmenter, const char *line, size_t bytes,
                                      const char **out, size_t *out_bytes);

/* ---- truecasing --------------------------------------------------------------------------- */

typedef struct dgm_truecaser dgm_truecaser;

typedef struct dgm_truecaser_options {
    size_t struct_size;
    const char *model;    /* file that dgm_truecaser_write has made; NULL: it can only learn and
                           * undo */
    const char *language; /* of ISO 639; tr, az and nl have capitals of their own; NULL: any */
    int64_t memory;       /* for counts, as of dgm_words_set_memory */
} dgm_truecaser_options;

/* Makes a truecaser. Its lines are tokens with blanks between; ill-formed UTF-8 becomes U+FFFD. */
DGM_API dgm_status dgm_truecaser_new(dgm_context *context, const dgm_truecaser_options *options,
                                     dgm_truecaser **truecaser);
DGM_API void dgm_truecaser_free(dgm_truecaser *truecaser);
/* Counts how the words of a line, or of every line of a text file ("-": standard input), are
 * written where they do not begin a sentence. */
DGM_API dgm_status dgm_truecaser_add(dgm_truecaser *truecaser, const char *line, size_t bytes);
DGM_API dgm_status dgm_truecaser_read(dgm_truecaser *truecaser, const char *path);
/* Writes what was counted as a model, a line for each word: "the (98/100) The (2)". DGM_DATA where
 * nothing was. */
DGM_API dgm_status dgm_truecaser_write(dgm_truecaser *truecaser, dgm_write_fn write, void *user);
/* Writes the first word of each sentence as it is written most often and, of a sentence all in
 * capitals, every word. DGM_USAGE without a model. */
DGM_API dgm_status dgm_truecaser_apply(dgm_truecaser *truecaser, const char *line, size_t bytes,
                                       const char **out, size_t *out_bytes);
/* Gives the first word of each sentence a capital. */
DGM_API dgm_status dgm_truecaser_undo(dgm_truecaser *truecaser, const char *line, size_t bytes,
                                      const char **out, size_t *out_bytes);

/* ---- which language a line is in ---------------------------------------------------------- */

/* Text in a language: its code (letters, digits and hyphens, at most 31; not "und") and a file of
 * lines. */
typedef struct dgm_langid_text {
    const char *language, *path; /* "-": standard input */
} dgm_langid_text;

/*
 * Learns to tell languages apart, from one text or more in each of at least two of them, and writes
 * a model with at most so many n-grams (0: 65536) to `out`, which is as for dgm_average. The same
 * texts in the same order give the same bytes. DGM_DATA for a language without a letter.
 */
DGM_API dgm_status dgm_langid_train(dgm_context *context, const dgm_langid_text *texts,
                                    size_t count, size_t grams, const char *out);

typedef struct dgm_langid dgm_langid;

typedef struct dgm_langid_options {
    size_t struct_size;
    const char *model; /* a file that dgm_langid_train has written; needed */
    double least;      /* less probable than this the first language is "und": it cannot be told;
                        * 0: 0.5; below 0: never */
    int top;           /* so many languages of a line, the most probable first; 0: 1 */
    int codes_only;    /* no probabilities */
} dgm_langid_options;

DGM_API dgm_status dgm_langid_new(dgm_context *context, const dgm_langid_options *options,
                                  dgm_langid **langid);
DGM_API void dgm_langid_free(dgm_langid *langid);
/* How many languages it knows, and the code of each, NULL beyond the last; the handle's. */
DGM_API size_t dgm_langid_count(const dgm_langid *langid);
DGM_API const char *dgm_langid_language(const dgm_langid *langid, size_t number);
/* "en\t0.9871": the languages of a line and their probabilities, with tabs between. "und" stands
 * first, with 1 less the probability of the next, where that is too low. */
DGM_API dgm_status dgm_langid_apply(dgm_langid *langid, const char *line, size_t bytes,
                                    const char **out, size_t *out_bytes);
/* The probability of each language, in the order of their numbers, until the next call on the
 * handle. What their sum leaves of 1 is the share of letters that are none of theirs; 1 of a line
 * without letters. Text in a language that the model has not learned is mostly told as one that it
 * knows. */
DGM_API dgm_status dgm_langid_probabilities(dgm_langid *langid, const char *line, size_t bytes,
                                            const double **probabilities);

/* ---- cleaning a corpus -------------------------------------------------------------------- */

/*
 * Why a pair of lines does not stay in a corpus: name, word, meaning. The first rule that a pair
 * breaks, in this order, is its reason; but duplicates are looked for last. The values are never
 * renumbered.
 */
#define DGM_CLEAN_LIST(R)                                                    \
    R(KEPT, "kept", "no rule is broken")                                     \
    R(UTF8, "utf-8", "ill-formed UTF-8, or a NUL")                           \
    R(EMPTY, "empty", "a side without a token")                              \
    R(SHORT, "short", "a side with too few tokens")                          \
    R(LONG, "long", "a side with too many tokens")                           \
    R(RATIO, "ratio", "one side has too many times the tokens of the other") \
    R(WORD, "word", "a token with too many characters")                      \
    R(SCRIPT, "script", "too few letters of the expected script")            \
    R(COPY, "copy", "both sides are equal")                                  \
    R(DUPLICATE, "duplicate", "the pair, or a side of it, was there before") \
    R(LANGUAGE, "language", "a side in another language")                    \
    R(HELD_OUT, "held-out", "a side that was held out")

/* clang-format off */
typedef enum dgm_clean_reason {
#define DGM_CLEAN_ENUM(name, word, meaning) DGM_CLEAN_##name,
    DGM_CLEAN_LIST(DGM_CLEAN_ENUM)
#undef DGM_CLEAN_ENUM
    DGM_CLEAN_COUNT
} dgm_clean_reason;
/* clang-format on */

typedef struct dgm_cleaner dgm_cleaner;

/*
 * A token is what stands between blanks; a character of a script without blanks (Han, Kana, Thai,
 * ...) is one by itself. A number below 0 switches its rule off.
 */
typedef struct dgm_cleaner_options {
    size_t struct_size;
    int sides;               /* 1: lines of one language, `target` is ignored; 0: 2 */
    int min_length;          /* tokens; 0: 1; below 0 pairs of two empty lines stay */
    int max_length;          /* tokens; 0: 250 */
    double max_ratio;        /* of the longer side to the shorter one, in tokens; 0: 3 */
    int max_word_length;     /* characters; 0: 40 */
    double min_script;       /* share of letters, at most 1; 0: 0.5 */
    const char *source_lang; /* language ("de", "zh-Hans") or script ("Latin", "Latn") whose */
    const char *target_lang; /* letters are expected; NULL: any */
    int keep_bad_utf8;       /* ill-formed text is no reason */
    int keep_copies;
    const char *duplicates; /* what may not be there twice: "pairs" (the default), "source",
                             * "target", "sides" (either of them), "none" */
    const char *langid;     /* a model of dgm_langid_train, which knows source_lang and target_lang
                             * where these are given; NULL: nothing is asked of the language */
    double min_language;    /* its probability, at most 1; 0: 0.1 */
} dgm_cleaner_options;

/* Makes a cleaner, which has seen no pair. */
DGM_API dgm_status dgm_cleaner_new(dgm_context *context, const dgm_cleaner_options *options,
                                   dgm_cleaner **cleaner);
DGM_API void dgm_cleaner_free(dgm_cleaner *cleaner);
/*
 * Holds a line out: pairs whose source is this line go from now on, or with `side` 1 those whose
 * target is, as sentences to test by should not be trained on. An empty line is no sentence.
 */
DGM_API dgm_status dgm_cleaner_hold_out(dgm_cleaner *cleaner, int side, const char *line,
                                        size_t bytes);
/*
 * Judges the next pair of a corpus. For each different pair that stays, the cleaner keeps 128 bits
 * of hash, in 20 to 25 bytes ("sides": twice that): the probability that any of a billion is
 * wrongly found to be a duplicate is 1.5e-21.
 */
DGM_API dgm_status dgm_cleaner_judge(dgm_cleaner *cleaner, const char *source, size_t source_bytes,
                                     const char *target, size_t target_bytes,
                                     dgm_clean_reason *reason);

/* A reason as a word, "ratio", and what it means; constants. */
DGM_API const char *dgm_clean_reason_name(dgm_clean_reason reason);
DGM_API const char *dgm_clean_reason_text(dgm_clean_reason reason);

/* ---- splitting a corpus ------------------------------------------------------------------- */

/* What a pair is for. */
typedef enum dgm_split_part {
    DGM_SPLIT_TRAIN,
    DGM_SPLIT_DEV, /* to choose a model by */
    DGM_SPLIT_TEST,
    DGM_SPLIT_COUNT
} dgm_split_part;

typedef struct dgm_splitter dgm_splitter;

/*
 * Which part a pair goes to follows from the hash of what `by` names, under the seed, and not from
 * its place: texts that are equal go the same way, so that no sentence to test by was trained on.
 */
typedef struct dgm_splitter_options {
    size_t struct_size;
    int sides;       /* 1: lines of one language, `target` is ignored; 0: 2 */
    const char *dev; /* size: pairs ("2000"), or a share of them ("1%"); NULL: no such part */
    const char *test;
    const char *by; /* "source" (the default), "target", "pair" */
    uint64_t seed;
} dgm_splitter_options;

DGM_API dgm_status dgm_splitter_new(dgm_context *context, const dgm_splitter_options *options,
                                    dgm_splitter **splitter);
DGM_API void dgm_splitter_free(dgm_splitter *splitter);
/* Whether a size is a number of pairs: then all pairs are to be counted before the first gets a
 * part. */
DGM_API int dgm_splitter_counts(const dgm_splitter *splitter);
/* Counts a pair. 8 to 16 bytes are kept for each pair of a size, none for other pairs. */
DGM_API dgm_status dgm_splitter_count(dgm_splitter *splitter, const char *source,
                                      size_t source_bytes, const char *target, size_t target_bytes);
/*
 * The part of a pair. A size in pairs is kept to, but for texts that are equal and would exceed
 * it: then the part is smaller. DGM_DATA where nothing is left to train on.
 */
DGM_API dgm_status dgm_splitter_part(dgm_splitter *splitter, const char *source,
                                     size_t source_bytes, const char *target, size_t target_bytes,
                                     dgm_split_part *part);

/* ---- scoring ------------------------------------------------------------------------------ */

typedef struct dgm_scorer dgm_scorer;

typedef struct dgm_scorer_options {
    size_t struct_size;
    const char *metric;   /* "bleu" (the default), "chrf", "chrf++" */
    const char *tokenize; /* BLEU: "13a" (the default), "none", "intl", "char", "zh", "ja-mecab" */
    const char *smooth;   /* BLEU: "exp" (the default), "floor", "add-k", "none" */
    int has_smooth_value; /* else 0.1 for "floor", 1 for "add-k" */
    double smooth_value;
    int lower;            /* ignore case */
    int lower_ascii;      /* BLEU: ignore the case of ASCII letters only */
    int effective_order;  /* BLEU: leave out orders the text is too short for */
    int max_order;        /* BLEU: 1..6; 0: 4 */
    int word_order;       /* chrF: 0..2 */
    int beta;             /* chrF: weight of recall; 0: 2 */
    int whitespace;       /* chrF: let white space count as characters */
    int force;            /* BLEU: do not warn of text that looks tokenised */
    int keep_sentences;   /* keep what dgm_scorer_paired needs: 100 to 200 bytes a sentence */
    const char *paired_p; /* of dgm_scorer_paired, by scorers[0]: two-sided, sacrebleu */
} dgm_scorer_options;

/* What dgm_scorer_text can write. */
typedef enum dgm_score_text {
    DGM_SCORE_NAME,            /* "BLEU", "chrF2++" */
    DGM_SCORE_SIGNATURE,       /* "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:..." */
    DGM_SCORE_SHORT_SIGNATURE, /* "#:1|c:mixed|..." */
    DGM_SCORE_DETAILS,         /* BLEU: precisions, brevity penalty, lengths; chrF: "" */
    DGM_SCORE_MULTI_BLEU       /* the line of multi-bleu.perl; chrF: DGM_USAGE */
} dgm_score_text;

/* Makes a scorer without sentences; DGM_USAGE for a name that is unknown. */
DGM_API dgm_status dgm_scorer_new(dgm_context *context, const dgm_scorer_options *options,
                                  dgm_scorer **scorer);
DGM_API void dgm_scorer_free(dgm_scorer *scorer);

/* Counts one sentence against its `count` references; a reference that is NULL is absent. */
DGM_API dgm_status dgm_scorer_add(dgm_scorer *scorer, const char *hypothesis, size_t bytes,
                                  const char *const *references, const size_t *reference_bytes,
                                  size_t count);
/* Called after each line is counted. It may call the functions of these scorers, but what it frees
 * stays; what it returns, unless DGM_OK, ends the call as that of a dgm_write_fn does. */
typedef dgm_status (*dgm_score_fn)(void *user, long line);

/*
 * Counts the lines of a hypothesis file against those of `count` reference files ("-" for one of
 * them: standard input), in every one of these scorers, which belong to one context. Numbers of
 * lines that differ are DGM_DATA. `each` may be NULL.
 */
DGM_API dgm_status dgm_scorer_add_files(dgm_scorer *const *scorers, size_t scorer_count,
                                        const char *hypothesis, const char *const *references,
                                        size_t count, dgm_score_fn each, void *user);
/* Forgets the sentences so far. */
DGM_API dgm_status dgm_scorer_reset(dgm_scorer *scorer);

/* The score of all sentences so far, 0..100, and how many they are; either pointer may be NULL.
 * Without a sentence there is no score: DGM_DATA. */
DGM_API dgm_status dgm_scorer_value(dgm_scorer *scorer, double *value, long *sentences);
/* A text about the score; the name alone needs no sentence. */
DGM_API dgm_status dgm_scorer_text(dgm_scorer *scorer, dgm_score_text what, const char **text);

/* A system, compared by paired bootstrap resampling (Koehn, EMNLP 2004). */
typedef struct dgm_paired {
    double score;      /* as dgm_scorer_value */
    double mean;       /* of the scores of the samples */
    double half_width; /* half the width of the middle 95 % of these scores */
    double p;          /* of the difference from scorers[0]: two-sided, 1 for scorers[0] itself; or
                        * sacreBLEU's, as the option paired_p of scorers[0] says */
} dgm_paired;

/*
 * Compares `count` systems with the first of them on `samples` samples of their sentences. Each
 * scorer holds one system. All were made with the same options, keep_sentences among them, and have
 * seen the same sentences in the same order; else DGM_USAGE or DGM_DATA. `results` has room for
 * `count`. The same seed gives the same results.
 */
DGM_API dgm_status dgm_scorer_paired(dgm_scorer *const *scorers, size_t count, long samples,
                                     uint64_t seed, dgm_paired *results);

/* Lines that say a phrase twice in a row while their references do not: over-translation. */
typedef struct dgm_repetitions {
    long lines;       /* of the hypothesis */
    long lines_of[5]; /* lines whose longest such phrase has 1, 2, 3, 4, or more tokens */
    long near; /* lines with two phrases in a row of 4 to 12 tokens that differ in one at most */
} dgm_repetitions;

/* Counts such lines of a hypothesis file with `count` reference files ("-" for one of them:
 * standard input, where a line with tabs inside is DGM_DATA: it is of several systems). A token is
 * what stands between spaces; of a line the first 500 count. Numbers of lines that differ are
 * DGM_DATA. */
DGM_API dgm_status dgm_count_repetitions(dgm_context *context, const char *hypothesis,
                                         const char *const *references, size_t count,
                                         dgm_repetitions *found);

/* ---- parsing: evaluation ------------------------------------------------------------------ */

/* The metrics of the CoNLL 2018 shared task, in the order of its table. */
typedef enum dgm_parse_metric {
    DGM_PARSE_TOKENS,
    DGM_PARSE_SENTENCES,
    DGM_PARSE_WORDS,
    DGM_PARSE_UPOS,
    DGM_PARSE_XPOS,
    DGM_PARSE_UFEATS,
    DGM_PARSE_ALLTAGS,
    DGM_PARSE_LEMMAS,
    DGM_PARSE_UAS,
    DGM_PARSE_LAS,
    DGM_PARSE_CLAS,
    DGM_PARSE_MLAS,
    DGM_PARSE_BLEX,
    DGM_PARSE_METRICS
} dgm_parse_metric;

/* Precision is correct / system, recall correct / gold, F1 2 correct / (system + gold), and the
 * accuracy on aligned words correct / aligned. */
typedef struct dgm_parse_counts {
    int64_t correct, gold, system;
    int64_t aligned; /* -1 for tokens, sentences and words, where it has no meaning */
} dgm_parse_counts;

typedef struct dgm_parse_eval_options {
    size_t struct_size;
    const char *multi_root; /* several roots in a sentence of the system's file: "error" (the
                             * default), "attach-first", "keep" */
    int all;                /* every metric, not only UPOS, UAS, LAS, CLAS, MLAS */
    int counts;             /* every metric, with counts and not percentages */
    int json;               /* one JSON object, with every metric, its counts and percentages */
    int earlier_heads;      /* leave out words whose gold head stands behind them */
} dgm_parse_eval_options;

/*
 * Compares a CoNLL-U file with the gold one ("-" for one of them: standard input), and writes a
 * table or JSON. Both have the same characters, white space aside, else DGM_DATA; tokens, words and
 * sentences may differ.
 */
DGM_API dgm_status dgm_parse_eval(dgm_context *context, const char *gold, const char *system,
                                  const dgm_parse_eval_options *options, dgm_write_fn write,
                                  void *user);
/* The same as numbers: `counts` has room for the first `count` metrics. */
DGM_API dgm_status dgm_parse_eval_count(dgm_context *context, const char *gold, const char *system,
                                        const dgm_parse_eval_options *options,
                                        dgm_parse_counts *counts, size_t count);

/* ---- model files, devices ----------------------------------------------------------------- */

typedef struct dgm_inspect_options {
    size_t struct_size;
    int json;       /* one JSON object instead of text for people */
    int verify;     /* compare the checksums; damage is DGM_MODEL */
    int no_tensors; /* leave out the list of tensors */
    size_t items;   /* items shown of an array; 0: 8 */
} dgm_inspect_options;

/* Writes a report on any GGUF file; DGM_MODEL if it is none. Nothing in the file is executed,
 * and no byte that could steer a terminal reaches the report. */
DGM_API dgm_status dgm_inspect(dgm_context *context, const char *path,
                               const dgm_inspect_options *options, dgm_write_fn write, void *user);

/*
 * Writes the mean of the parameters of `count` models or checkpoints to `out`, with the metadata of
 * the last, the types of its numbers, and without the state of a training run. Files whose
 * configuration, vocabularies or shapes differ are DGM_MODEL. `out` is a new file or replaces a
 * GGUF file; DGM_USAGE for one of the files that are read, for any other file, and for what is no
 * regular file.
 */
DGM_API dgm_status dgm_average(dgm_context *context, const char *const *paths, size_t count,
                               const char *out);

/* Where parts of another program's model are, and what its text is; NULL or 0: beside the model. */
typedef struct dgm_import_options {
    size_t struct_size;        /* sizeof(dgm_import_options) */
    const char *from;          /* "auto" (NULL too), "marian", "huggingface", "fairseq", "opennmt",
                                * "ctranslate2" */
    const char *codes;         /* subword-nmt's codes, for models without SentencePiece */
    const char *const *spm;    /* SentencePiece models: of both sides, or of source and target */
    const char *const *vocabs; /* vocabularies, in the same way */
    size_t spm_count, vocab_count;         /* at most 2 */
    const char *source_lang, *target_lang; /* NULL: of tokenizer_config.json, or "en" and "de" */
    const char *tokenize; /* "spm", "none" or "moses"; NULL: "spm" where there are such models;
                           * "none" leaves them out, "moses" and codes beside them are DGM_USAGE */
} dgm_import_options;

/*
 * Makes a translation model of another program one of ours: a folder, or a file of weights, of
 * Marian (.npz), Hugging Face's MarianMT and M2M-100, CTranslate2 (model.bin), and what
 * scripts/export-checkpoint.py writes of fairseq and OpenNMT-py. `out` is as for dgm_average. out
 * NULL: nothing is written, and `write` is told of every setting and where every tensor goes.
 * DGM_MODEL, by the name of a setting or a tensor, for a network that none of ours is, and for
 * damaged files. Nothing is executed.
 */
DGM_API dgm_status dgm_import(dgm_context *context, const char *path,
                              const dgm_import_options *options, const char *out,
                              dgm_write_fn write, void *user);

/*
 * Writes a translation model or a parser with its matrices in fewer bits to `out`: `type` is "q8_0"
 * (NULL too), bytes with a scale for every 32 of a row; "bf16"; or "f16". Vectors stay as they are;
 * the state of a training run is left out. A matrix whose rows are no multiple of 32 becomes f16
 * where q8_0 was asked for. DGM_MODEL for a model that has such types already, and where nothing
 * can become of the type. `out` is as for dgm_average.
 */
DGM_API dgm_status dgm_quantize(dgm_context *context, const char *path, const char *type,
                                const char *out);

/*
 * Writes a plain Transformer as a folder for another program: `to` is "ctranslate2" (NULL too), or
 * "huggingface": what MarianMTModel of transformers loads. The numbers are f32. DGM_UNSUPPORTED,
 * with the option's name, for a model that the program cannot express. `out` is a new folder; with
 * `overwrite` also one that is there, whose other files are kept in `out`.old. A failure leaves
 * nothing behind.
 */
DGM_API dgm_status dgm_export(dgm_context *context, const char *path, const char *to,
                              const char *out, int overwrite);

typedef struct dgm_shortlist_options {
    size_t struct_size;
    const char *model;           /* whose vocabularies and pieces these are */
    const char *source, *target; /* a parallel corpus to learn from ... */
    const char *table;           /* ... or, instead, p(target | source) from lines `target source
                                  * probability`, in the model's pieces; one of the two is needed */
    int first;        /* the most frequent target words, which are always allowed; 0: 100;
                       * -1: none. Without a corpus, the first of the vocabulary */
    int best;         /* translations of each source word, the most probable ones; 0: 100 */
    double threshold; /* no translation that is less probable, 0..1 */
    int pairs;        /* of the corpus, at most so many, spread over it; 0: 500,000 */
    const char *tag;  /* of a model that has learned tags: in front of each source; NULL: none */
} dgm_shortlist_options;

/*
 * Finds the target words that translations of each source word use, and writes them to the file
 * `out` for dgm_translator_options.shortlist. From a corpus they are learned by model 1 of Brown et
 * al. (1993). A target word that is spelled like a source word is a translation of it. DGM_DATA for
 * a corpus or a table that is none; DGM_USAGE where `out` is one of the inputs or no regular file.
 */
DGM_API dgm_status dgm_shortlist_make(dgm_context *context, const dgm_shortlist_options *options,
                                      const char *out);

/* Writes what this machine computes with: the processor, the instruction sets that there are
 * kernels for, which of them would be used, and why others would not; then the OpenCL devices,
 * each with its number. */
DGM_API dgm_status dgm_devices(dgm_context *context, dgm_write_fn write, void *user);
/* Opens the device that dgm_context_set_devices chose and tries each operation there. Writes which
 * operations agree with the CPU, line by line as it finds out, and then which it leaves to the CPU,
 * with the reasons. */
DGM_API dgm_status dgm_devices_explain(dgm_context *context, dgm_write_fn write, void *user);

/*
 * Called again and again during long work with how much is done, how much there is, and a short
 * text that is valid during the call only. Training counts the batches of the epoch, after every
 * update, with "epoch 2, cost 3.691, 31317 words/s, 1:02:03 left"; translating counts lines, after
 * every batch; tuning counts values of parameters.
 */
typedef void (*dgm_progress_fn)(void *user, int64_t done, int64_t total, const char *text);

/*
 * Measures how matrix products are best cut for the OpenCL device that dgm_context_set_devices
 * chose, or for each device if none was chosen. What is clearly better than the defaults goes into
 * the cache, where later runs find it, and the report compares the two. No result depends on it.
 * `progress` may be NULL. DGM_FAILURE where nothing can be stored.
 */
DGM_API dgm_status dgm_devices_tune(dgm_context *context, dgm_write_fn write, void *user,
                                    dgm_progress_fn progress, void *progress_user);

/* ---- training ----------------------------------------------------------------------------- */

typedef struct dgm_train_options {
    size_t struct_size;
    const char *const *names; /* options of `dragoman train`, without the dashes */
    const char *const *values;
    size_t count;
    const char *config;       /* a file of `name = value` lines, read first; may be NULL */
    dgm_progress_fn progress; /* may be NULL */
    void *progress_user;
} dgm_train_options;

/*
 * Trains a model from text files and writes it where the option `model` says. Checkpoints go beside
 * it. The same call continues a run that was stopped or killed, and the model has the same bytes in
 * the end. After dgm_context_stop the run is saved and the status DGM_INTERRUPTED. DGM_DIVERGED:
 * the loss or a gradient is no number. A model that is locked trains on: the log of the context
 * warns of it once, and the figures are in metrics.jsonl beside the checkpoints (dragoman(1)).
 */
DGM_API dgm_status dgm_train(dgm_context *context, const dgm_train_options *options);

/* ---- models that are shared --------------------------------------------------------------- */

/*
 * A model in memory once, for any number of translators and rescorers, each in a thread and a
 * context of its own. It computes on processors; those who use it name it in `shared` instead of
 * files in `models`, and use the same instruction set. Who made it gives it back with
 * dgm_model_free, which may be before its users are freed: its memory goes with the last of them.
 * The context that it was made with, which counts its memory, must outlive them all.
 */
typedef struct dgm_shared dgm_model;

typedef struct dgm_model_open_options {
    size_t struct_size;
    const char *compute_type; /* what weights are multiplied as: as in dgm_translator_options */
    int trusted;              /* checksums of tensors are not compared: a file that was checked
                               * before, with dgm_inspect. Its form and numbers are looked at all
                               * the same */
} dgm_model_open_options;

/* Loads a model file, with the parser inside it if there is one. DGM_MODEL says what is wrong with
 * it; DGM_UNSUPPORTED where the context computes elsewhere than on processors. */
DGM_API dgm_status dgm_model_open(dgm_context *context, const char *path,
                                  const dgm_model_open_options *options, dgm_model **model);
/* The same from the bytes of such a file, which may be freed when the call has returned; they need
 * no alignment. `name`, for messages, may be NULL. */
DGM_API dgm_status dgm_model_from_memory(dgm_context *context, const void *bytes, size_t size,
                                         const char *name, const dgm_model_open_options *options,
                                         dgm_model **model);
DGM_API void dgm_model_free(dgm_model *model);

/* ---- translating -------------------------------------------------------------------------- */

typedef struct dgm_translator dgm_translator;

typedef struct dgm_translator_options {
    size_t struct_size;
    const char *const *models; /* one file, or several: an ensemble with the same vocabularies.
                                * Weights of another program, as dgm_import takes them without
                                * options (.bin, .npz, .safetensors), are imported into memory */
    size_t model_count;
    /* Search options that are 0 or NULL are those that the first model says it was searched with
     * where it comes from (dgm_import), or, of others, the defaults named here. */
    int beam;             /* hypotheses kept in the search, 1..64; 0: 5 */
    const char *penalty;  /* length: "fairseq" (the default), "gnmt", "none" */
    int has_alpha;        /* else 0.6 */
    double alpha;         /* strength of the length penalty, 0..10 */
    double length_factor; /* at most this many tokens for each source token, up to 100; 0: 2 */
    int n_best;           /* translations to keep of each line, 1..beam; 0: 1 */
    int batch_tokens;     /* source tokens searched together, at most; 0: 2000 */
    const char *trees;    /* a file with a sentence for each line: CoNLL-U, or brackets if all
                           * models that read trees can read constituents; NULL: see no_trees */
    int keep_tokens;      /* results are words with blanks between, not running text */
    int no_trees;         /* translate without trees. 0, and no file of trees: the parser in a
                           * model's file makes them where a model uses them; if there is none
                           * either, a model that needs trees is DGM_USAGE */
    int attention;        /* dgm_translator_attention will be asked for; one model */
    const char *attention_kinds;  /* of "encoder", "decoder", "cross", or "all"; NULL: "cross" */
    const char *attention_layers; /* "1-3 5", "last" (the default) or "all" */
    const char *attention_heads;  /* from 0: "0-3 5", "mean" (the default, of all) or "all" */
    const char *beam_rule;        /* how the search ends: "fairseq" (the default), "shrinking" */
    const char *no_parse;         /* a line without a tree, where a model needs one: "star" (to a
                                   * recurrent encoder all words are roots) or "chain" (each word
                                   * depends on the one before it), it is translated without;
                                   * "reject", it has no translation, and the log names it; NULL:
                                   * as the models were trained */
    dgm_progress_fn progress;     /* how many lines of a run are translated; may be NULL */
    void *progress_user;
    const char *compute_type; /* what weights are multiplied as: "auto" (the default), what
                                   * suits the types of the file, int8 for q8_0, bf16 for bf16;
                                   * "f32"; or "int8" or "bf16", with activations in as many
                                   * bits, which a device that has f32 alone refuses with
                                   * DGM_UNSUPPORTED */
    const char *shortlist;    /* a file of dgm_shortlist_make for these models: a line uses the
                                   * words that are always allowed and those of its source words,
                                   * and probabilities are those among them; DGM_MODEL for a file
                                   * that was made for other vocabularies. NULL: all words */
    const char *tag;          /* what stands in front of each line, such as "<de>": one of the
                                   * tags that the models have learned, else DGM_USAGE; NULL:
                                   * nothing */
    dgm_model *const *shared; /* instead of `models`: models that are loaded already. They say
                                   * what weights are multiplied as: compute_type is NULL then */
    size_t shared_count;
    int alignment;          /* dgm_translator_alignment will be asked for; one model */
    const char *target_tag; /* what each translation begins with, such as "<de>": of models whose
                             * translations begin with a tag, as M2M-100, one of the tags that they
                             * have, else DGM_USAGE. It is not in the text, its probability is not
                             * in the scores; it counts in lengths. NULL: the models choose */
    int allow_empty;  /* the end may be the first token of a search, so that a line of words has an
                      * empty translation. Else a translation has words, and where the models find
                      * none, it is the line itself, with scores of minus infinity */
    int no_line_tags; /* a tag at the head of a line, <de>, >>de<< or __de__, is a word of it. Else
                       * it stands in place of `target_tag` where translations begin with a tag,
                       * and of `tag` where the models have learned tags otherwise, so that one
                       * queue may have several languages. One that they do not know goes, and the
                       * log says so; __de__ is text then */
    const char *letter_case; /* "keep" (the default); "auto": a line in capitals or a title is
                              * translated as a sentence, and its translation written as it was */
    const char *split; /* lines of several sentences: "auto" (the default), any where the models
                        * were trained on single sentences, else one that is longer than the mean of
                        * their text (25 tokens, where they do not say), is cut into sentences, at
                        * clauses where one is longer than they read, and its result joined again,
                        * scores summed; "sentence", every line is; "none". A line with a tree of
                        * its own is never cut, and none with no_parse "reject" */
    int crop;          /* a sentence that is longer than the models read loses its end, with a
                        * warning; so does, in any case, a line that is not to be cut */
    int replace_unk;   /* in place of an unknown mark, <unk>, a translation has the word of the line
                        * that it is linked to (dgm_translator_alignment, of the first model that
                        * has learned links), whole and spelled as it came; once, where marks in a
                        * row have the same word. Tokens and scores are those of the mark. 0: so it
                        * is where a model has learned links. A model that has not is taken, with a
                        * warning */
    int no_replace_unk;  /* marks stay; not with replace_unk */
    const char *protect; /* what no model sees, and comes through as it is, where the words around
                          * went: "all", "none", some of code,tag,url,mail,placeholder,emoji,
                          * number; "auto": all, but no numbers that the vocabulary spells. NULL:
                          * auto for running text; none where text is cut into words already, or
                          * trees, attention or alignment have the words of lines */
    int allow_unk;       /* a translation may have unknown marks. 0: so it is where marks are
                       * replaced, and of models whose mark is a token, <unk>; not of those with
                       * pieces of SentencePiece, whose mark would stand among the letters */
    int no_allow_unk;    /* it has none; not with allow_unk */
    int no_cache;       /* a sentence that comes again is searched again; its results, which are the
                          * same, are else kept, up to 32 MiB of them, unless it has a tree or
                          * memory is limited */
    const char *langid; /* a model of dgm_langid_train, which is asked for the language of each
                         * line: one in the language of the translations (of the target tag, else
                         * that which the models were trained with) is its own translation; where
                         * translations begin with tags, the tag in front of another is that of its
                         * language, not `tag`. NULL: nobody asks. Not with attention, alignment or
                         * trees */
    const char *lines;  /* what lines are, for models that were trained on text that somebody else
                         * had cut into tokens: "raw", running text, which is cut by Moses' rules,
                         * and results are put together; "tokens", with blanks between; "auto"
                         * (NULL): each what it looks like, where the vocabulary is one of tokens
                         * and no trees are read. Unless they are "tokens", such models read all
                         * lines in small letters where their vocabulary has no capitals */
    /* How the translations are translated further, as German into English and that into French:
     * the n_best of each line go on, and the n_best of `then` are its translations, of which scores
     * and log-probabilities are the sums of both steps. Without attention, further steps and trees
     * of these; alignment is asked for of both or of none, n_best being 1 here, of models with
     * pieces of SentencePiece. NULL: they are not. */
    const struct dgm_translator_options *then;
} dgm_translator_options;

/* Loads the models, which the handle keeps; DGM_UNSUPPORTED if the device is not there. */
DGM_API dgm_status dgm_translator_new(dgm_context *context, const dgm_translator_options *options,
                                      dgm_translator **translator);
DGM_API void dgm_translator_free(dgm_translator *translator);

/* Queues a line of source text. Its number is the count of lines in the queue so far, from 0. The
 * first line after a run begins a new queue. A line that cannot be one (DGM_USAGE) leaves the queue
 * as it was; any other failure forgets the whole queue. */
DGM_API dgm_status dgm_translator_add(dgm_translator *translator, const char *line, size_t bytes);
/*
 * Translates what is queued. The results of *lines lines can then be had, until the next add or
 * run. After DGM_INTERRUPTED *lines is how many lines, from the first on, are translated; their
 * results can be had once the error is cleared.
 */
DGM_API dgm_status dgm_translator_run(dgm_translator *translator, size_t *lines);
/* Says that no line follows: DGM_DATA if the file of trees has one more. The log says how many
 * lines had no tree; *refused is how many of them were not translated (no_parse). refused may be
 * NULL. */
DGM_API dgm_status dgm_translator_finish(dgm_translator *translator, size_t *refused);
/* How many translations a line has: 0 for a blank line, whose translation is blank. */
DGM_API dgm_status dgm_translator_count(dgm_translator *translator, size_t line, size_t *count);
/* Translation `rank` (0: the best) of a line. logp: the sum of the tokens' log-probabilities;
 * score: the same after the length penalty. Any pointer may be NULL. */
DGM_API dgm_status dgm_translator_result(dgm_translator *translator, size_t line, size_t rank,
                                         const char **text, size_t *bytes, double *score,
                                         double *logp);

/* How many words a line has that was added since the last run, or was in it, and how many of them
 * are not in the vocabulary of the models, which read <unk> in their place; of SentencePiece,
 * pieces count as words. dgm_translator_finish logs the sums over all lines, as a warning where
 * more than one word in ten is unknown. Either pointer may be NULL. */
DGM_API dgm_status dgm_translator_unknown(dgm_translator *translator, size_t line, int64_t *words,
                                          int64_t *unknown);

/* The attention weights of a line and its best translation: one JSON object without a newline
 * (doc/attention.md). `bytes` may be NULL. DGM_USAGE unless the option `attention` asked for it. */
DGM_API dgm_status dgm_translator_attention(dgm_translator *translator, size_t line,
                                            const char **json, size_t *bytes);

/* The links between the words of a line and those of its best translation, "0-0 1-2": source word,
 * target word, from 0, by the attention that train --guided-alignment trains: that of the first
 * head of the last decoder layer, or of the layer that the model was trained with. Words stand
 * between blanks, those of the translation as keep_tokens writes them; one that replaces <unk> has
 * the word that it is. `bytes` may be NULL. DGM_USAGE unless the option `alignment` asked for
 * it. */
DGM_API dgm_status dgm_translator_alignment(dgm_translator *translator, size_t line,
                                            const char **links, size_t *bytes);

/*
 * Translates a document: format "html", "markdown", "srt", "vtt" or "po", in UTF-8
 * (doc/documents.md). `write` gets the document with what is text in it translated, a line of the
 * queue for each segment of it, and all else byte by byte. Nothing may be queued before. After
 * DGM_INTERRUPTED and other failures what was written is the beginning of the document.
 */
DGM_API dgm_status dgm_translator_document(dgm_translator *translator, const char *format,
                                           const char *document, size_t bytes, dgm_write_fn write,
                                           void *user);

/* ---- rescoring ---------------------------------------------------------------------------- */

/* How probable a model finds translations that are given to it. */
typedef struct dgm_rescorer dgm_rescorer;

typedef struct dgm_rescorer_options {
    size_t struct_size;
    const char *const *models; /* one file, or several: an ensemble with the same vocabularies */
    size_t model_count;
    const char *penalty;  /* length: "none" (the default), "fairseq", "gnmt" */
    int has_alpha;        /* else 0.6 */
    double alpha;         /* strength of the length penalty, 0..10 */
    int batch_tokens;     /* tokens, of the longer side of each pair, scored together; 0: 2000 */
    const char *trees;    /* of the sources: as in dgm_translator_options */
    int no_trees;         /* the same */
    const char *no_parse; /* the same */
    const char *compute_type; /* the same */
    const char *tag;          /* the same */
    dgm_model *const *shared; /* the same */
    size_t shared_count;
    const char *target_tag; /* the same: what each target begins with, and is not in its text */
    int no_line_tags;       /* the same, of sources */
} dgm_rescorer_options;

/* Loads the models, as dgm_translator_new. */
DGM_API dgm_status dgm_rescorer_new(dgm_context *context, const dgm_rescorer_options *options,
                                    dgm_rescorer **rescorer);
DGM_API void dgm_rescorer_free(dgm_rescorer *rescorer);

/* Queues a source and its translation. The number of the pair is the count of pairs in the queue so
 * far, from 0. The first pair after a run begins a new queue; a failure forgets the whole queue. */
DGM_API dgm_status dgm_rescorer_add(dgm_rescorer *rescorer, const char *source, size_t source_bytes,
                                    const char *target, size_t target_bytes);
/* Says that no pair follows: as dgm_translator_finish, of the words of both sides. */
DGM_API dgm_status dgm_rescorer_finish(dgm_rescorer *rescorer, size_t *refused);
/* Scores what is queued. The results of *pairs pairs can then be had, until the next add or run.
 * After DGM_INTERRUPTED they are the first ones, as with dgm_translator_run. */
DGM_API dgm_status dgm_rescorer_run(dgm_rescorer *rescorer, size_t *pairs);
/* The result of a pair. logp: the sum of the log-probabilities of the target's tokens, its end
 * included, given the source, where an ensemble averages probabilities; score: the same after the
 * length penalty. Both are 0 for a blank source, and NaN for one that was refused because it had no
 * tree (no_parse). Either pointer may be NULL. */
DGM_API dgm_status dgm_rescorer_result(dgm_rescorer *rescorer, size_t pair, double *score,
                                       double *logp);
/* Of a pair that was added since the last run, or was in it, what dgm_translator_unknown tells of a
 * line: two numbers each, of the source and of the target. Either pointer may be NULL. */
DGM_API dgm_status dgm_rescorer_unknown(dgm_rescorer *rescorer, size_t pair, int64_t words[2],
                                        int64_t unknown[2]);

/* ---- parsing ------------------------------------------------------------------------------ */

/*
 * Trains a dependency parser from a treebank, as dgm_train does a translation model: options are
 * those of `dragoman train-parser`.
 */
DGM_API dgm_status dgm_train_parser(dgm_context *context, const dgm_train_options *options);

typedef struct dgm_annotator dgm_annotator;

typedef struct dgm_annotator_options {
    size_t struct_size;
    const char *model;       /* a parser, or a translation model: the parser inside, or else its
                              * attention head that is one (lisa, dbsa); NULL with `models` */
    const char *input;       /* what comes in: "raw" running text (default), "lines" of it, each a
                              * sentence, "tokens", "conllu" */
    const char *language;    /* of running text; NULL: "en" */
    const char *output;      /* "conllu" (the default), "json" or "brackets", a line for each
                              * sentence, "svg", a picture of all, or values for each subword piece:
                              * "heads", "depths", "distances", "positions", "firsts", "tags",
                              * "labels", "pieces" */
    const char *codes;       /* BPE codes that cut words into pieces; NULL: words are pieces */
    const char *separator;   /* behind a piece that does not end its word; NULL: "@@" */
    const char *probability; /* of arcs, into MISC: "none" (the default), "row", "marginal" */
    int chain;               /* depths and distances of a tree over pieces; 0: of their words */
    int projective;          /* the best tree without crossing arcs */
    int retag;               /* replace tags, features and lemmas that are given in CoNLL-U */
    int immediate;           /* hand out each sentence before the next is read */
    int batch_words;         /* words parsed together; 0: 2000 */
    int from_attention;      /* the attention head, though there is a parser inside */
    const char *source;      /* what comes in is translations, and the decoder's attention head that
                              * parses them (dbsa) wants their sources: this file, a line for each
                              * sentence, as `translate` reads it. Each word gets the likeliest of
                              * the words before it as its head, or none, and is a root: there may
                              * be several. NULL: no translations */
    const char *compute_type; /* what weights are multiplied as: as in dgm_translator_options */
    const char *tokenizer;    /* what cuts running text: "own", the parser, if it was trained to;
                               * "moses", rules; "auto" (the default): "own" where the parser can */
    const char *split;        /* with the parser's own: "none" (the default), a line is a sentence;
                               * "lines", a line may be several; "document", sentences go over the
                               * ends of lines, and blank lines end paragraphs */
    int ranges; /* with the parser's own: TokenRange in MISC, the characters of a token, counted
                 * from the beginning of its line or, of a "document", of the text */
    const char *tokens;   /* with the parser's own, for values of pieces: what gets them: "own" (the
                           * default), its words; "moses", the tokens of Moses' rules, or "blanks",
                           * what stands between blanks, over which the trees are laid */
    const char *columns;  /* of CoNLL-U that the parser writes: some of "upos", "xpos", "feats",
                           * "lemma", "head", "deprel", between commas; NULL: all that it has
                           * learned. Of CoNLL-U that comes in, the others stay as they are; tags,
                           * features and lemmas that it gives do, too, without `retag` */
    const char *treebank; /* of a parser that tells treebanks apart (train-parser --treebanks), the
                           * one to annotate like; NULL: the first, and a note says which; DGM_MODEL
                           * for a name that it does not have */
    const char *const *models; /* instead of `model`: one file, or several, an ensemble of parsers,
                                * alone or inside translation models, that know the same relations,
                                * tags and, of the columns that the first has learned and are
                                * written, the same values. Their probabilities are averaged; the
                                * first cuts running text. At most 16 */
    size_t model_count;        /* 0: `model` */
    const char *sent_id;       /* before the number in each # sent_id of CoNLL-U: that of the line,
                                * and ".N" behind it for the N-th sentence of one that may be
                                * several ("lines"); of a "document" or of CoNLL-U, that of the
                                * sentence. IDs that come in stay. NULL: the number alone */
} dgm_annotator_options;

/* Loads the models, which the handle keeps: names and arrays of the options are the caller's and
 * may go. DGM_MODEL if nothing in one can parse, or if a parser knows other classes than the
 * first. */
DGM_API dgm_status dgm_annotator_new(dgm_context *context, const dgm_annotator_options *options,
                                     dgm_annotator **annotator);
DGM_API void dgm_annotator_free(dgm_annotator *annotator);

/*
 * Parses a whole file ("-": standard input) in the order of its lines or, with CoNLL-U, of its
 * sentences. Every line keeps its place. A blank line becomes a comment alone in CoNLL-U; a line
 * that is too long for the parser, words without a tree, and the log has a warning. Otherwise both
 * become an empty line.
 */
DGM_API dgm_status dgm_annotator_file(dgm_annotator *annotator, const char *path,
                                      dgm_write_fn write, void *user);
/* Gives what would be written for one line of text. DGM_USAGE with "conllu" input or sources. */
DGM_API dgm_status dgm_annotator_line(dgm_annotator *annotator, const char *line, size_t bytes,
                                      const char **out, size_t *out_bytes);

/* ---- drawing ------------------------------------------------------------------------------ */

typedef struct dgm_draw_options {
    size_t struct_size;
    const char *format;  /* "text" (the default) or "svg" */
    int width;           /* columns of a text drawing, 60..1000; 0: 100 */
    int ascii;           /* its lines in plain characters */
    long sentence;       /* which one to draw, from 1; 0: all */
    int no_tags;         /* words only */
    const char *compare; /* CoNLL-U of the same words: arcs not in it stand out; NULL: none */
    int page;            /* SVG: a sentence wider than so many pixels, 300 or more, fills several
                          * rows; 0: 1000; negative: never */
} dgm_draw_options;

/*
 * Draws the dependency trees of a CoNLL-U file ("-": standard input). Text is written sentence by
 * sentence; SVG is one picture with all the trees below each other. A sentence without a usable
 * tree is drawn as words without arcs, and so is one of more than 10,000 words, cut there.
 */
DGM_API dgm_status dgm_draw_trees(dgm_context *context, const char *path,
                                  const dgm_draw_options *options, dgm_write_fn write, void *user);

typedef struct dgm_draw_attention_options {
    size_t struct_size;
    const char *format; /* "text" (the default) or "svg" */
    int width;          /* columns of a text drawing, 60..1000; 0: 100 */
    int ascii;          /* its shades in plain characters */
    long line;          /* of the text that was translated, from 1; 0: all */
    const char *kind;   /* "encoder", "decoder", "cross"; NULL: any */
    int layer;          /* from 1; 0: any */
    const char *head;   /* "mean", or a number from 0; NULL: any */
    int pieces;         /* subword pieces, not words */
    int grid;           /* SVG: small maps, a row for each layer, a column for each head */
} dgm_draw_attention_options;

/*
 * Draws attention weights as maps: a row shows how much its token looks at that of each column. The
 * file ("-": standard input) holds results of dgm_translator_attention, one on each line. Where the
 * columns are words of a source that had a dependency tree, the tree stands above them. DGM_DATA
 * for a file that holds no such weights.
 */
DGM_API dgm_status dgm_draw_attention(dgm_context *context, const char *path,
                                      const dgm_draw_attention_options *options, dgm_write_fn write,
                                      void *user);

typedef struct dgm_draw_chart_options {
    size_t struct_size;
    const char *format; /* "text" (the default) or "svg" */
    int width;          /* columns of a text drawing, 60..1000; 0: 100 */
    int ascii;          /* its bars in plain characters */
    const char *type;   /* "bars" (the default) or "lines" */
    const char *x;      /* name of a column: categories; numbers, for lines, if all of it are */
    const char *y;      /* names of columns, with commas between: the values of a series each */
    const char *series; /* name of a column whose values split the rows into series; NULL: none */
    const char *error;  /* names of as many columns as y: half of a whisker each; NULL: none */
    const char *title, *x_label, *y_label; /* NULL: none, the name of the column */
    const char *from; /* number at which the axis of values begins; NULL: bars at 0, lines where
                         * the values do */
} dgm_draw_chart_options;

/*
 * Draws a chart of a CSV file (RFC 4180; "-": standard input), whose first line names the columns.
 * A value that is empty, - or no finite number is left out, and the log has a warning with how
 * many. DGM_DATA for a file that is no such table; DGM_USAGE for a column that it does not have.
 */
DGM_API dgm_status dgm_draw_chart(dgm_context *context, const char *path,
                                  const dgm_draw_chart_options *options, dgm_write_fn write,
                                  void *user);

typedef struct dgm_draw_training_options {
    size_t struct_size;
    const char *format;  /* "text" (the default) or "svg" */
    int width;           /* columns of a text drawing, 60..1000; 0: 100 */
    const char *x;       /* "updates" (the default), "epochs", "words", "seconds" */
    const char *metrics; /* names of numbers of the logs, with commas between: a panel each; NULL:
                          * costs, validations, learning rate, gradient norm */
    long smooth;         /* lines of the log that a mean is over, about; 1: no mean; 0: a
                          * fiftieth of the longest log */
    const char *title;   /* NULL: none */
} dgm_draw_training_options;

/*
 * Draws the curves of runs of training from their logs, panels one above another. A run is a model
 * m.gguf that is or was trained, whose log is m.gguf.ckpt/metrics.jsonl; that folder; or a log
 * itself ("-": standard input). DGM_DATA for what is no log, DGM_USAGE for a number that no log
 * has.
 */
DGM_API dgm_status dgm_draw_training(dgm_context *context, const char *const *runs, size_t count,
                                     const dgm_draw_training_options *options, dgm_write_fn write,
                                     void *user);

/* ---- converting trees --------------------------------------------------------------------- */

typedef struct dgm_convert_options {
    size_t struct_size;
    const char *from;       /* "conllu" (the default), "conllx", "typed", "brackets" */
    const char *to;         /* one of these, or "words": a line of words for each sentence, or
                             * "binary": brackets around two constituents each, as encoders of
                             * constituents read the tree, or "json": a line for each sentence */
    const char *multi_root; /* several roots in a sentence: "error" (the default),
                             * "attach-first", "keep" */
    int strict;             /* of CoNLL-U, check all that levels 1 and 2 of UD's validator do */
    int lenient;     /* a sentence that is no tree is no error: its words stay, without a tree */
    int allow_empty; /* comments without words are an empty sentence */
    int free_lines;  /* bracketed trees end with their brackets, not with their lines */
    int keep_tags;   /* of bracketed trees: NP-SBJ-1 does not become NP */
    uint64_t random_seed;   /* not 0: replace each dependency tree by a random one of its words, or
                             * give them one; the seed names them */
    const char *head_rules; /* of brackets that become dependencies, for which it is needed: which
                             * child of a phrase is its head: "english", by the rules of Collins
                             * (1999) for the Penn Treebank; "first", "last" that is no punctuation;
                             * "word", the one that is a word, as brackets of dependencies have
                             * it */
    const char *relations;  /* of the same: "phrases" (the default), such as s-np; "labels" of the
                             * constituent alone; "dep" */
} dgm_convert_options;

/*
 * Writes the trees of a file ("-": standard input) in another format; in the same format it checks
 * them. What stands before the first error is written.
 */
DGM_API dgm_status dgm_convert_trees(dgm_context *context, const char *path,
                                     const dgm_convert_options *options, dgm_write_fn write,
                                     void *user);

#ifdef __cplusplus
}
#endif

#endif
