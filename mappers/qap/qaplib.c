#include "mappers/qap/qaplib.h"

#include <inttypes.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/num.h"

struct reader {
  struct linefile file;
  struct qap q;
  uint64_t numbers, expected; /* of the matrices */
};

static enum status take(struct reader *r, const char *word, struct err *e)
{
  const struct linefile *l = &r->file;
  struct err why;
  if (r->q.n == 0) {
    uint64_t n;
    if (num_u64(word, UINT32_MAX, &n, &why) != OK || qap_new(&r->q, n, &why) != OK)
      return err_at(e, l->path, l->line, "the size: %s", why.text);
    r->expected = 2 * n * n;
    return OK;
  }
  if (r->numbers == r->expected)
    return err_at(e, l->path, l->line, "'%.40s' after two matrices of %" PRIu32 " x %" PRIu32, word,
                  r->q.n, r->q.n);
  const uint64_t half = r->expected / 2, i = r->numbers;
  int64_t *place = i < half ? &r->q.flow[i] : &r->q.distance[i - half];
  if (num_i64(word, INT64_MIN + 1, INT64_MAX, place, &why) != OK)
    return err_at(e, l->path, l->line, "%s", why.text);
  r->numbers++;
  return OK;
}

static enum status take_line(struct reader *r, char *text, struct err *e)
{
  for (char *word; (word = strsep(&text, " \t\r\v\f")) != NULL;)
    if (*word != '\0' && take(r, word, e) != OK)
      return FAIL;
  return OK;
}

static enum status read_all(struct reader *r, struct err *e)
{
  struct linefile *l = &r->file;
  for (bool more = true; more;)
    if (linefile_next(l, &more, e) != OK || (more && take_line(r, l->text, e) != OK))
      return FAIL;
  if (r->q.n == 0)
    return err_at(e, l->path, l->line, "no size: the file is empty");
  if (r->numbers < r->expected)
    return err_at(e, l->path, l->line, "the file ends after %" PRIu64 " of %" PRIu64 " entries",
                  r->numbers, r->expected);
  return qap_check(&r->q, e) == OK ? OK : err_place(e, l->path, l->line);
}

enum status qaplib_load(struct qap *q, const char *path, struct err *e)
{
  struct reader r = {.q = {.n = 0}};
  if (linefile_open(&r.file, path, e) != OK)
    return FAIL;
  const enum status s = read_all(&r, e);
  linefile_close(&r.file);
  if (s == OK)
    *q = r.q;
  else
    qap_clear(&r.q);
  return s;
}
