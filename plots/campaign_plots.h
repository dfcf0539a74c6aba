/** @file campaign_plots.h
 *  The pictures of a campaign, in FOLDER/plots, each as SVG and PNG, or in the formats that are
 * asked for: speedups and metrics of all runs that are ok, and for each trace its traffic and the
 * link loads under the first mappers.
 */
#ifndef PLOTS_CAMPAIGN_PLOTS_H
#define PLOTS_CAMPAIGN_PLOTS_H

#include <stdbool.h>
#include <stdio.h>

#include "campaign/campaign.h"
#include "common/err.h"

struct campaign_plots {
  const struct campaign_args *campaign;
  const bool *ok;            /**< by run of the plan */
  const char *baseline;      /**< label of a mapper */
  const char *const *format; /**< of each picture, "svg"; ends with NULL */
};

/** Draws what there are runs for; prints the path of each picture, with all its endings, on
 *  @p list.  What has nothing to show, as metrics without a topology, is no failure: standard error
 *  says why.  It also says if the folder has pictures of an earlier campaign (album.h). */
enum status campaign_plots_draw(const struct campaign_plots *p, FILE *list, struct err *e);

#endif
