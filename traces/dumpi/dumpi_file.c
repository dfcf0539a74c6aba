#include "traces/dumpi/dumpi_file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/files/inputs.h"
#include "common/mem.h"

#define MAGIC  UINT64_C(0xffaadd44554d5049)
#define FOOTER UINT64_C(0xf007fee7)

enum { BODY = 8, BUFFER = 1 << 16, TYPES_MAX = 1 << 16, STATUSES = 3 };
enum { HAS_CPU = 4, HAS_WALL = 8, HAS_THREAD = 64, HAS_COUNTERS = 128 };

/* --- numbers --------------------------------------------------------------------------------- */

static uint64_t number(struct dumpi_file *d, unsigned bytes)
{
  uint64_t x = 0;
  for (unsigned i = 0; i < bytes; i++) {
    const int c = getc_unlocked(d->f);
    d->broken |= c == EOF;
    x = x << 8 | (uint64_t)(c & 255);
  }
  d->offset += bytes;
  return x;
}

static void go(struct dumpi_file *d, uint64_t offset)
{
  d->broken |= offset > d->size || fseeko(d->f, (off_t)offset, SEEK_SET) != 0;
  d->offset = offset;
}

static void skip(struct dumpi_file *d, uint64_t bytes)
{
  if (bytes > d->size - d->offset)
    d->broken = true;
  else
    go(d, d->offset + bytes);
}

static enum status damaged(const struct dumpi_file *d, const char *what, struct err *e)
{
  return err_set(e, "%s: offset %" PRIu64 ": %s", d->name, d->offset, what);
}

/* --- sections -------------------------------------------------------------------------------- */

/* The index ends the file; older files have fewer sections. */
static enum status read_index(struct dumpi_file *d, struct err *e)
{
  for (uint64_t words = 8; words >= 5; words--) {
    if (words * 8 + BODY > d->size)
      continue;
    go(d, d->size - words * 8);
    if (number(d, 8) != MAGIC)
      continue;
    d->sizes = words == 8 ? number(d, 8) : 0;
    if (words >= 7)
      (void)number(d, 8);
    if (words >= 6)
      (void)number(d, 8);
    d->header = number(d, 8);
    const uint64_t body = number(d, 8);
    d->footer = number(d, 8);
    if (body == BODY)
      return OK;
  }
  d->offset = d->size;
  return damaged(d, "no index of sections: the file was cut off", e);
}

static enum status read_sizes(struct dumpi_file *d, struct err *e)
{
  if (d->sizes == 0)
    return OK;
  go(d, d->sizes);
  const uint32_t n = (uint32_t)number(d, 4);
  if (n > TYPES_MAX)
    return damaged(d, "the section of sizes has too many datatypes", e);
  if ((d->size_of = mem_array(n, sizeof *d->size_of, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    d->size_of[i] = (int32_t)number(d, 4);
  d->types = n;
  return OK;
}

static uint64_t sum(struct dumpi_file *d)
{
  uint64_t all = 0;
  for (int i = 0; i < DUMPI_FUNCTIONS; i++)
    all += number(d, 4);
  (void)number(d, 4); /* belongs to no function */
  return all;
}

static enum status read_sections(struct dumpi_file *d, struct err *e)
{
  if (read_sizes(d, e) != OK)
    return FAIL;
  if (d->header > 0) {
    go(d, d->header);
    for (int i = 0; i < 3; i++)
      d->version[i] = (uint8_t)number(d, 1);
  }
  if (d->footer > 0) {
    go(d, d->footer);
    if (number(d, 8) != FOOTER)
      return damaged(d, "no footer at the offset that the index states", e);
    d->calls = sum(d);
    d->missing = sum(d);
  }
  return d->broken ? damaged(d, "the sections are damaged", e) : OK;
}

/* Goes back to the first record. */
static void go_to_start(struct dumpi_file *d)
{
  go(d, BODY);
  d->bias[0] = (int32_t)number(d, 4);
  d->bias[1] = (int32_t)number(d, 4);
}

enum status dumpi_file_open(struct dumpi_file *d, const char *path, const char *name, struct err *e)
{
  *d = (struct dumpi_file){.f = fopen(path, "rb"), .name = name};
  if (d->f == NULL)
    return err_errno(e, name, "cannot read");
  inputs_note(fileno(d->f));
  setvbuf(d->f, NULL, _IOFBF, BUFFER);
  enum status s = OK;
  if (fseeko(d->f, 0, SEEK_END) != 0)
    s = err_errno(e, name, "cannot read");
  const off_t size = ftello(d->f);
  d->size = size < 0 ? 0 : (uint64_t)size;
  go(d, 0);
  if (s == OK && number(d, 8) != MAGIC)
    s = damaged(d, "not a DUMPI file", e);
  if (s == OK)
    s = read_index(d, e) == OK ? read_sections(d, e) : FAIL;
  if (s == OK)
    go_to_start(d);
  else
    dumpi_file_close(d);
  return s;
}

void dumpi_file_close(struct dumpi_file *d)
{
  if (d->f != NULL)
    fclose(d->f);
  free(d->size_of);
  free(d->record.value);
  free(d->record.status);
  *d = (struct dumpi_file){0};
}

/* --- records --------------------------------------------------------------------------------- */

static bool version_is(const struct dumpi_file *d, unsigned a, unsigned b, unsigned c)
{
  const unsigned have =
      (unsigned)d->version[0] << 16 | (unsigned)d->version[1] << 8 | d->version[2];
  return have >= (a << 16 | b << 8 | c);
}

/* Fails unless the file has @p count elements of @p bytes from here on. */
static enum status check_count(struct dumpi_file *d, uint64_t count, uint64_t bytes, struct err *e)
{
  if (d->broken || count > (d->size - d->offset) / bytes)
    return damaged(d, "an array extends past the end of the file", e);
  return OK;
}

static enum status read_array(struct dumpi_file *d, unsigned bytes, struct err *e)
{
  struct dumpi_record *r = &d->record;
  const uint32_t n = (uint32_t)number(d, 4);
  if (check_count(d, n, bytes, e) != OK ||
      MEM_GROW(r->value, d->value_room, d->values + n, e) != OK)
    return FAIL;
  if (r->arrays < DUMPI_ARRAYS)
    r->array[r->arrays++] = (struct dumpi_array){d->values, n};
  for (uint32_t i = 0; i < n; i++)
    r->value[d->values + i] =
        bytes == 2 ? (int16_t)number(d, 2) : (int32_t)(uint32_t)number(d, bytes);
  d->values += n;
  return OK;
}

static enum status skip_string(struct dumpi_file *d, struct err *e)
{
  const uint32_t n = (uint32_t)number(d, 4);
  if (check_count(d, n, 1, e) != OK)
    return FAIL;
  skip(d, n);
  return OK;
}

/* Skips an array of strings, or of arrays of strings. */
static enum status skip_strings(struct dumpi_file *d, int depth, struct err *e)
{
  const uint32_t n = (uint32_t)number(d, 4);
  if (check_count(d, n, 4, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    if ((depth > 1 ? skip_strings(d, depth - 1, e) : skip_string(d, e)) != OK)
      return FAIL;
  return OK;
}

static enum status read_arrays(struct dumpi_file *d, struct err *e)
{
  const uint32_t n = (uint32_t)number(d, 4);
  if (check_count(d, n, 4, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    if (read_array(d, 4, e) != OK)
      return FAIL;
  return OK;
}

static enum status read_statuses(struct dumpi_file *d, unsigned mask, struct err *e)
{
  struct dumpi_record *r = &d->record;
  if ((mask & STATUSES) == 0)
    return OK;
  const uint32_t n = (uint32_t)number(d, 4);
  const bool tags = version_is(d, 0, 6, 3);
  if (check_count(d, n, tags ? 14 : 10, e) != OK ||
      MEM_GROW(r->status, d->status_room, (size_t)n, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++) {
    struct dumpi_status *s = &r->status[i];
    s->bytes = (int32_t)number(d, 4);
    s->source = (int32_t)number(d, 4);
    s->cancelled = number(d, 1) != 0;
    (void)number(d, 1);
    s->tag = tags ? (int32_t)number(d, 4) : -1;
  }
  r->statuses = n;
  return OK;
}

static enum status read_argument(struct dumpi_file *d, char kind, unsigned mask, struct err *e)
{
  struct dumpi_record *r = &d->record;
  switch (kind) {
  case 'I':
    return read_array(d, 4, e);
  case 'H':
    return read_array(d, 2, e);
  case 'B':
    return read_array(d, 1, e);
  case 'C':
    return skip_string(d, e);
  case 'J':
    return read_arrays(d, e);
  case '2':
  case '3':
    return skip_strings(d, kind - '1', e);
  case 'S':
    return read_statuses(d, mask, e);
  default:
    break;
  }
  const uint64_t x = number(d, kind == 'i' ? 4 : kind == 'h' ? 2 : kind == 'b' ? 1 : 8);
  const int32_t value = kind == 'h' ? (int16_t)x : (int32_t)(uint32_t)x;
  if (r->numbers < DUMPI_NUMBERS)
    r->number[r->numbers++] = value;
  return OK;
}

/* Reads the arguments.  Only the root records an argument that follows an 'r': the last 32-bit
 * number before the first 'r' is the rank of the root, and number[first] is the rank of the caller.
 */
static enum status read_arguments(struct dumpi_file *d, unsigned mask, struct err *e)
{
  struct dumpi_record *r = &d->record;
  const unsigned first = r->function == DUMPI_SPAWN_MULTIPLE ? 1 : 0;
  int32_t root = 0;
  bool fixed = false;
  for (const char *a = dumpi_calls[r->function].arguments; *a != '\0'; a++) {
    if (*a == 'r') {
      fixed = true;
      a++;
      if (r->number[first] != root)
        continue;
    }
    if (read_argument(d, *a, mask, e) != OK)
      return FAIL;
    if (*a == 'i' && !fixed && r->numbers > 0)
      root = r->number[r->numbers - 1];
  }
  return OK;
}

static uint64_t time_of(struct dumpi_file *d, int clock)
{
  const int64_t seconds = (int64_t)number(d, 2) + d->bias[clock];
  return (uint64_t)seconds * 1000000000 + number(d, 4);
}

static void read_times(struct dumpi_file *d, unsigned mask)
{
  struct dumpi_record *r = &d->record;
  r->begin = r->end = r->entry = r->leave = 0;
  if (mask & HAS_CPU) {
    r->begin = r->entry = time_of(d, 0);
    r->end = r->leave = time_of(d, 0);
  }
  if (mask & HAS_WALL) {
    r->entry = time_of(d, 1);
    r->leave = time_of(d, 1);
  }
  if ((mask & HAS_CPU) == 0) {
    r->begin = r->entry;
    r->end = r->leave;
  }
}

static enum status read_record(struct dumpi_file *d, struct err *e)
{
  struct dumpi_record *r = &d->record;
  const unsigned mask = (unsigned)number(d, 1);
  if (mask & HAS_THREAD)
    (void)number(d, 2);
  read_times(d, mask);
  if (mask & HAS_COUNTERS)
    skip(d, 16 * number(d, 1));
  if (r->function < DUMPI_FUNCTIONS && read_arguments(d, mask, e) != OK)
    return FAIL;
  return d->broken ? damaged(d, "the file ends within a call", e) : OK;
}

enum status dumpi_file_next(struct dumpi_file *d, bool *more, struct err *e)
{
  struct dumpi_record *r = &d->record;
  do {
    d->values = 0;
    r->offset = d->offset;
    r->numbers = r->arrays = r->statuses = 0;
    r->function = (unsigned)number(d, 2);
    *more = r->function != DUMPI_END;
    if (d->broken)
      return damaged(d, "the end of the calls is missing", e);
    if (r->function == DUMPI_FUNCTIONS || r->function > DUMPI_END)
      return err_set(e, "%s: offset %" PRIu64 ": no function has number %u", d->name, r->offset,
                     r->function);
    if (*more && read_record(d, e) != OK)
      return FAIL;
  } while (*more && r->function >= DUMPI_FUNCTIONS);
  return OK;
}
