#include "setup/counter.h"

#include <inttypes.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>

#include "common/process/library.h"

#define PFM_FUNCTIONS(F) F(pfm_initialize) F(pfm_get_os_event_encoding) F(pfm_strerror)

struct pfm_api {
  PFM_FUNCTIONS(LIBRARY_MEMBER)
};

static enum status open_api(struct pfm_api *api, struct err *e)
{
  static const char *const names[] = {PFM_FUNCTIONS(LIBRARY_NAME) NULL};
  return library_load(HAICHI_LIBPFM, names, api, "libpfm", e);
}

enum status counter_find(const char *name, struct counter_event *out, struct err *e)
{
  struct perf_event_attr event = {.size = sizeof event};
  pfm_perf_encode_arg_t arg = {.attr = &event, .size = sizeof arg};
  struct pfm_api api;
  if (open_api(&api, e) != OK)
    return FAIL;
  int result = api.pfm_initialize();
  if (result == PFM_SUCCESS)
    result = api.pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
  if (result != PFM_SUCCESS)
    return err_set(e, "event '%s': %s", name, api.pfm_strerror(result));
  if (event.exclude_user || !event.exclude_kernel)
    return err_set(e, "event '%s': only events in user space are counted", name);
  snprintf(out->text, sizeof out->text, "%" PRIx32 ":%" PRIx64 ":%" PRIx64 ":%" PRIx64, event.type,
           (uint64_t)event.config, (uint64_t)event.config1, (uint64_t)event.config2);
  return OK;
}
