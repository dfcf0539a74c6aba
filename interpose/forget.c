#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/interpose.h"

void interpose_forget(const char *library)
{
  const char *all = getenv("LD_PRELOAD");
  char kept[8192] = "";
  for (const char *at = all == NULL ? "" : all; *at != '\0';) {
    const size_t n = strcspn(at, ": "), used = strlen(kept);
    char name[4096];
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    if (n > 0 && strstr(name, library) == NULL)
      snprintf(kept + used, sizeof kept - used, "%s%s", used > 0 ? ":" : "", name);
    at += n + (at[n] != '\0');
  }
  if (*kept == '\0')
    unsetenv("LD_PRELOAD");
  else
    setenv("LD_PRELOAD", kept, 1);
}
