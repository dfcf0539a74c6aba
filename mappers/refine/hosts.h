/** @file hosts.h
 *  The annealing of search.h by exchanges of hosts: all ranks of a host trade places with all ranks
 *  of another host.  On fat trees and dragonflies, such exchanges change the routes between
 *  switches; if a host has several ranks, no exchange of two ranks does so alone.
 */
#pragma once

#include "mappers/refine/search.h"

/** Improves @p host, the host of each rank, by plan->objective.  Ranks on one host stay together.
 *  Sets *value to the value that it reaches if each host counts as one rank: without messages
 *  within a host and, for OBJECTIVE_TIME, with the mean computation of the ranks of a host, or the
 *  mean computation of its cores if these are fewer.  plan->work counts exchanges of two
 *  hosts.  @p host is unchanged on failure. */
enum status search_hosts(uint32_t *host, const struct mapper_input *in,
                         const struct search_plan *plan, swaps_value *value, struct err *e);
