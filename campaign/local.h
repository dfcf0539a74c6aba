/** @file local.h
 *  Executes the items of a campaign on this machine, each in a separate process.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "campaign/state.h"
#include "common/err.h"

/** Executes all items that are not done, c->args->jobs in parallel. */
enum status local_make(struct campaign *c, struct err *e);

/** Executes one item.  After @p seconds of wall time, ends its process and sets *made to false. */
enum status local_try(struct campaign *c, size_t i, double seconds, bool *made, struct err *e);
