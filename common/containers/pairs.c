#include "common/containers/pairs.h"

#include <stdlib.h>

#include "common/mem.h"

static uint64_t key_of(uint32_t a, uint32_t b)
{
  return (uint64_t)a << 32 | b;
}

static bool same(const void *keys, uint32_t number, const void *key)
{
  return ((const uint64_t *)keys)[number] == *(const uint64_t *)key;
}

static uint64_t hash(const void *keys, uint32_t number)
{
  return index_mix(((const uint64_t *)keys)[number]);
}

void pairs_clear(struct pairs *p)
{
  free(p->key);
  index_clear(&p->index);
  *p = (struct pairs){0};
}

uint32_t pairs_find(const struct pairs *p, uint32_t a, uint32_t b)
{
  const uint64_t key = key_of(a, b);
  return index_find(&p->index, index_mix(key), same, p->key, &key);
}

enum status pairs_add(struct pairs *p, uint32_t a, uint32_t b, uint32_t *number, struct err *e)
{
  *number = pairs_find(p, a, b);
  if (*number != PAIRS_NONE)
    return OK;
  if (p->count == PAIRS_NONE - 1)
    return err_set(e, "more than %u pairs", PAIRS_NONE - 1);
  if (MEM_GROW(p->key, p->key_room, (size_t)p->count + 1, e) != OK ||
      index_reserve(&p->index, p->count, hash, p->key, e) != OK)
    return FAIL;
  p->key[p->count] = key_of(a, b);
  index_add(&p->index, hash(p->key, p->count), p->count);
  *number = p->count++;
  return OK;
}
