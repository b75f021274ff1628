/*
 * metric_list.h: the metrics of translations, one line each. METRIC(name) stands for
 * `dgm_metric_<name>` in <name>.c; METRIC_FIRST is the one that is meant where none is named;
 * METRIC_ALSO is a name, for `score`, of a metric whose option has that value instead of its
 * default. The line buys the name in `score` and in --valid-metrics of `train`, the options with
 * help, the panel of its curve, and a place in the tests over all metrics.
 */
#ifndef METRIC_FIRST
#define METRIC_FIRST(name) METRIC(name)
#endif
#ifndef METRIC_ALSO
#define METRIC_ALSO(name, word, option, value)
#endif

METRIC_FIRST(bleu)
METRIC(chrf)
METRIC_ALSO(chrf, "chrf++", "chrf-word-order", "2")
METRIC(ter)

#undef METRIC_FIRST
#undef METRIC_ALSO
#undef METRIC
