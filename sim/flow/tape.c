#include "sim/flow/tape.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/files/temp.h"
#include "common/mem.h"

#define WHAT "a temporary file"

void tape_clear(struct tape *t)
{
  for (size_t i = 0; i < t->blocks; i++)
    free(t->block[i].data);
  free(t->block);
  if (t->file > 0)
    close(t->file - 1);
  *t = (struct tape){0};
}

/* Offset of a block in the file. */
static uint64_t offset_of(size_t block)
{
  return (uint64_t)(block - TAPE_KEPT) * TAPE_BLOCK;
}

/* Writes the last block to the file, and hands its memory on to the next block. */
static enum status spill(struct tape *t, uint8_t **memory, struct err *e)
{
  int fd = -1;
  if (t->file == 0) {
    if (temp_unnamed(&fd, e) != OK)
      return FAIL;
    t->file = fd + 1;
  }
  if (temp_write(t->file - 1, offset_of(t->blocks - 1), t->last, TAPE_BLOCK, WHAT, e) != OK)
    return FAIL;
  *memory = t->last;
  t->block[t->blocks - 1].data = NULL;
  return OK;
}

enum status tape_begin_block(struct tape *t, struct err *e)
{
  uint8_t *memory = NULL;
  if (MEM_GROW(t->block, t->room, t->blocks + 1, e) != OK)
    return FAIL;
  if (t->blocks > 0)
    t->block[t->blocks - 1].used = t->used;
  if (t->blocks > TAPE_KEPT && spill(t, &memory, e) != OK)
    return FAIL;
  if (memory == NULL && (memory = malloc(TAPE_BLOCK)) == NULL)
    return err_set(e, "out of memory");
  t->block[t->blocks++].data = memory;
  t->last = memory;
  t->used = 0;
  t->size = TAPE_BLOCK;
  return OK;
}

enum status tape_reader_start(struct tape_reader *r, const struct tape *t, struct err *e)
{
  *r = (struct tape_reader){.tape = t, .block = t->blocks};
  if (t->file > 0 && (r->memory = malloc(TAPE_BLOCK)) == NULL)
    return err_set(e, "out of memory");
  return OK;
}

void tape_reader_clear(struct tape_reader *r)
{
  free(r->memory);
  *r = (struct tape_reader){0};
}

static enum status read_block(struct tape_reader *r, struct err *e)
{
  const struct tape_block *b = &r->tape->block[--r->block];
  r->left = r->block + 1 == r->tape->blocks ? r->tape->used : b->used;
  r->data = b->data;
  if (b->data != NULL)
    return OK;
  r->data = r->memory;
  return temp_read(r->tape->file - 1, offset_of(r->block), r->memory, TAPE_BLOCK, WHAT, e);
}

enum status tape_previous_block(struct tape_reader *r, struct err *e)
{
  while (r->left == 0 && r->block > 0)
    if (read_block(r, e) != OK)
      return FAIL;
  return OK;
}
