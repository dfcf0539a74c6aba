#include "platforms/fabric/slurm_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"

/* Parameters of a line.  Level, LinkSpeed, BlockIndex, the nodes of an aggregated block and
 * AllowEmptySwitch are ignored: the tree follows from the other parameters. */
enum key {
  SWITCH_NAME,
  SWITCHES,
  NODES,
  LINK_SPEED,
  LEVEL,
  BLOCK_NAME,
  BLOCK_SIZES,
  BLOCK_SIZE,
  BLOCK_INDEX,
  AGGREGATED_BLOCK,
  ALLOW_EMPTY,
  KEYS
};

static const char *const KEY[KEYS] = {
    "SwitchName", "Switches",  "Nodes",      "LinkSpeed",       "Level",           "BlockName",
    "BlockSizes", "BlockSize", "BlockIndex", "AggregatedBlock", "AllowEmptySwitch"};

/* Maximum number of block sizes, and maximum length of a switch name in bytes. */
enum { MOST_SIZES = 16, LONGEST_NAME = 127 };

struct reader {
  struct slurm_file *f;
  char *value[KEYS];         /* of the line; point into it */
  uint64_t line;             /* of its first part */
  bool blocks;               /* the items are blocks */
  uint64_t size[MOST_SIZES]; /* of blocks in nodes, ascending */
  uint32_t sizes;
  struct err *e;
};

void slurm_file_clear(struct slurm_file *f)
{
  for (uint32_t i = 0; i < f->count; i++) {
    free(f->item[i].name);
    free(f->item[i].nodes);
    free(f->item[i].switches);
  }
  free(f->item);
  *f = (struct slurm_file){0};
}

enum status slurm_file_add(struct slurm_file *f, const struct slurm_switch *x, struct err *e)
{
  size_t n = 0;
  while (x->name[n] > ' ' && x->name[n] <= '~' && strchr("[],", x->name[n]) == NULL)
    n++;
  if (n == 0 || n > LONGEST_NAME || x->name[n] != '\0')
    return err_set(e,
                   "'%.80s' is not the name of a switch: 1 to %d characters of ASCII, no brackets",
                   x->name, LONGEST_NAME);
  if (f->count == UINT32_MAX / 2 || MEM_GROW(f->item, f->room, (size_t)f->count + 1, e) != OK)
    return FAIL;
  struct slurm_switch *s = &f->item[f->count];
  *s = (struct slurm_switch){.name = mem_strdup(x->name, e), .line = x->line};
  if (s->name == NULL)
    return FAIL;
  f->count++;
  if (x->nodes != NULL && (s->nodes = mem_strdup(x->nodes, e)) == NULL)
    return FAIL;
  return x->switches == NULL || (s->switches = mem_strdup(x->switches, e)) != NULL ? OK : FAIL;
}

/* Adds a switch of the line.  @p nodes and @p switches may be NULL. */
static enum status add(struct reader *r, char *name, char *nodes, char *switches)
{
  return slurm_file_add(r->f, &(struct slurm_switch){name, nodes, switches, r->line}, r->e);
}

/* --- lines ------------------------------------------------------------------------------------ */

static enum status split_word(struct reader *r, char *word)
{
  char *value = strchr(word, '=');
  if (value == NULL)
    return err_set(r->e, "'%.80s' is not PARAMETER=VALUE", word);
  *value++ = '\0';
  for (int k = 0; k < KEYS; k++) {
    if (strcasecmp(word, KEY[k]) != 0)
      continue;
    if (r->value[k] != NULL)
      return err_set(r->e, "a second %s on the line", KEY[k]);
    r->value[k] = value;
    return OK;
  }
  return err_set(r->e, "unknown parameter '%.80s'", word);
}

static bool is_given(const struct reader *r, enum key k)
{
  const char *value = r->value[k];
  return value != NULL && *value != '\0' && strcmp(value, "(null)") != 0;
}

/* Inserts a size in ascending order, without repetitions. */
static enum status add_size(struct reader *r, const char *text)
{
  uint64_t size;
  uint32_t i = r->sizes;
  if (num_u64(text, UINT32_MAX, &size, r->e) != OK)
    return err_prefix(r->e, "size of blocks: ");
  if (size == 0)
    return err_set(r->e, "blocks of 0 nodes");
  for (uint32_t k = 0; k < r->sizes; k++)
    if (r->size[k] == size)
      return OK;
  if (r->sizes == MOST_SIZES)
    return err_set(r->e, "more than %d sizes of blocks", MOST_SIZES);
  for (; i > 0 && r->size[i - 1] > size; i--)
    r->size[i] = r->size[i - 1];
  r->size[i] = size;
  r->sizes++;
  return OK;
}

static enum status read_block(struct reader *r)
{
  const enum key k = is_given(r, BLOCK_SIZE) ? BLOCK_SIZE : BLOCK_SIZES;
  if (is_given(r, ALLOW_EMPTY))
    return OK;
  char *rest = r->value[k];
  for (char *word; is_given(r, k) && (word = strsep(&rest, ",")) != NULL;)
    if (add_size(r, word) != OK)
      return FAIL;
  if (is_given(r, AGGREGATED_BLOCK) || (is_given(r, BLOCK_SIZES) && !is_given(r, BLOCK_NAME)))
    return OK;
  if (!is_given(r, BLOCK_NAME))
    return err_set(r->e, "neither %s nor %s nor %s", KEY[SWITCH_NAME], KEY[BLOCK_NAME],
                   KEY[BLOCK_SIZES]);
  if (!r->blocks && r->f->count > 0)
    return err_set(r->e, "block '%.80s' in a file with switches", r->value[BLOCK_NAME]);
  if (!is_given(r, NODES))
    return err_set(r->e, "block '%.80s' has no nodes", r->value[BLOCK_NAME]);
  r->blocks = true;
  return add(r, r->value[BLOCK_NAME], r->value[NODES], NULL);
}

static enum status read_switch(struct reader *r)
{
  for (int k = BLOCK_NAME; k < KEYS; k++)
    if (r->value[k] != NULL)
      return err_set(r->e, "%s on the line of a switch", KEY[k]);
  if (r->blocks)
    return err_set(r->e, "switch '%.80s' in a file with blocks", r->value[SWITCH_NAME]);
  return add(r, r->value[SWITCH_NAME], is_given(r, NODES) ? r->value[NODES] : NULL,
             is_given(r, SWITCHES) ? r->value[SWITCHES] : NULL);
}

/* Reads a line whose continuations have been joined. */
static enum status read_line(struct reader *r, char *text)
{
  text[strcspn(text, "#")] = '\0';
  memset(r->value, 0, sizeof r->value);
  char *word = linefile_word(&text);
  if (word == NULL)
    return OK;
  for (; word != NULL; word = linefile_word(&text))
    if (split_word(r, word) != OK)
      return FAIL;
  return (is_given(r, SWITCH_NAME) ? read_switch : read_block)(r);
}

/* Joins a line and its continuations, which follow a backslash at the end of a line.  *text is
 * NULL at the end of the file; the caller frees it. */
static enum status next_line(struct reader *r, struct linefile *l, char **text)
{
  bool more = true, continued = true;
  size_t length = 0, room = 0;
  *text = NULL;
  r->line = l->line + 1;
  while (continued) {
    if (linefile_next(l, &more, r->e) != OK)
      return FAIL;
    if (!more)
      return OK;
    continued = l->length > 0 && l->text[l->length - 1] == '\\';
    const size_t n = l->length - continued;
    if (length + n > LINEFILE_LONGEST)
      return err_at(r->e, l->path, l->line, "a line with its continuations is above %d bytes",
                    LINEFILE_LONGEST);
    if (MEM_GROW(*text, room, length + n + 1, r->e) != OK)
      return FAIL;
    memcpy(*text + length, l->text, n);
    length += n;
    (*text)[length] = '\0';
  }
  return OK;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Adds a switch above each @p each successive items of first..last - 1. */
static enum status join_blocks(struct reader *r, uint32_t first, uint32_t last, uint64_t each,
                               uint64_t size)
{
  for (uint32_t i = first; i < last;) {
    char name[64], *list = NULL;
    const uint32_t begin = i;
    size_t room = 0, n = 0;
    for (; i < last && i - begin < each; i++) {
      const char *below = r->f->item[i].name;
      const size_t length = strlen(below);
      if (MEM_GROW(list, room, n + length + 2, r->e) != OK) {
        free(list);
        return FAIL;
      }
      memcpy(list + n, below, length);
      list[n + length] = ',';
      n += length + 1;
      list[n] = '\0';
    }
    if (size > 0)
      snprintf(name, sizeof name, "blocks-%" PRIu64 "-%" PRIu32, size,
               (begin - first) / (uint32_t)each);
    else
      snprintf(name, sizeof name, "blocks");
    const enum status s = add(r, name, NULL, list);
    free(list);
    if (s != OK)
      return FAIL;
  }
  return OK;
}

/* Slurm joins successive blocks to larger ones.  Each size must be a multiple of the size before.
 */
static enum status make_tree(struct reader *r)
{
  uint32_t first = 0, last = r->f->count;
  for (uint32_t i = 1; i < r->sizes && last - first > 1; i++) {
    const uint64_t each = r->size[i] / r->size[i - 1];
    if (r->size[i] % r->size[i - 1] != 0)
      return err_set(r->e, "blocks of %" PRIu64 " nodes do not consist of blocks of %" PRIu64,
                     r->size[i], r->size[i - 1]);
    if (join_blocks(r, first, last, each, r->size[i]) != OK)
      return FAIL;
    first = last;
    last = r->f->count;
  }
  return last - first > 1 ? join_blocks(r, first, last, UINT32_MAX, 0) : OK;
}

enum status slurm_file_read(struct slurm_file *f, const char *path, struct err *e)
{
  struct linefile l = {0};
  struct reader r = {.f = f, .e = e};
  char *text = NULL;
  enum status s = linefile_open(&l, path, e);
  while (s == OK && (s = next_line(&r, &l, &text)) == OK && text != NULL) {
    if (read_line(&r, text) != OK)
      s = err_place(e, path, r.line);
    free(text);
    text = NULL;
  }
  free(text);
  if (s == OK && f->count == 0)
    s = err_at(e, path, l.line == 0 ? 1 : l.line, "no switches and no blocks");
  if (s == OK && r.blocks && make_tree(&r) != OK)
    s = err_prefix(e, "%s: ", path);
  linefile_close(&l);
  return s;
}
