#include "cli/explain/sides.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/explain/against.h"
#include "cli/explain/differences.h"
#include "cli/explain/scenes.h"
#include "cli/explain/stretches.h"
#include "cli/explain/tables.h"
#include "setup/jobs.h"
#include "sim/explain/explained.h"

/* One of two mappings. */
struct one_side {
  struct placed_job placed;
  struct explained x;
  struct tables tables;
  struct stretches stretches;
};

static enum status explain_side(const struct sides_args *a, int i, struct one_side *out,
                                struct err *e)
{
  const struct settings *s = a->settings;
  const struct job_spec job = {.trace = a->trace};
  const struct job_defaults d = settings_placement(s, a->mapping[i]);
  const struct explained_options o = {.stretch = a->path[i] == NULL ? NULL : stretches_keep,
                                      .data = &out->stretches};
  if (job_place(&out->placed, &job, &d, a->platform, e) != OK)
    return FAIL;
  cli_note_moved(a->mapping[i], out->placed.moved);
  cli_note_cores(a->platform, &out->placed, 1, &s->options);
  if (explained_run(&out->x, &s->options, &out->placed.job, 1, a->platform, a->blocked, &o, e) !=
      OK)
    return FAIL;
  out->tables = (struct tables){
      .platform = a->platform, .causes = out->x.causes, .path = &out->x.path, .most = a->top};
  if (tables_begin(&out->tables, e) != OK)
    return FAIL;
  if (a->use[i] != NULL && scenes_write_use(&out->x, &out->tables, a->use[i], e) != OK)
    return FAIL;
  return a->path[i] == NULL ? OK : stretches_write(&out->stretches, &out->tables, a->path[i], e);
}

static void clear_side(struct one_side *s)
{
  free(s->tables.link);
  free(s->stretches.at);
  explained_clear(&s->x);
  placed_job_clear(&s->placed);
}

/* Prints the fifth line: the time of the slower run if the link of the first reason limited no
 * message. */
static enum status print_worth(const struct sides_args *a, struct one_side *slow, const char *name,
                               uint32_t link, FILE *f, struct err *e)
{
  struct sim_options o = a->settings->options;
  const struct platform *p = a->platform;
  const double before = (double)slow->x.path.time_s;
  struct sim_result result;
  char text[PLATFORM_NAME_SIZE];
  if (link == CAUSES_NONE || platform_is_opaque(p) || platform_profiles(p) > 0) {
    fputs(link == CAUSES_NONE
              ? "The first cause has no link, so no run without a limit on a link was made.\n"
              : "The bandwidths of this platform cannot be changed, so the run without a limit on "
                "the link was not made.\n",
          f);
    return OK;
  }
  o.unlimited = &link;
  if (sim_run(&o, &slow->placed.job, 1, p, a->blocked, &result, e) != OK)
    return FAIL;
  fprintf(f, "Without a limit on link %s, %s takes %.6g s: alone worth %.3g %%.\n",
          platform_link_name(p, link, text, sizeof text), name, result.simulated_time_s,
          100 * (1 - result.simulated_time_s / before));
  return OK;
}

static enum status compare(const struct sides_args *a, struct one_side side[2], FILE *text,
                           FILE *tables, struct err *e)
{
  const bool second_slower = side[1].x.path.time_s > side[0].x.path.time_s;
  const struct against_side slow = {a->mapping[second_slower], &side[second_slower].tables};
  const struct against_side fast = {a->mapping[!second_slower], &side[!second_slower].tables};
  struct against_reason reason[AGAINST_KINDS];
  against_find(reason, slow.tables, fast.tables);
  if (against_print(reason, &slow, &fast, text, e) != OK)
    return FAIL;
  if (side[1].x.path.time_s != side[0].x.path.time_s &&
      print_worth(a, &side[second_slower], slow.name, against_link(&reason[0], slow.tables), text,
                  e) != OK)
    return FAIL;
  return tables == NULL ? OK : differences_print(&side[0].tables, &side[1].tables, tables, e);
}

enum status sides_explain(const struct sides_args *a, FILE *text, FILE *tables, struct err *e)
{
  struct one_side side[2] = {0};
  enum status s = explain_side(a, 0, &side[0], e);
  if (s == OK)
    s = explain_side(a, 1, &side[1], e);
  if (s == OK)
    s = compare(a, side, text, tables, e);
  clear_side(&side[0]);
  clear_side(&side[1]);
  return s;
}
