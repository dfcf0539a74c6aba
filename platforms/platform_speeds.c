#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/platform_internal.h"

/* Reads the words of "1Gf:3,2Gf", each into as many entries as its count says, and goes round
 * until all hosts have a speed. */
struct deal {
  double speed;
  uint64_t count;
};

static enum status parse_deal(struct deal *d, char *word, struct err *e)
{
  char *colon = strchr(word, ':');
  d->count = 1;
  if (colon != NULL) {
    *colon = '\0';
    if (num_u64(colon + 1, UINT32_MAX, &d->count, e) != OK)
      return FAIL;
    if (d->count == 0)
      return err_set(e, "0 hosts of speed '%.40s'", word);
  }
  return num_quantity(word, NUM_SPEED, &d->speed, e);
}

static enum status parse_deals(struct deal *deals, size_t n, char *text, struct err *e)
{
  for (size_t i = 0; i < n; i++) {
    char *word = strsep(&text, ",");
    if (parse_deal(&deals[i], word, e) != OK)
      return FAIL;
  }
  return OK;
}

static void deal_out(double *speeds, uint32_t hosts, const struct deal *deals, size_t n)
{
  size_t i = 0;
  uint64_t left = deals[0].count;
  for (uint32_t h = 0; h < hosts; h++, left--) {
    if (left == 0) {
      i = (i + 1) % n;
      left = deals[i].count;
    }
    speeds[h] = deals[i].speed;
  }
}

static enum status from_list(double *speeds, const char *list, uint32_t hosts, struct err *e)
{
  size_t n = 1;
  for (const char *c = list; *c != '\0'; c++)
    n += *c == ',';
  char *text = mem_strdup(list, e);
  struct deal *deals = text == NULL ? NULL : mem_array(n, sizeof *deals, e);
  struct err cause;
  enum status s = FAIL;
  if (deals != NULL && (s = parse_deals(deals, n, text, &cause)) != OK)
    err_set(e, "speeds '%.80s': %s", list, cause.text);
  if (s == OK)
    deal_out(speeds, hosts, deals, n);
  free(deals);
  free(text);
  return s;
}

static enum status read_lines(double *speeds, const char *path, uint32_t hosts, FILE *f,
                              struct err *e)
{
  char *line = NULL;
  size_t room = 0;
  uint64_t n = 0;
  enum status s = OK;
  struct err cause;
  ssize_t length;
  while (s == OK && (length = getline(&line, &room, f)) >= 0) {
    double speed = 0.0;
    if (length > 0 && line[length - 1] == '\n')
      line[--length] = '\0';
    if (strlen(line) != (size_t)length)
      s = err_at(e, path, n + 1, "a NUL character");
    else if (num_quantity(line, NUM_SPEED, &speed, &cause) != OK)
      s = err_at(e, path, n + 1, "%s", cause.text);
    else if (n < hosts)
      speeds[n] = speed;
    n++;
  }
  free(line);
  if (s == OK && ferror(f))
    return err_errno(e, path, "cannot read");
  if (s == OK && n != hosts)
    return err_set(e, "%s: %" PRIu64 " speeds, but the platform has %u hosts", path, n, hosts);
  return s;
}

static enum status from_file(double *speeds, const char *path, uint32_t hosts, struct err *e)
{
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return err_errno(e, path, "cannot read");
  const enum status s = read_lines(speeds, path, hosts, f, e);
  fclose(f);
  return s;
}

enum status platform_speeds_parse(double **out, const char *text, uint32_t hosts, struct err *e)
{
  double *speeds = mem_array(hosts, sizeof *speeds, e);
  if (speeds == NULL)
    return FAIL;
  const enum status s =
      text[0] == '@' ? from_file(speeds, text + 1, hosts, e) : from_list(speeds, text, hosts, e);
  if (s == OK)
    *out = speeds;
  else
    free(speeds);
  return s;
}
