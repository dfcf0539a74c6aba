#include "traces/otf2/otf2_api.h"

#include <stdarg.h>
#include <stdio.h>

static const char WHAT[] = "libopen-trace-format2";

enum status otf2_load_reading(struct otf2_reading *api, struct err *e)
{
  static const char *const names[] = {OTF2_READ(LIBRARY_NAME) NULL};
  return library_load(HAICHI_LIBOTF2, names, api, WHAT, e);
}

enum status otf2_load_writing(struct otf2_writing *api, struct err *e)
{
  static const char *const names[] = {OTF2_WRITE(LIBRARY_NAME) NULL};
  return library_load(HAICHI_LIBOTF2, names, api, WHAT, e);
}

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
