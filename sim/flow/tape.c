#include "sim/flow/tape.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/files/temp.h"
#include "common/mem.h"

void tape_clear(struct tape *t)
{
  for (size_t i = 0; i < t->blocks; i++)
    free(t->block[i].data);
  free(t->block);
  if (t->file > 0)
    close(t->file - 1);
  *t = (struct tape){0};
}

static enum status transfer_block(int fd, uint8_t *data, size_t block, bool writes, struct err *e)
{
  const off_t start = (off_t)((block - TAPE_KEPT) * TAPE_BLOCK);
  for (size_t done = 0; done < TAPE_BLOCK;) {
    const off_t at = start + (off_t)done;
    const ssize_t n = writes ? pwrite(fd, data + done, TAPE_BLOCK - done, at)
                             : pread(fd, data + done, TAPE_BLOCK - done, at);
    if (n == 0 || (n < 0 && errno != EINTR))
      return err_errno(e, temp_dir(),
                       writes ? "cannot write a temporary file" : "cannot read a temporary file");
    done += n > 0 ? (size_t)n : 0;
  }
  return OK;
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
  if (transfer_block(t->file - 1, t->last, t->blocks - 1, true, e) != OK)
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
  return transfer_block(r->tape->file - 1, r->memory, r->block, false, e);
}

enum status tape_previous_block(struct tape_reader *r, struct err *e)
{
  while (r->left == 0 && r->block > 0)
    if (read_block(r, e) != OK)
      return FAIL;
  return OK;
}
