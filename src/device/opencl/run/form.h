/*
 * form.h: the forms of tasks (form_list.h), numbered: what is tried, and then trusted or not.
 */
#ifndef DGM_DEVICE_OPENCL_RUN_FORM_H
#define DGM_DEVICE_OPENCL_RUN_FORM_H

#include "device/task.h"

/* The form of a task without forms, and the last one of a task that has some, has the number of the
 * task's kind; the others follow. */
enum dgm_cl_form {
    DGM_FORM_LAST_OF_TASKS = DGM_TASK_COUNT - 1,
#define FORMS(task, first, rest) DGM_FORM_##task##_##first,
#include "device/opencl/run/form_list.h"
#undef FORMS
    DGM_FORM_COUNT
};

/* The form of a call: `args` is the task's struct of task.h. */
int dgm_cl_form_of(enum dgm_task_kind kind, const void *args);
enum dgm_task_kind dgm_cl_form_task(int form);
/* "plain"; "" for the only form of a task. */
const char *dgm_cl_form_name(int form);
/* "norm_forward", "attention_forward (plain)" */
enum { DGM_FORM_TITLE_SIZE = 64 };
void dgm_cl_form_title(int form, char title[DGM_FORM_TITLE_SIZE]);

#define FORMS(task, first, rest) int dgm_opencl_is_##first##_##task(const void *args);
#include "device/opencl/run/form_list.h"
#undef FORMS

#endif
