/** @file campaign_plots.h
 *  The pictures of a campaign, in FOLDER/plots: speedups and metrics of all runs that are ok, and
 *  for each trace its traffic and the link loads under up to 8 mappers (links_order.h).  With
 *  several machines, speedups and metrics have a picture over all machines and one for each, and
 *  link loads a picture for each machine; traffic has one for all machines with equal ranks per
 *  host.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "campaign/campaign.h"
#include "common/err.h"

struct campaign_plots {
  const struct campaign_args *campaign;
  const bool *ok;            /**< by run of the plan: struct campaign_outcome */
  const char *baseline;      /**< label of a mapper */
  const char *const *format; /**< formats of every picture, at most 8, for example "svg"; ends with
                                  NULL */
};

/** Draws the pictures and prints the path of each, with all its extensions, on @p list.  A picture
 *  with nothing to show, for example metrics without a topology, is not an error: the reason is
 *  printed on standard error, as are pictures that an earlier campaign left in the folder. */
enum status campaign_plots_draw(const struct campaign_plots *p, FILE *list, struct err *e);
