/*
 * span_list.h: the kinds of spans, in the order in which they are tried: SPAN(name) stands for
 * `dgm_span_<name>`, which says how many bytes of a text from byte `at` on are such a span, 0:
 * none. It looks no further than DGM_SPAN_MOST bytes.
 */
SPAN(code)
SPAN(tag)
SPAN(url)
SPAN(mail)
SPAN(placeholder)
SPAN(emoji)
SPAN(number)
#undef SPAN
