#include "sim/simgrid/link_changes.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

void link_changes_clear(struct link_changes *l)
{
  changes_clear(&l->changes);
  free(l->link);
  *l = (struct link_changes){0};
}

static void apply(struct link_changes *l, double until)
{
  while (changes_date(&l->changes) <= until) {
    const struct change c = changes_take(&l->changes);
    if (c.kind == PROFILE_BANDWIDTH)
      l->sg->sg_link_set_bandwidth(l->link[c.target], c.value);
    else
      l->sg->sg_link_set_latency(l->link[c.target], c.value);
  }
}

static void actor_main(int argc, char *argv[])
{
  (void)argc;
  (void)argv;
  struct link_changes *l = simgrid_api_self_data();
  for (double date; (date = changes_date(&l->changes)) < INFINITY; apply(l, date))
    l->sg->sg_actor_sleep_for(date - l->sg->simgrid_get_clock());
}

static enum status find_link(struct link_changes *l, const struct engine_config *c, uint32_t link,
                             struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  const char *text = platform_link_name(c->platform, link, name, sizeof name);
  l->link[link] = l->sg->sg_link_by_name(text);
  return l->link[link] != NULL ? OK : err_set(e, "%s: no link '%s'", c->platform_name, text);
}

static enum status list_changes(struct link_changes *l, const struct engine_config *c,
                                struct err *e)
{
  for (uint32_t i = 0; i < c->profiles->count; i++) {
    const struct profile *p = &c->profiles->profile[i];
    if (p->kind == PROFILE_SPEED)
      continue;
    if (l->link == NULL &&
        (l->link = mem_array(platform_link_ids(c->platform), sizeof *l->link, e)) == NULL)
      return FAIL;
    if (find_link(l, c, p->target, e) != OK || changes_add(&l->changes, p, e) != OK)
      return FAIL;
  }
  return OK;
}

enum status link_changes_start(struct link_changes *l, const struct simgrid_api *sg,
                               const struct engine_config *c, struct err *e)
{
  l->sg = sg;
  if (list_changes(l, c, e) != OK)
    return FAIL;
  apply(l, 0);
  if (changes_date(&l->changes) == INFINITY)
    return OK;
  char name[PLATFORM_NAME_SIZE];
  const char *host = platform_simgrid_host(c->platform, 0, name, sizeof name);
  sg_actor_t actor = sg->sg_actor_init("link-changes", sg->sg_host_by_name(host));
  sg->sg_actor_set_data(actor, l);
  sg->sg_actor_start_(actor, actor_main, 0, NULL);
  sg->sg_actor_daemonize(actor);
  return OK;
}
