#include "traces/recorded/volumes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

struct volume_comm {
  uint32_t members;
  uint32_t *stream; /* by member: number plus 1; 0: no sums yet; owned; NULL: no member has sums */
  uint64_t *calls;  /* by member; owned */
  uint64_t base;    /* after joining: offset of the first call's rows */
};

/* One member's part of a joined call. */
struct row {
  uint64_t to, from; /* its block, or the sums of an alltoallv; after the last member: totals */
  uint64_t to_rest, from_rest; /* of an alltoallv: remainders of the members before, in sum */
};

/* --- exact sizes ----------------------------------------------------------------------------- */

static enum status append(struct volumes *v, const uint64_t *x, uint32_t n, struct err *e)
{
  static const uint64_t ZEROS[SCRATCH_PIECE / sizeof(uint64_t)];
  const size_t most = SCRATCH_PIECE / sizeof *x;
  for (uint32_t done = 0; done < n;) {
    const size_t k = n - done < most ? n - done : most;
    if (scratch_append(&v->file, x == NULL ? ZEROS : x + done, k * sizeof *x, e) != OK)
      return FAIL;
    done += (uint32_t)k;
  }
  return OK;
}

enum status volumes_put_exact(struct volumes *v, const uint64_t *to, const uint64_t *from,
                              uint32_t members, struct record *x, struct err *e)
{
  x->volume = scratch_end(&v->file) + 1;
  return append(v, to, members, e) == OK ? append(v, from, members, e) : FAIL;
}

/* --- sums ------------------------------------------------------------------------------------ */

static struct volume_comm *comm_of(struct volumes *v, uint32_t number, uint32_t members,
                                   struct err *e)
{
  if (MEM_GROW(v->comm, v->comm_room, (size_t)number + 1, e) != OK)
    return NULL;
  while (v->comms <= number)
    v->comm[v->comms++] = (struct volume_comm){0};
  struct volume_comm *c = &v->comm[number];
  if (c->stream != NULL)
    return c;
  c->members = members;
  c->calls = mem_array(members, sizeof *c->calls, e);
  if (c->calls == NULL || (c->stream = mem_array(members, sizeof *c->stream, e)) == NULL)
    return NULL;
  return c;
}

enum status volumes_put_sums(struct volumes *v, uint32_t member, uint32_t members,
                             const struct volume_sums *sums, struct record *x, struct err *e)
{
  struct volume_comm *c = comm_of(v, x->comm, members, e);
  if (c == NULL)
    return FAIL;
  if (scratch_take(&v->file, sizeof *sums, e) != OK)
    return FAIL;
  if (v->sums == NULL && spool_new(&v->sums, v->file.name, UINT64_MAX, e) != OK)
    return FAIL;
  if (c->stream[member] == 0) {
    uint32_t stream;
    if (spool_add(v->sums, &stream, e) != OK)
      return FAIL;
    c->stream[member] = stream + 1;
  }
  x->volume = ++c->calls[member];
  return spool_append(v->sums, c->stream[member] - 1, sums, sizeof *sums, e);
}

/* --- joining --------------------------------------------------------------------------------- */

/* One call of a communicator. */
struct joint {
  struct volume_sums *sums; /* by member */
  struct row *row;          /* by member, and totals after the last member */
  uint32_t members;
};

static uint64_t total(const struct joint *j, bool received)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < j->members; i++)
    sum += received ? j->sums[i].received : j->sums[i].sent;
  return sum;
}

/* Sets the blocks of a gatherv or scatterv.  The root's own block is 0 if it is in place. */
static bool join_gather(struct joint *j, bool gather)
{
  const uint64_t root = j->sums[0].root;
  if (root >= j->members)
    return false;
  const struct volume_sums *r = &j->sums[root];
  uint64_t sum = 0;
  for (uint32_t i = 0; i < j->members; i++) {
    j->row[i].to = gather ? j->sums[i].sent : j->sums[i].received;
    sum += i == root ? 0 : j->row[i].to;
  }
  const uint64_t own = j->row[root].to, all = gather ? r->received : r->sent;
  j->row[root].to = all == sum + own ? own : 0;
  return all == sum + j->row[root].to;
}

/* Sets the blocks if each event states its own block @p times times in one direction, and in the
 * other direction the sum of all blocks, without its own block if @p others. */
static bool try_blocks(struct joint *j, bool received, uint64_t times, bool others)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < j->members; i++) {
    const uint64_t x = received ? j->sums[i].received : j->sums[i].sent;
    if (times == 0 ? x != 0 : x % times != 0)
      return false;
    j->row[i].to = times == 0 ? 0 : x / times;
    sum += j->row[i].to;
  }
  for (uint32_t i = 0; i < j->members; i++)
    if ((received ? j->sums[i].sent : j->sums[i].received) != sum - (others ? j->row[i].to : 0))
      return false;
  return true;
}

static bool join_blocks(struct joint *j, bool received)
{
  return try_blocks(j, received, j->members, false) ||
         try_blocks(j, received, j->members - 1, true) || try_blocks(j, received, 1, false);
}

/* Bytes from member @p i to member @p k before the remainders are distributed. */
static uint64_t share(const struct row *i, const struct row *k, uint64_t all)
{
  return all == 0 ? 0 : (uint64_t)((unsigned __int128)i->to * k->from / all);
}

/* Stores the sums, and the remainders that the shares leave, summed up over the members before. */
static bool join_matrix(struct joint *j)
{
  const uint64_t all = total(j, false);
  if (all != total(j, true))
    return false;
  for (uint32_t i = 0; i < j->members; i++)
    j->row[i] =
        (struct row){j->sums[i].sent, j->sums[i].received, j->sums[i].sent, j->sums[i].received};
  for (uint32_t i = 0; i < j->members; i++)
    for (uint32_t k = 0; k < j->members; k++) {
      const uint64_t x = share(&j->row[i], &j->row[k], all);
      j->row[i].to_rest -= x;
      j->row[k].from_rest -= x;
    }
  uint64_t to = 0, from = 0;
  for (uint32_t i = 0; i < j->members; i++) {
    const uint64_t to_rest = j->row[i].to_rest, from_rest = j->row[i].from_rest;
    j->row[i].to_rest = to;
    j->row[i].from_rest = from;
    to += to_rest;
    from += from_rest;
  }
  j->row[j->members] = (struct row){all, all, to, from};
  return true;
}

static enum status join_call(struct volumes *v, struct joint *j, uint64_t call, struct err *e)
{
  const enum action_kind kind = (enum action_kind)j->sums[0].kind;
  for (uint32_t i = 1; i < j->members; i++)
    if (j->sums[i].kind != j->sums[0].kind || j->sums[i].root != j->sums[0].root)
      return err_set(e,
                     "call %" PRIu64 " of a collective with sizes by member: member %" PRIu32
                     " calls %s (root %" PRIu64 ") where member 0 calls %s (root %" PRIu64 ")",
                     call, i, action_name((enum action_kind)j->sums[i].kind), j->sums[i].root,
                     action_name(kind), j->sums[0].root);
  bool good;
  const bool matrix = kind == ACTION_ALLTOALLV || kind == ACTION_ALLTOALLW;
  if (matrix)
    good = join_matrix(j);
  else if (kind == ACTION_GATHERV || kind == ACTION_SCATTERV)
    good = join_gather(j, kind == ACTION_GATHERV);
  else
    good = join_blocks(j, kind == ACTION_REDUCESCATTER);
  v->guessed += matrix && j->members > 1;
  if (!good)
    return err_set(e,
                   "call %" PRIu64 " of a collective with sizes by member, a %s of %" PRIu32
                   " members: the bytes sent (%" PRIu64 ") and received (%" PRIu64
                   ") by all do not fit each other",
                   call, action_name(kind), j->members, total(j, false), total(j, true));
  for (uint32_t i = 0; i <= j->members; i++)
    if (scratch_append(&v->file, &j->row[i], sizeof j->row[i], e) != OK)
      return FAIL;
  return OK;
}

static enum status join_calls(struct volumes *v, struct volume_comm *c, struct joint *j,
                              struct spool_cursor *cursor, struct err *e)
{
  for (uint32_t i = 0; i < c->members; i++) {
    if (c->calls[i] != c->calls[0] || c->stream[i] == 0)
      return err_set(e,
                     "member %" PRIu32 " of a communicator has %" PRIu64
                     " collectives with sizes by member, and member 0 has %" PRIu64,
                     i, c->calls[i], c->calls[0]);
    if (spool_flush(v->sums, c->stream[i] - 1, e) != OK)
      return FAIL;
    cursor[i] = spool_start(v->sums, c->stream[i] - 1);
  }
  for (uint64_t call = 0; call < c->calls[0]; call++) {
    for (uint32_t i = 0; i < c->members; i++) {
      size_t got;
      if (spool_read(v->sums, &cursor[i], (char *)&j->sums[i], sizeof *j->sums, &got, e) != OK)
        return FAIL;
      j->row[i] = (struct row){0};
    }
    if (join_call(v, j, call, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status join_comm(struct volumes *v, uint32_t number, struct err *e)
{
  struct volume_comm *c = &v->comm[number];
  struct joint j = {.members = c->members};
  struct spool_cursor *cursor = mem_array(c->members, sizeof *cursor, e);
  enum status s = FAIL;
  c->base = scratch_end(&v->file);
  if (cursor != NULL && (j.sums = mem_array(c->members, sizeof *j.sums, e)) != NULL &&
      (j.row = mem_array((size_t)c->members + 1, sizeof *j.row, e)) != NULL)
    s = join_calls(v, c, &j, cursor, e);
  free(cursor);
  free(j.sums);
  free(j.row);
  return s;
}

enum status volumes_join(struct volumes *v, const struct comm_table *comms, struct err *e)
{
  struct err why;
  for (uint32_t i = 0; i < v->comms; i++)
    if (v->comm[i].stream != NULL && join_comm(v, i, &why) != OK)
      return i == 0 ? err_set(e, "%s: on MPI_COMM_WORLD: %s", v->file.name, why.text)
                    : err_set(e, "%s: on communicator %" PRIu64 ": %s", v->file.name,
                              comms->comm[i - 1]->id, why.text);
  spool_free(v->sums);
  v->sums = NULL;
  return scratch_flush(&v->file, e);
}

/* --- reading --------------------------------------------------------------------------------- */

/* Length of the intersection of [a, a + n) and [b, b + m). */
static uint64_t common(uint64_t a, uint64_t n, uint64_t b, uint64_t m)
{
  const uint64_t begin = a > b ? a : b, end = a + n < b + m ? a + n : b + m;
  return end > begin ? end - begin : 0;
}

/* Bytes from member @p i to member @p k of an alltoallv: the share, and the intersection of both
 * remainders. */
static uint64_t cell(const struct row *row, uint32_t members, uint32_t i, uint32_t k)
{
  return share(&row[i], &row[k], row[members].to) +
         common(row[i].to_rest, row[i + 1].to_rest - row[i].to_rest, row[k].from_rest,
                row[k + 1].from_rest - row[k].from_rest);
}

static enum status read_joined(const struct volumes *v, const struct record *x, uint32_t member,
                               uint32_t members, uint64_t *to, uint64_t *from, struct err *e)
{
  const enum action_kind kind = action_blocking(x->kind);
  const bool matrix = kind == ACTION_ALLTOALLV || kind == ACTION_ALLTOALLW;
  const size_t bytes = ((size_t)members + 1) * sizeof(struct row);
  struct row *row = mem_array((size_t)members + 1, sizeof *row, e);
  if (row == NULL || scratch_read(&v->file, v->comm[x->comm].base + (x->volume - 1) * bytes, row,
                                  bytes, e) != OK) {
    free(row);
    return FAIL;
  }
  for (uint32_t i = 0; i < members; i++) {
    to[i] = matrix ? cell(row, members, member, i) : row[i].to;
    from[i] = matrix ? cell(row, members, i, member) : row[i].to;
  }
  free(row);
  return OK;
}

enum status volumes_read(const struct volumes *v, const struct record *x, uint32_t member,
                         uint32_t members, uint64_t *to, uint64_t *from, struct err *e)
{
  const size_t bytes = members * sizeof *to;
  if (x->comm < v->comms && v->comm[x->comm].stream != NULL)
    return read_joined(v, x, member, members, to, from, e);
  if (scratch_read(&v->file, x->volume - 1, to, bytes, e) != OK)
    return FAIL;
  return scratch_read(&v->file, x->volume - 1 + bytes, from, bytes, e);
}

void volumes_clear(struct volumes *v)
{
  for (uint32_t i = 0; i < v->comms; i++) {
    free(v->comm[i].stream);
    free(v->comm[i].calls);
  }
  free(v->comm);
  spool_free(v->sums);
  scratch_clear(&v->file);
  *v = (struct volumes){0};
}
