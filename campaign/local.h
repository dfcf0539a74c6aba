/** @file local.h
 *  Makes the items of a campaign on this machine, each in a process of its own.
 */
#ifndef CAMPAIGN_LOCAL_H
#define CAMPAIGN_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "campaign/state.h"
#include "common/err.h"

/** Makes all items that are not done, as many at a time as the arguments say. */
enum status local_make(struct campaign *c, struct err *e);

/** Makes one item, but gives up after @p seconds of wall time: *made is false then. */
enum status local_try(struct campaign *c, size_t i, double seconds, bool *made, struct err *e);

#endif
