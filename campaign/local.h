/** @file local.h
 *  Makes the items of a campaign on this machine, each in a process of its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "campaign/state.h"
#include "common/err.h"

/** Makes all items that are not done, args->jobs of them in parallel. */
enum status local_make(struct campaign *c, struct err *e);

/** Makes one item; gives up after @p seconds of wall time and sets *made to false. */
enum status local_try(struct campaign *c, size_t i, double seconds, bool *made, struct err *e);
