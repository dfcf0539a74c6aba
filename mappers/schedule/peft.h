/** @file peft.h
 *  The optimistic cost table of PEFT (Arabnejad, Barbosa 2014): the least time in s from the end of
 *  an element on a host to the end of all elements that depend on it, if every host is free.
 */
#pragma once

#include "common/err.h"
#include "mappers/schedule/scheduler.h"

/** Fills oct[element * classes + class].  @p gap: seconds to transfer a unit of data.
 *  O((elements + ends) * classes) if the elements of each array write equal volumes. */
enum status peft_table(const struct scheduler_input *in, double gap, double *oct, struct err *e);
