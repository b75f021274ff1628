/*
 * set_locale.c: loaded into a program before it starts (LD_PRELOAD), puts it into the locale of its
 * environment, as a program around the library may: numbers with a decimal comma, Turkish letters.
 * make check-locale runs the command-line tests so; every byte must be as ever.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void set_locale(void)
{
    if (setlocale(LC_ALL, "") != NULL)
        return;
    fprintf(stderr, "set_locale: there is no locale %s\n", getenv("LANG"));
    exit(99);
}
