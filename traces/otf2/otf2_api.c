#include "traces/otf2/otf2_api.h"

#include <stdarg.h>
#include <stdio.h>

static const char WHAT[] = "libopen-trace-format2";

#define FIND(name)                                                                                 \
  if (library_find(from, #name, &api->name, WHAT, e) != OK)                                        \
    return FAIL;

#define LOAD(purpose, FUNCTIONS)                                                                   \
  enum status otf2_load_##purpose(struct otf2_##purpose *api, struct err *e)                       \
  {                                                                                                \
    void *from;                                                                                    \
    if (library_open(&from, HAICHI_LIBOTF2, WHAT, e) != OK)                                        \
      return FAIL;                                                                                 \
    FUNCTIONS(FIND)                                                                                \
    return OK;                                                                                     \
  }

LOAD(reading, OTF2_READ)
LOAD(writing, OTF2_WRITE)

OTF2_ErrorCode otf2_report_note(void *user, const char *file, uint64_t line, const char *function,
                                OTF2_ErrorCode code, const char *format, va_list values)
{
  struct otf2_report *to = user;
  (void)file;
  (void)line;
  (void)function;
  if (to->text[0] == '\0')
    vsnprintf(to->text, sizeof to->text, format, values);
  return code;
}

void otf2_report_to(const struct otf2_reading *api, struct otf2_report *to)
{
  to->text[0] = '\0';
  api->OTF2_Error_RegisterCallback(otf2_report_note, to);
}
