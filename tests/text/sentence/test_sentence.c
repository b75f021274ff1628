/* test_sentence.c: where sentences end. In the texts below a bar stands where one is to begin. */
#include "text/sentence/sentence.h"

#include <string.h>

#include "base/buf.h"
#include "test.h"

/* The text that is left without the bars is cut again where these were. */
static void check_cuts(const char *language, const char *want)
{
    struct dgm_buf text = { 0 }, got = { 0 };
    struct dgm_sentence_walk walk;
    struct dgm_sentence_span sentence;

    CHECK_STATUS(dgm_buf_add(test_env(), &text, "", 0), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), &got, "", 0), DGM_OK);
    for (const char *at = want; *at != '\0'; at++)
        if (*at != '|')
            CHECK_STATUS(dgm_buf_add_char(test_env(), &text, *at), DGM_OK);
    dgm_sentence_walk_begin(&walk, language, text.data, text.size);
    for (size_t at = 0; dgm_sentence_walk_next(&walk, &sentence); at = sentence.next) {
        if (at > 0)
            CHECK_STATUS(dgm_buf_add_char(test_env(), &got, '|'), DGM_OK);
        CHECK_STATUS(dgm_buf_add(test_env(), &got, text.data + at, sentence.next - at), DGM_OK);
    }
    CHECK_STR(got.data, want);
    dgm_buf_clear(test_env(), &text);
    dgm_buf_clear(test_env(), &got);
}

TEST(sentence_ends_at_marks)
{
    check_cuts("en", "Hello, world! |This is \"raw\" text. |Is it? |Yes.");
    check_cuts("en", "  She left...  |Why?!  |Nobody knows… |Really.  ");
    check_cuts("en", "He stopped... and went on. |\"Why?\" he said. |\"Go!\"");
    check_cuts("en", "no mark at all");
}

/* Small letters throughout, each mark a token of its own, as some training texts are. */
TEST(sentence_ends_at_marks_that_are_tokens)
{
    check_cuts("en", "a man walks . |the dog of mr. smith barks at no. 5 . |it is 5 p.m. today .");
    check_cuts("en", "what is it ? |a cat . . . and so on .");
    check_cuts("en", "a kid wearing the number &quot; 93 . &quot;");
    check_cuts("de", "er kam z. b. um 8 uhr . |der zug war weg .");
}

TEST(sentence_keeps_what_closes)
{
    check_cuts("en", "(He left.) |She said: \"It is.\" |'Good.' |[So.]");
    check_cuts("en", "It was built.[12] |It fell.[3][4] |He smiled. :-) |She did not.");
    check_cuts("fr", "« Il vient. » |Elle dit : « Non ! » |Oui.");
    check_cuts("de", "Er kam. |»Wo?« |»Hier.«");
}

TEST(sentence_knows_abbreviations)
{
    check_cuts("en",
               "Dr. Smith met Mr. J. R. Brown vs. Jones at 5 p.m. |The U.S. Senate, No. 5, etc. "
               "|He left.");
    check_cuts("en", "See e.g. Fig. 3 and pp. 4. |It grew by 3.5 in the U.S. |It fell.");
    check_cuts("de",
               "Am 3. Oktober 1990, z. B. um 8 Uhr bzw. St. Peter. |Ludwig XIV. von X. |Es war "
               "1990. |Der 2. Weltkrieg usw. |Die Nr. 7.");
    check_cuts("fr", "M. Dupont et Mme. Durand, av. J.-C. etc. |Le no. 5, p. ex. Paris.");
    check_cuts("es", "El Sr. García vive en EE.UU. |La Dra. Ruiz, pág. 5.");
    check_cuts("it", "Il dott. Rossi, ecc. |La sig.ra Bianchi, pag. 3.");
    check_cuts("cs", "Dne 3. října 1990 přišel p. Novák atd. |Ten 2. ročník.");
    check_cuts("ru", "В 1990 г. |Это т. е. ул. Ленина. |И. П. Павлов и др. |Он жил.");
    check_cuts("tr", "Prof. Dr. Kaya 3. Selim'i gördü. |Bu vb. |Ama yok.");
    check_cuts("hu", "A 3. Béla stb. |Az 1990. év. |Dr. Nagy.");
}

TEST(sentence_keeps_labels_and_addresses)
{
    check_cuts("en", "1. Take it. |2. Leave them. |Go to www.x.org/a?b=c. |Write to a.b@c.de now.");
    check_cuts("en", "Use .NET, i.e. a thing. |iPhones came. |eBay, too.");
}

TEST(sentence_of_other_scripts)
{
    check_cuts("el", "Πού είναι; |Εδώ. |Ο κ. Παπάς κ.λπ. |Και η κα. Άννα.");
    check_cuts("ar", "هل هذا كتاب؟ |نعم. |قال د. أحمد.");
    check_cuts("zh", "你好。|他说：“好！”|我3.5。|真的？|是……的。");
    check_cuts("ja", "「はい。」と言った。|本当？|はい。");
    check_cuts("hi", "यह है। |वह है। |क्या?");
}

/* UAX 29, as the Unicode Standard has it. */
TEST(sentence_by_unicode)
{
    check_cuts("et", "c.d 3.4 U.S. the resp. leaders are (“Etc.)” ‘(the dr. |Who");
    check_cuts("et", "It is.) |Then (“Go.”) |He went?) \r\n|a.\n|B");
}

/* Hostile rows of marks take no more time than others. */
TEST(sentence_is_linear)
{
    enum { SIZE = 200000 };
    static const char *const rows[] = {
        ".", ". ", ".(", "((", "1.", "A. ", "\xCC\x88", ".\xCC\x88"
    };
    static const char *const languages[] = { "en", "ja", "hi" };
    struct dgm_sentence_walk walk;
    struct dgm_sentence_span sentence;
    static char text[SIZE];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = strlen(rows[i]);

        for (size_t at = 0; at + length <= SIZE; at += length)
            memcpy(text + at, rows[i], length);
        for (size_t j = 0; j < sizeof languages / sizeof languages[0]; j++) {
            dgm_sentence_walk_begin(&walk, languages[j], text, SIZE - SIZE % length);
            while (dgm_sentence_walk_next(&walk, &sentence))
                CHECK(sentence.next > sentence.start);
        }
    }
}
