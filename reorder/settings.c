#include <math.h>
#include <stdlib.h>

#include "interpose/decimal.h"
#include "reorder/job.h"

/* The value of a variable; NULL if it is not set or empty. */
static const char *value(const char *name)
{
  const char *text = getenv(name);
  return text == NULL || *text == '\0' ? NULL : text;
}

struct settings settings_of_environment(void)
{
  enum { SECONDS = 10, MOST = 1000000 };
  const char *seconds = value("HAICHI_TIME");
  struct settings s = {.platform = value("HAICHI_PLATFORM"),
                       .mapper = value("HAICHI_MAPPER"),
                       .hosts = value("HAICHI_HOSTS"),
                       .report = value("HAICHI_REPORT"),
                       .seconds = SECONDS};
  char *end;
  if (seconds == NULL)
    return s;
  const locale_t before = decimal_begin();
  s.seconds = strtod(seconds, &end);
  decimal_end(before);
  if (end == seconds || *end != '\0' || !(s.seconds > 0 && s.seconds <= MOST))
    s.invalid = "HAICHI_TIME is not a number of seconds above 0 and up to 1e6";
  return s;
}
