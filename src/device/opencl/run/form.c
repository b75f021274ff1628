/*
 * form.c: which form of its task a call has, and what forms are called.
 */
#include "device/opencl/run/form.h"

#include <stdio.h>

#include "device/task_shape.h"

static const struct {
    enum dgm_task_kind kind;
    int (*is_first)(const void *args);
    const char *first, *rest;
} forms[] = {
#define FORMS(task, first, rest) { DGM_TASK_##task, dgm_opencl_is_##first##_##task, #first, #rest },
#include "device/opencl/run/form_list.h"
#undef FORMS
};

/* The task's place in the list; DGM_FORM_COUNT - DGM_TASK_COUNT: it has none. */
static int place_of(enum dgm_task_kind kind)
{
    int place = 0;

    while (place < DGM_FORM_COUNT - DGM_TASK_COUNT && forms[place].kind != kind)
        place++;
    return place;
}

int dgm_cl_form_of(enum dgm_task_kind kind, const void *args)
{
    const int form = DGM_TASK_COUNT + place_of(kind);

    return form < DGM_FORM_COUNT && forms[form - DGM_TASK_COUNT].is_first(args) ? form : (int)kind;
}

enum dgm_task_kind dgm_cl_form_task(int form)
{
    return form < DGM_TASK_COUNT ? (enum dgm_task_kind)form : forms[form - DGM_TASK_COUNT].kind;
}

const char *dgm_cl_form_name(int form)
{
    const int place = place_of(dgm_cl_form_task(form));

    if (form >= DGM_TASK_COUNT)
        return forms[place].first;
    return DGM_TASK_COUNT + place < DGM_FORM_COUNT ? forms[place].rest : "";
}

void dgm_cl_form_title(int form, char title[DGM_FORM_TITLE_SIZE])
{
    const char *task = dgm_task_shape(dgm_cl_form_task(form))->name;
    const char *name = dgm_cl_form_name(form);

    snprintf(title, DGM_FORM_TITLE_SIZE, name[0] != '\0' ? "%s (%s)" : "%s%s", task, name);
}
