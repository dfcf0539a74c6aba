/** @file flow_foreign.h
 *  Routes and hosts of a foreign platform, from SimGrid.
 */
#ifndef SIM_FLOW_FOREIGN_H
#define SIM_FLOW_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/engine.h"
#include "sim/flow_routes.h"

struct flow_foreign;

/** Gives a link that nobody has asked for before its number. */
typedef enum status flow_add_link_fn(void *arg, double bandwidth, bool fat, uint32_t *link,
                                     struct err *e);

/** Loads the platform of @p c, which must outlive it, into SimGrid. */
enum status flow_foreign_new(struct flow_foreign **out, const struct engine_config *c,
                             flow_add_link_fn *add, void *arg, struct err *e);

/** Accepts NULL. */
void flow_foreign_free(struct flow_foreign *f);

/** As flow_routes_find(); SimGrid is asked once for each pair. */
enum status flow_foreign_find(struct flow_foreign *f, uint32_t src, uint32_t dst,
                              struct flow_route *out, struct err *e);

/** The speed of a core of host @p h, in flop/s, and its cores. */
void flow_foreign_host(const struct flow_foreign *f, uint32_t h, double *speed, uint32_t *cores);

#endif
