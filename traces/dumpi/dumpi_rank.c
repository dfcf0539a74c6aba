#include "traces/dumpi/dumpi_rank.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"

#define BYTES_MAX (UINT64_C(1) << 43)
#define UNKNOWN   UINT64_MAX /* size of a datatype */

enum status dumpi_rank_refuse(const struct dumpi_rank *d, struct err *e, const char *format, ...)
{
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return err_set(e, "%s: offset %" PRIu64 ": %s", d->file.name, d->file.record.offset, text);
}

/* --- time ------------------------------------------------------------------------------------ */

void dumpi_rank_begin(struct dumpi_rank *d, uint32_t rank)
{
  d->rank = rank;
  d->begun = false;
  d->calls = d->last = d->computed = 0;
  dumpi_requests_clear(&d->requests);
  pairs_clear(&d->types);
  dumpi_comms_begin(d->comms, rank);
}

void dumpi_rank_end(struct dumpi_rank *d)
{
  if (!d->begun)
    records_begin(&d->recording->records, d->rank, 0);
  records_end(&d->recording->records);
}

void dumpi_rank_clear(struct dumpi_rank *d)
{
  dumpi_file_close(&d->file);
  dumpi_requests_clear(&d->requests);
  pairs_clear(&d->types);
  free(d->type_size);
  free(d->bytes);
}

enum status dumpi_rank_compute(struct dumpi_rank *d, struct err *e)
{
  if (d->computed == 0)
    return OK;
  const struct record x = {
      .kind = ACTION_COMPUTE, .ticks = d->computed, .place = d->file.record.offset};
  d->computed = 0;
  return records_put(&d->recording->records, &x, e);
}

/* Adds the time between the last call and this one to the computation.  If calls are missing, the
 * time after MPI_Init does not count: recording may have been off. */
static void pass_time(struct dumpi_rank *d)
{
  const struct dumpi_record *r = &d->file.record;
  if (!d->begun) {
    records_begin(&d->recording->records, d->rank, r->entry);
    d->last = r->end;
    d->begun = true;
    return;
  }
  if (r->begin > d->last && !(d->file.missing > 0 && d->calls == 1))
    d->computed += r->begin - d->last;
  d->last = r->end > d->last ? r->end : d->last;
}

/* --- datatypes ------------------------------------------------------------------------------- */

/* After MPI_Type_free(), another derived type may get the same number, but the section of sizes has
 * only one size for each number: the rank's last definition takes precedence.  The section lacks
 * types that are aliases of built-in types. */
static bool find_size(const struct dumpi_rank *d, int32_t type, uint64_t *size)
{
  static const uint8_t BUILT_IN[] = {0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                                     8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};
  const uint32_t number = pairs_find(&d->types, 0, (uint32_t)type);
  const bool built_in = (size_t)type < sizeof BUILT_IN;
  if (type < 0)
    return false;
  if (number != PAIRS_NONE && d->type_size[number] != UNKNOWN)
    *size = d->type_size[number];
  else if ((uint32_t)type < d->file.types && d->file.size_of[type] >= (built_in ? 1 : 0))
    *size = (uint64_t)d->file.size_of[type];
  else if (built_in)
    *size = BUILT_IN[type];
  else
    return false;
  return true;
}

enum status dumpi_rank_bytes(struct dumpi_rank *d, int32_t count, int32_t type, uint64_t *bytes,
                             struct err *e)
{
  uint64_t size = 0;
  if (count != 0 && !find_size(d, type, &size))
    return dumpi_rank_refuse(d, e, "datatype %" PRId32 " has no size in the trace", type);
  if (count < 0)
    return dumpi_rank_refuse(d, e, "the count %" PRId32 " is negative", count);
  if (size > 0 && (uint64_t)count > BYTES_MAX / size)
    return dumpi_rank_refuse(
        d, e, "%" PRId32 " elements of %" PRIu64 " bytes: more than %" PRIu64 " bytes", count, size,
        BYTES_MAX);
  *bytes = (uint64_t)count * size;
  return OK;
}

static uint64_t total(const struct dumpi_record *r, uint32_t array)
{
  uint64_t all = 0;
  for (uint32_t i = 0; array < r->arrays && i < r->array[array].count; i++)
    all += (uint32_t)r->value[r->array[array].first + i];
  return all;
}

/* Sets *count to the number of elements of the old type in the new type; false if the call defines
 * no type, or a type made of several types. */
static bool elements(const struct dumpi_record *r, uint64_t *count)
{
  const uint64_t a = (uint32_t)r->number[0], b = (uint32_t)r->number[1];
  *count = 1;
  switch (r->function) {
  case DUMPI_TYPE_CONTIGUOUS:
    *count = a;
    return true;
  case DUMPI_TYPE_VECTOR:
  case DUMPI_TYPE_HVECTOR:
  case DUMPI_TYPE_CREATE_HVECTOR:
  case DUMPI_TYPE_CREATE_INDEXED_BLOCK:
    *count = a * b;
    return true;
  case DUMPI_TYPE_INDEXED:
  case DUMPI_TYPE_HINDEXED:
  case DUMPI_TYPE_CREATE_HINDEXED:
    *count = total(r, 0);
    return true;
  case DUMPI_TYPE_DUP:
  case DUMPI_TYPE_CREATE_RESIZED:
    return true;
  case DUMPI_TYPE_CREATE_SUBARRAY:
    for (uint32_t i = 0; r->arrays > 1 && i < r->array[1].count; i++)
      *count *= (uint32_t)r->value[r->array[1].first + i];
    return true;
  default:
    return false;
  }
}

static bool size_of_struct(const struct dumpi_rank *d, uint64_t *size)
{
  const struct dumpi_record *r = &d->file.record;
  *size = 0;
  if (r->arrays < 3 || r->array[2].count < r->array[0].count)
    return false;
  for (uint32_t i = 0; i < r->array[0].count; i++) {
    uint64_t one;
    if (!find_size(d, r->value[r->array[2].first + i], &one))
      return false;
    *size += one * (uint32_t)r->value[r->array[0].first + i];
  }
  return true;
}

/* Stores the size of the datatype that d->file.record defines, if it defines one. */
static enum status store_type_size(struct dumpi_rank *d, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const bool several = r->function == DUMPI_TYPE_STRUCT || r->function == DUMPI_TYPE_CREATE_STRUCT;
  uint64_t size = UNKNOWN, count;
  uint32_t number;
  if (r->numbers < 2)
    return OK;
  const int32_t old =
      r->function == DUMPI_TYPE_CREATE_RESIZED ? r->number[0] : r->number[r->numbers - 2];
  if (several) {
    if (!size_of_struct(d, &size))
      size = UNKNOWN;
  } else if (elements(r, &count)) {
    size = find_size(d, old, &size) ? size * count : UNKNOWN;
  } else if (r->function != DUMPI_TYPE_CREATE_DARRAY) {
    return OK;
  }
  const int32_t fresh = r->number[r->numbers - 1];
  if (pairs_add(&d->types, 0, (uint32_t)fresh, &number, e) != OK ||
      MEM_GROW(d->type_size, d->type_room, (size_t)number + 1, e) != OK)
    return FAIL;
  d->type_size[number] = size;
  return OK;
}

/* --- calls ----------------------------------------------------------------------------------- */

enum status dumpi_rank_comm(struct dumpi_rank *d, int32_t id, struct record *x,
                            struct dumpi_comm **out, struct err *e)
{
  struct dumpi_comm *c = dumpi_comms_find(d->comms, d->rank, id);
  struct comm_list l = {0};
  *out = c;
  x->place = d->file.record.offset;
  x->ticks = d->file.record.entry;
  if (c == NULL)
    return dumpi_rank_refuse(d, e,
                             "%s on communicator %" PRId32 ", whose creation is not recorded or is "
                             "of a kind that is not supported (intercommunicators)",
                             dumpi_calls[d->file.record.function].name, id);
  enum status s = OK;
  for (uint32_t i = 0; c->number == 0 && s == OK && i < c->count; i++)
    s = comm_list_add(&l, d->comms->ranks, &(struct comm_run){.first = c->member[i], .count = 1},
                      e);
  if (c->number == 0 && s == OK && (s = recording_comm(d->recording, &l, &c->number, e)) == OK)
    c->number++;
  comm_list_clear(&l);
  x->comm = c->number - 1;
  return s;
}

enum status dumpi_rank_call(struct dumpi_rank *d, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const char *name = dumpi_calls[r->function].name;
  bool known = false;
  pass_time(d);
  d->calls++;
  if (recording_is_foreign(name))
    recording_gap(d->recording, true, "%s: offset %" PRIu64 ": %s, which haichi does not simulate",
                  d->file.name, r->offset, name);
  if (dumpi_message(d, &known, e) != OK || (!known && dumpi_collective(d, &known, e) != OK))
    return FAIL;
  dumpi_comms_pass(d->comms, d->rank, r);
  return store_type_size(d, e);
}
