/* Options that several commands share, besides settings. */

#include "cli/options.h"
#include "common/report.h"
#include "sim/output/timeline.h"

const struct cli_option report_options[] = {
    {"format", 0, "FORMAT", "%s (tsv)", .kind = OPTION_ROW, .rows = &report_formats},
    {.name = NULL},
};

enum status options_timeline(const char *file, const struct timeline_format **format, struct err *e)
{
  if (file == NULL || *format != NULL || timeline_format_of(file, format, e) == OK)
    return OK;
  return err_prefix(e, "--timeline: ");
}
