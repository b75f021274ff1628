/* test_general.c: words of languages without rules of Moses, cut and joined again. */
#include <string.h>

#include "test.h"
#include "text/tokenize/detokenize.h"
#include "text/tokenize/tokenize.h"

/* The tokens of a text, and that they are the text again. */
static void check_words(const char *language, const char *text, const char *want)
{
    const struct dgm_tokenize_options options = { .language = language };
    struct dgm_buf tokens = { 0 }, back = { 0 };

    CHECK_STATUS(dgm_tokenize_line(test_env(), &tokens, text, strlen(text), &options), DGM_OK);
    CHECK_STR(tokens.data, want);
    CHECK_STATUS(dgm_detokenize_line(test_env(), &back, tokens.data, tokens.size, language),
                 DGM_OK);
    CHECK_STR(back.data, text);
    dgm_buf_clear(test_env(), &tokens);
    dgm_buf_clear(test_env(), &back);
}

TEST(general_cuts_marks_at_the_ends_of_words)
{
    check_words("cs", "(Ano, ano): \"ne!\"", "( Ano , ano ) : \" ne ! \"");
    check_words("cs", "v 23:45 a 5,5 % (i 3%-ní) za 5 $, $7",
                "v 23:45 a 5,5 % ( i 3%-ní ) za 5 $ , $7");
    check_words("fi", "EU:n ja Marat/Sade, 830–846.", "EU:n ja Marat/Sade , 830–846 .");
    check_words("pl", "„Tak” – rzekł… «nie»", "„ Tak ” – rzekł … « nie »");
    check_words("es", "¿Qué? ¡No!", "¿ Qué ? ¡ No !");
    check_words("ru", "word(s) и слово(а) (да)", "word(s) и слово(а) ( да )");
    check_words("cs", "'a(b')' 'c'", "' a(b') ' ' c '");
}

TEST(general_leaves_what_would_come_back_otherwise)
{
    check_words("sv", "en ”usch”-faktor, ”ja”", "en ” usch”-faktor , ” ja ”");
    check_words("ru", "слово», «так»", "слово» , « так »");
    check_words("cs", "vida :) !? .../", "vida :) !? .../");
    check_words("he", "צה\"ל \"כן\"", "צה\"ל \" כן \"");
}

TEST(general_keeps_stops_of_abbreviations)
{
    check_words("sv", "512 f.Kr., i dag... sa 3. maj.", "512 f.Kr. , i dag ... sa 3. maj .");
    check_words("sv", "(Han kom.)", "( Han kom . )");
    check_words("sv", "i dag... Sa hon...", "i dag ... Sa hon ...");
}

TEST(general_cuts_at_apostrophes_by_language)
{
    check_words("it", "Dell'anno, un po' d'acqua l’11%", "Dell' anno , un po ' d' acqua l’ 11%");
    check_words("tr", "Ankara'da \"ABD'li\" 2004'te", "Ankara 'da \" ABD 'li \" 2004 'te");
    check_words("uk", "п’ять об'єктів", "п’ять об'єктів");
    check_words("fi", "sanoi ’hei’, 'joo'", "sanoi ’ hei ’ , ' joo '");
}

TEST(general_cuts_wide_marks_anywhere)
{
    check_words("ja", "「はい」と、Uberは。", "「 はい 」 と 、 Uberは 。");
    check_words("ja", "おり、 国（X） の", "おり、 国 （ X） の");
    check_words("ja", "は 「国」", "は 「国 」");
    check_words("ko", "한국 사람(BA)은, 大韓 民國.", "한국 사람(BA)은 , 大韓 民國 .");
    check_words("am", "ሰላም፡ለዓለም።", "ሰላም ፡ ለዓለም ።");
}

/* What a segmenter has cut. */
TEST(general_joins_words_of_han)
{
    struct dgm_buf back = { 0 };

    CHECK_STATUS(dgm_detokenize_line(test_env(), &back, "我 爱 BBC 。", strlen("我 爱 BBC 。"),
                                     "zh"),
                 DGM_OK);
    CHECK_STR(back.data, "我爱 BBC。");
    dgm_buf_clear(test_env(), &back);
}

TEST(general_looks_below_marks)
{
    check_words("vi", "(e\xCC\x82\xCC\x81!)\xE2\x80\x8D, \"o\xCC\x81\"",
                "( e\xCC\x82\xCC\x81 ! )\xE2\x80\x8D , \" o\xCC\x81 \"");
    check_words("it", "l'e\xCC\x80\xE2\x80\x8D l\xCC\x81'a",
                "l' e\xCC\x80\xE2\x80\x8D l\xCC\x81' a");
}
