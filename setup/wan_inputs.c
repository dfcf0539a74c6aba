#include "setup/wan_inputs.h"

#include "setup/place.h"
#include "traces/matrix/spec.h"

void wan_inputs_clear(struct wan_inputs *in)
{
  processes_clear(&in->processes);
  mapping_clear(&in->mapping);
  matrix_clear(&in->own);
  input_trace_clear(&in->trace);
  platform_free(in->platform);
}

static enum status read_traffic(const struct wan_place *a, struct wan_inputs *in, struct err *e)
{
  in->trace = (struct input_trace){.name = a->trace, .reading = a->reading};
  if (a->trace != NULL)
    return input_trace_traffic(&in->trace, &in->traffic, e);
  if (a->matrix == NULL)
    return OK;
  in->traffic = &in->own;
  return matrix_spec_open(&in->own, a->matrix, &a->matrix_reading, e);
}

/* With --mapping, or with traffic and no --processes, places the ranks on hosts as other commands
 * do.  In all other cases shares the processes out among the clusters. */
static enum status place_processes(const struct wan_place *a, struct wan_inputs *in, struct err *e)
{
  uint32_t ranks = a->processes;
  if (ranks == 0)
    ranks = in->traffic != NULL ? in->traffic->ranks : platform_hosts(in->platform);
  if (a->mapping == NULL && (a->processes > 0 || in->traffic == NULL))
    return processes_share(&in->mapping, in->platform, a->processes, e);
  const struct matrix none = {.ranks = ranks};
  const struct place place = {.mapping = a->mapping == NULL ? "xyz" : a->mapping,
                              .ranks = ranks,
                              .traffic = in->traffic != NULL ? in->traffic : &none,
                              .moved = &in->moved};
  if (place_ranks(&place, in->platform, &in->mapping, e) != OK)
    return FAIL;
  return a->trace == NULL ? OK
                          : input_trace_placed_traffic(&in->trace, &in->mapping, &in->traffic, e);
}

enum status wan_inputs_read(struct wan_inputs *in, const struct wan_place *a, struct err *e)
{
  *in = (struct wan_inputs){.platform = NULL};
  if (read_traffic(a, in, e) != OK)
    return FAIL;
  if (a->random_rtt > 0)
    return processes_random(&in->processes, a->random_rtt, a->seed, e);
  if (inputs_platform(&in->platform, a->platform, 0, e) != OK ||
      platform_need_routes(in->platform, "wide-area connections", e) != OK ||
      place_processes(a, in, e) != OK)
    return FAIL;
  if (in->mapping.ranks < 2)
    return err_set(e, "there must be 2 processes or more, not %u", in->mapping.ranks);
  return processes_on_platform(&in->processes, in->platform, &in->mapping, e);
}
