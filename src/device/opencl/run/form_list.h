/*
 * form_list.h: tasks whose kernels have forms, each for some calls of the task and not for others.
 *
 * A driver compiles a form, and it is tried against the CPU, when a call first needs it
 * (self_test.h): what a program never asks for costs it nothing. A form that saves that time is a
 * line:
 *
 *     FORMS(task, first, rest)
 *
 * The calls of the first form are those of which dgm_opencl_is_<first>_<task>, which belongs to the
 * task's file in run/, says so; all others have the other form. Both names are for messages.
 */
FORMS(gemm, forward, backward)
FORMS(attention_forward, plain, general)
FORMS(attention_backward, plain, general)
