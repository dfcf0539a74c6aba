#include "sim/coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/model.h"

void coverage_add(struct coverage *c, const struct coverage *x)
{
  if (x->messages == 0)
    return;
  c->smallest = c->messages == 0 || x->smallest < c->smallest ? x->smallest : c->smallest;
  c->largest = x->largest > c->largest ? x->largest : c->largest;
  c->messages += x->messages;
  c->within |= x->within;
  if (!x->between)
    return;
  if (!c->between)
    memcpy(c->host, x->host, sizeof c->host);
  c->between = true;
  c->several |= x->several;
  for (int i = 0; i < 2; i++)
    c->several |= x->host[i] != c->host[0] && x->host[i] != c->host[1];
}

bool coverage_beyond(const struct coverage *c, const struct calibrated *r, char *text)
{
  char size[64];
  *text = '\0';
  if (r->largest == 0 || c->messages == 0)
    return false;
  if (c->largest > r->largest) {
    snprintf(size, sizeof size, "messages up to %" PRIu64 " bytes", c->largest);
    err_list(text, COVERAGE_TEXT, size);
  }
  if ((double)c->smallest + SIM_ENVELOPE_BYTES < ((double)r->smallest + SIM_ENVELOPE_BYTES) / 2) {
    snprintf(size, sizeof size, "messages down to %" PRIu64 " bytes", c->smallest);
    err_list(text, COVERAGE_TEXT, size);
  }
  if (c->within && !r->within)
    err_list(text, COVERAGE_TEXT, "messages within a host");
  if (c->several && !r->several)
    err_list(text, COVERAGE_TEXT, "messages of more than two hosts");
  return *text != '\0';
}
