#include "sim/pairs.h"

#include <stdlib.h>

#include "common/mem.h"

enum { ROOM_MIN = 64 };

static uint64_t key_of(uint32_t a, uint32_t b)
{
  return (uint64_t)a << 32 | b;
}

/* Where in the index the pair is or would be: open addressing, at most half of it is taken. */
static uint32_t *probe(const struct pairs *p, uint64_t key)
{
  const uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (h ^ (h >> 32)) & (p->room - 1);
  while (p->index[i] != 0 && p->key[p->index[i] - 1] != key)
    i = (i + 1) & (p->room - 1);
  return &p->index[i];
}

static enum status grow_index(struct pairs *p, struct err *e)
{
  const size_t room = p->room == 0 ? ROOM_MIN : 2 * p->room;
  uint32_t *index = mem_array(room, sizeof *index, e);
  if (index == NULL)
    return FAIL;
  free(p->index);
  p->index = index;
  p->room = room;
  for (uint32_t i = 0; i < p->count; i++)
    *probe(p, p->key[i]) = i + 1;
  return OK;
}

/* Room for one more pair. */
static enum status reserve(struct pairs *p, struct err *e)
{
  if (p->count == PAIRS_NONE - 1)
    return err_set(e, "more than %u pairs", PAIRS_NONE - 1);
  if (MEM_GROW(p->key, p->key_room, (size_t)p->count + 1, e) != OK)
    return FAIL;
  return 2 * (size_t)p->count < p->room ? OK : grow_index(p, e);
}

void pairs_clear(struct pairs *p)
{
  free(p->key);
  free(p->index);
  *p = (struct pairs){0};
}

uint32_t pairs_find(const struct pairs *p, uint32_t a, uint32_t b)
{
  return p->room == 0 ? PAIRS_NONE : *probe(p, key_of(a, b)) - 1;
}

enum status pairs_add(struct pairs *p, uint32_t a, uint32_t b, uint32_t *number, struct err *e)
{
  if (reserve(p, e) != OK)
    return FAIL;
  uint32_t *place = probe(p, key_of(a, b));
  if (*place == 0) {
    p->key[p->count] = key_of(a, b);
    *place = ++p->count;
  }
  *number = *place - 1;
  return OK;
}
