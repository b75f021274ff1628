/* test_panel_kind.c: the panels of what a log holds. */
#include "draw/training/panel_kind.h"

#include "test.h"
#include "text/score/metric.h"

TEST(panels_of_metrics_are_those_of_the_list)
{
    const struct dgm_metric *metric;

    for (size_t i = 0; (metric = dgm_metric_entry(i)) != NULL; i++) {
        struct dgm_panel_kind kind = dgm_panel_kind_of(metric->name);

        CHECK_STR(kind.text, metric->curve);
        CHECK_INT(kind.better, metric->is_error ? -1 : 1);
        CHECK(kind.keeps_raw && !kind.is_schedule);
    }
    CHECK_STR(dgm_panel_kind_of("bleu").text, "validation: BLEU");
    CHECK_STR(dgm_panel_kind_of("accuracy").text, "validation: accuracy (%)");
    CHECK_STR(dgm_panel_kind_of("unheard-of").text, "unheard-of");
}
