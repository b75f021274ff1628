/* test_number.c: numbers to and from text. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number/number.h"
#include "base/philox.h"
#include "test.h"

static int real_of(double *out, const char *text)
{
    return dgm_number_real(out, text, strlen(text));
}

static const char *print(double value, int digits)
{
    static char out[32];
    size_t length = dgm_number_print(out, value, digits);
    return strlen(out) == length ? out : "wrong length";
}

static const char *print_fixed(double value, int decimals)
{
    static char out[32];
    size_t length = dgm_number_print_fixed(out, value, decimals);
    return strlen(out) == length ? out : "wrong length";
}

TEST(number_reads_integers_up_to_their_bounds)
{
    int64_t i = 5;
    uint64_t u = 5;
    CHECK(dgm_number_int(&i, "-9223372036854775808", 20) && i == INT64_MIN);
    CHECK(dgm_number_int(&i, "9223372036854775807", 19) && i == INT64_MAX);
    CHECK(dgm_number_int(&i, "+12", 3) && i == 12);
    CHECK(dgm_number_int(&i, "-0", 2) && i == 0);
    CHECK(dgm_number_uint(&u, "18446744073709551615", 20) && u == UINT64_MAX);
    CHECK(!dgm_number_int(&i, "9223372036854775808", 19));
    CHECK(!dgm_number_int(&i, "-9223372036854775809", 20));
    CHECK(!dgm_number_uint(&u, "18446744073709551616", 20));
    CHECK(!dgm_number_uint(&u, "-1", 2));
    CHECK_INT(i, 0);
    CHECK(u == UINT64_MAX);
}

TEST(number_refuses_what_is_not_wholly_a_number)
{
    static const char *const bad[] = { "",
                                       "-",
                                       "+",
                                       ".",
                                       "e5",
                                       "1e",
                                       "1e+",
                                       "0x10",
                                       "0.1abc",
                                       " 1",
                                       "1 ",
                                       "1,5",
                                       "nan",
                                       "inf",
                                       "-inf",
                                       "infinity",
                                       "1e999",
                                       "-1e309",
                                       "1e-400",
                                       "1.2.3",
                                       "1e5.0",
                                       "--1",
                                       "1e99999999999999999999",
                                       "\xD9\xA1" };
    double real = 7.0;
    int64_t whole = 7;
    size_t i;
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!real_of(&real, bad[i]));
        CHECK(!dgm_number_int(&whole, bad[i], strlen(bad[i])));
    }
    CHECK(!dgm_number_int(&whole, "1.0", 3));
    CHECK(!dgm_number_real(&real, "1\0", 2));
    CHECK(real == 7.0 && whole == 7);
}

TEST(number_reads_the_nearest_double)
{
    double v;
    CHECK(real_of(&v, "0.1") && v == 0.1);
    CHECK(real_of(&v, "-1e-4") && v == -1e-4);
    CHECK(real_of(&v, ".5") && v == 0.5);
    CHECK(real_of(&v, "5.") && v == 5.0);
    CHECK(real_of(&v, "0e999999999") && v == 0.0);
    CHECK(real_of(&v, "1.7976931348623157e308") && v == DBL_MAX);
    CHECK(real_of(&v, "2.2250738585072014e-308") && v == DBL_MIN);
    CHECK(real_of(&v, "4.9406564584124654e-324") && v == 0x1p-1074);
    CHECK(real_of(&v, "2.2250738585072011e-308") && v == 0x0.fffffffffffffp-1022);
    /* Halfway between two doubles: to the even one; a digit more decides otherwise. */
    CHECK(real_of(&v, "9007199254740993") && v == 9007199254740992.0);
    CHECK(real_of(&v, "9007199254740993.00000000000000000000000000000000000000000001") &&
          v == 9007199254740994.0);
    CHECK(real_of(&v, "9007199254740993.00000000000000000000000000000000000000000010") &&
          v == 9007199254740994.0);
    CHECK(real_of(&v, "9007199254740995") && v == 9007199254740996.0);
    CHECK(real_of(&v, "0000000000000000000000000000000000000000000000000012.5") && v == 12.5);
    CHECK(real_of(&v, "100000000000000000000000000000000000000000000000000") && v == 1e50);
}

TEST(number_prints_the_shortest_form)
{
    CHECK_STR(print(0.3, 7), "0.3");
    CHECK_STR(print(1e-9, 7), "1e-09");
    CHECK_STR(print(41.02, 7), "41.02");
    CHECK_STR(print(0.0, 7), "0");
    CHECK_STR(print(-0.0, 7), "-0");
    CHECK_STR(print(100000.0, 7), "100000");
    CHECK_STR(print(12345678.0, 3), "1.23e+07");
    CHECK_STR(print(0.0001, 3), "0.0001");
    CHECK_STR(print(0.00001, 3), "1e-05");
    CHECK_STR(print(9.9996, 4), "10");
    CHECK_STR(print(2.5, 1), "2");
    CHECK_STR(print(3.5, 1), "4");
    CHECK_STR(print(0.1, 17), "0.1");
    CHECK_STR(print(0.1 + 0.2, 17), "0.30000000000000004");
    CHECK_STR(print(-DBL_MAX, 17), "-1.7976931348623157e+308");
    CHECK_STR(print(0x1p-1074, 3), "4.94e-324");
    CHECK_STR(print((double)NAN, 7), "nan");
    CHECK_STR(print(-(double)INFINITY, 7), "-inf");
}

TEST(number_prints_fixed_decimals)
{
    CHECK_STR(print_fixed(41.02, 2), "41.02");
    CHECK_STR(print_fixed(41.0, 2), "41.00");
    CHECK_STR(print_fixed(0.0, 2), "0.00");
    CHECK_STR(print_fixed(0.0, 0), "0");
    CHECK_STR(print_fixed(0.5, 0), "0");
    CHECK_STR(print_fixed(1.5, 0), "2");
    CHECK_STR(print_fixed(0.96, 1), "1.0");
    CHECK_STR(print_fixed(99.996, 2), "100.00");
    CHECK_STR(print_fixed(0.004, 2), "0.00");
    CHECK_STR(print_fixed(0.006, 2), "0.01");
    CHECK_STR(print_fixed(-2.25, 1), "-2.2");
    CHECK_STR(print_fixed(1e-300, 9), "0.000000000");
    CHECK_STR(print_fixed(123456789012345678.0, 9), "123456789012345680.000000000");
    CHECK_STR(print_fixed(1e300, 2), "1e+300");
}

TEST(number_seventeen_digits_read_back_the_same)
{
    struct dgm_random random;
    char out[32];
    int i;
    dgm_random_init(&random, 1, 0, 0, 0);
    for (i = 0; i < 3000; i++) {
        uint64_t bits = (uint64_t)dgm_random_word(&random) << 32 | dgm_random_word(&random);
        double value, back = 0.0;
        size_t length;
        memcpy(&value, &bits, sizeof value);
        if (value != value || value - value != 0.0)
            continue;
        length = dgm_number_print(out, value, 17);
        CHECK(length < 25);
        CHECK(dgm_number_real(&back, out, length));
        CHECK(back == value);
    }
}
