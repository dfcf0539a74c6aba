/* Speeds of the hosts of a spec: a list such as "1Gf:3,2Gf", or a file with a speed per host. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"
#include "platforms/platform_internal.h"

/* A word of the list: the speed of the next @p count hosts.  The list is repeated until all hosts
 * have a speed. */
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
  for (size_t i = 0; i < n; i++)
    if (parse_deal(&deals[i], strsep(&text, ","), e) != OK)
      return FAIL;
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
  OWNED char *text = mem_strdup(list, e);
  OWNED struct deal *deals = text == NULL ? NULL : mem_array(n, sizeof *deals, e);
  enum status s = FAIL;
  if (deals != NULL && (s = parse_deals(deals, n, text, e)) != OK)
    err_prefix(e, "--speeds: %.80s: ", list);
  if (s == OK)
    deal_out(speeds, hosts, deals, n);
  return s;
}

static enum status read_lines(double *speeds, struct linefile *in, uint32_t hosts, struct err *e)
{
  bool more;
  for (;;) {
    double speed;
    if (linefile_next(in, &more, e) != OK)
      return FAIL;
    if (!more)
      break;
    char *rest = in->text, *word = linefile_word(&rest), *more_words = linefile_word(&rest);
    if (more_words != NULL)
      return err_at(e, in->path, in->line, "'%.64s' after the speed", more_words);
    if (num_quantity(word == NULL ? "" : word, NUM_SPEED, &speed, e) != OK)
      return err_place(e, in->path, in->line);
    if (in->line <= hosts)
      speeds[in->line - 1] = speed;
  }
  if (in->line != hosts)
    return err_set(e, "%s: %" PRIu64 " speeds, but the platform has %u hosts", in->path, in->line,
                   hosts);
  return OK;
}

static enum status from_file(double *speeds, const char *path, uint32_t hosts, struct err *e)
{
  struct linefile in;
  const enum status s =
      linefile_open(&in, path, e) == OK ? read_lines(speeds, &in, hosts, e) : FAIL;
  linefile_close(&in);
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
