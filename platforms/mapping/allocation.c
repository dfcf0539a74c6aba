#include "platforms/mapping/allocation.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rising.h"
#include "platforms/mapping/hostlist.h"
#include "platforms/mapping/mapping_internal.h"
#include "platforms/part.h"
#include "platforms/platform_internal.h"

/* A word of the list. */
struct word {
  char *text;     /* owned */
  uint64_t line;  /* of a file; 0: not from a file */
  uint32_t slots; /* of each of its hosts; 0: not given */
};

struct allocation_list {
  char *file; /* owned; NULL: not from a file */
  struct word *word;
  size_t room;
  uint32_t words;
  char *tasks; /* SLURM_TASKS_PER_NODE, as "2(x3),1"; owned; NULL: not given */
};

/* --- reading ---------------------------------------------------------------------------------- */

/* Cuts the first word off *rest: up to a comma or blank outside brackets.  NULL: none is left. */
static char *next_word(char **rest)
{
  char *word = *rest + strspn(*rest, ", \t"), *end = word;
  bool inside = false;
  for (; *end != '\0' && (inside || strchr(", \t", *end) == NULL); end++)
    inside = *end == '[' || (inside && *end != ']');
  *rest = *end == '\0' ? end : end + 1;
  *end = '\0';
  return *word == '\0' ? NULL : word;
}

static enum status add_word(struct allocation_list *l, const char *text, uint64_t line,
                            struct err *e)
{
  if (MEM_GROW(l->word, l->room, (size_t)l->words + 1, e) != OK)
    return FAIL;
  struct word *w = &l->word[l->words];
  *w = (struct word){.text = mem_strdup(text, e), .line = line};
  l->words += w->text != NULL;
  return w->text != NULL ? OK : FAIL;
}

/* Parses a number of slots, at least 1. */
static enum status parse_slots(const char *text, uint32_t *out, struct err *e)
{
  uint64_t slots;
  if (num_u64(text, ALLOCATION_MOST_SLOTS, &slots, e) != OK)
    return FAIL;
  *out = (uint32_t)slots;
  return slots > 0 ? OK : err_set(e, "a host with 0 slots");
}

/* Adds the words of a line.  "slots=N" sets the slots of the words before it.  Open MPI's
 * "max_slots=N" is only checked. */
static enum status add_words(struct allocation_list *l, char *text, uint64_t line, struct err *e)
{
  const uint32_t start = l->words;
  uint32_t first = start;
  for (char *word; (word = next_word(&text)) != NULL;) {
    uint32_t slots;
    bool limits;
    const char *number = mapping_slots_word(word, &limits);
    if (number == NULL) {
      if (add_word(l, word, line, e) != OK)
        return FAIL;
      continue;
    }
    if (parse_slots(number, &slots, e) != OK)
      return FAIL;
    if (l->words == start)
      return err_set(e, "'%.80s' without a host before it on the line", word);
    for (; !limits && first < l->words; first++)
      l->word[first].slots = slots;
  }
  return OK;
}

static enum status read_lines(struct allocation_list *l, struct linefile *f, struct err *e)
{
  bool more;
  while (linefile_next(f, &more, e) == OK) {
    if (!more)
      return l->words > 0 ? OK : err_set(e, "%s: no hosts", l->file);
    f->text[strcspn(f->text, "#")] = '\0';
    if (add_words(l, f->text, f->line, e) != OK)
      return err_place(e, l->file, f->line);
  }
  return FAIL;
}

static enum status read_file(struct allocation_list *l, const char *path, struct err *e)
{
  struct linefile f = {0};
  if ((l->file = mem_strdup(path, e)) == NULL)
    return FAIL;
  const enum status s = linefile_open(&f, l->file, e) == OK ? read_lines(l, &f, e) : FAIL;
  linefile_close(&f);
  return s;
}

static enum status read_text(struct allocation_list *l, const char *text, struct err *e)
{
  OWNED char *copy = mem_strdup(text, e);
  enum status s = copy == NULL ? FAIL : add_words(l, copy, 0, e);
  if (s == OK && l->words == 0)
    s = err_set(e, "no hosts in '%.80s'", text);
  return s;
}

static enum status read_slurm(struct allocation_list *l, struct err *e)
{
  const char *nodes = getenv("SLURM_JOB_NODELIST"), *tasks = getenv("SLURM_TASKS_PER_NODE");
  if (nodes == NULL)
    return err_set(e, "SLURM_JOB_NODELIST is not set: slurm stands for the hosts of a Slurm job");
  if (tasks != NULL && (l->tasks = mem_strdup(tasks, e)) == NULL)
    return FAIL;
  return read_text(l, nodes, e) == OK ? OK : err_prefix(e, "SLURM_JOB_NODELIST: ");
}

static enum status read_list(struct allocation_list *l, const char *text, struct err *e)
{
  struct stat st;
  if (strcmp(text, "slurm") == 0)
    return read_slurm(l, e);
  const bool file = strcmp(text, "-") == 0 || (stat(text, &st) == 0 && !S_ISDIR(st.st_mode));
  return (file ? read_file : read_text)(l, text, e);
}

enum status allocation_list_read(struct allocation_list **out, const char *text, struct err *e)
{
  struct allocation_list *l = mem_array(1, sizeof *l, e);
  if (l == NULL)
    return FAIL;
  if (read_list(l, text, e) != OK) {
    allocation_list_free(l);
    return FAIL;
  }
  *out = l;
  return OK;
}

void allocation_list_free(struct allocation_list *l)
{
  if (l == NULL)
    return;
  for (uint32_t i = 0; i < l->words; i++)
    free(l->word[i].text);
  free(l->word);
  free(l->file);
  free(l->tasks);
  free(l);
}

void allocation_list_print(const struct allocation_list *l, FILE *f)
{
  for (uint32_t i = 0; i < l->words; i++) {
    fprintf(f, i == 0 ? "%s" : ",%s", l->word[i].text);
    if (l->word[i].slots > 0)
      fprintf(f, " slots=%" PRIu32, l->word[i].slots);
  }
  if (l->tasks != NULL)
    fprintf(f, " tasks=%s", l->tasks);
}

/* --- hosts on a platform ---------------------------------------------------------------------- */

/* A host in the order of the list. */
struct entry {
  uint32_t host, slots; /* slots 0: not given */
};

struct entries {
  const struct platform *p;
  struct entry *entry;
  size_t room;
  uint32_t count;
};

static enum status add(struct entries *x, uint32_t host, uint32_t slots, struct err *e)
{
  if (MEM_GROW(x->entry, x->room, (size_t)x->count + 1, e) != OK)
    return FAIL;
  x->entry[x->count++] = (struct entry){host, slots};
  return OK;
}

static enum status add_numbers(struct entries *x, const char *text, uint32_t slots, struct err *e)
{
  char first[24];
  uint64_t low, high;
  const size_t n = strcspn(text, "-");
  const uint32_t hosts = platform_hosts(x->p);
  if (n == 0 || n >= sizeof first || strspn(text, "0123456789-") != strlen(text))
    return err_set(e, "no host '%.80s' on %s", text, platform_name(x->p));
  memcpy(first, text, n);
  first[n] = '\0';
  if (num_u64(first, hosts - 1, &low, e) != OK ||
      num_u64(text[n] == '\0' ? first : text + n + 1, hosts - 1, &high, e) != OK)
    return err_prefix(e, "host '%.80s': ", text);
  if (high < low)
    return err_set(e, "the range '%.80s' ends before it begins", text);
  for (uint64_t h = low; h <= high; h++)
    if (add(x, (uint32_t)h, slots, e) != OK)
      return FAIL;
  return OK;
}

static enum status add_names(struct entries *x, const char *text, uint32_t slots, struct err *e)
{
  struct hostlist names;
  enum status s = OK;
  if (hostlist_parse(&names, text, e) != OK)
    return FAIL;
  for (size_t i = 0; i < names.count && s == OK; i++) {
    uint32_t host;
    s = platform_find_host(x->p, names.name[i], &host)
            ? add(x, host, slots, e)
            : err_set(e, "no host '%.80s' on %s", names.name[i], platform_name(x->p));
  }
  hostlist_clear(&names);
  return s;
}

static enum status add_hosts(struct entries *x, char *text, uint32_t slots, struct err *e)
{
  uint32_t host;
  if (platform_find_host(x->p, text, &host))
    return add(x, host, slots, e);
  char *colon = strrchr(text, ':');
  if (colon != NULL) {
    *colon = '\0';
    if (parse_slots(colon + 1, &slots, e) != OK)
      return err_prefix(e, "slots of host '%.80s': ", text);
    if (platform_find_host(x->p, text, &host))
      return add(x, host, slots, e);
  }
  return strchr(text, '[') != NULL ? add_names(x, text, slots, e) : add_numbers(x, text, slots, e);
}

static enum status find_word(struct entries *x, const struct allocation_list *l, uint32_t i,
                             struct err *e)
{
  const struct word *w = &l->word[i];
  OWNED char *copy = mem_strdup(w->text, e);
  struct err why;
  enum status s = copy == NULL ? FAIL : add_hosts(x, copy, w->slots, &why);
  if (copy == NULL || s == OK)
    return s;
  return l->file != NULL ? err_at(e, l->file, w->line, "%s", why.text) : err_set(e, "%s", why.text);
}

/* Applies Slurm's numbers of tasks, as "2(x3),1". */
static enum status set_tasks(struct entries *x, const char *tasks, struct err *e)
{
  uint32_t next = 0;
  for (const char *at = tasks; *at != '\0'; at += *at == ',') {
    char *end;
    const unsigned long slots = strtoul(at, &end, 10);
    unsigned long times = 1;
    bool good = end > at && slots > 0 && slots <= ALLOCATION_MOST_SLOTS;
    if (good && strncmp(end, "(x", 2) == 0) {
      times = strtoul(at = end + 2, &end, 10);
      good = end > at && *end == ')';
      end += good;
    }
    if (!good || (*end != ',' && *end != '\0') || times > x->count - next)
      return err_set(e, "SLURM_TASKS_PER_NODE: '%.80s' does not fit %" PRIu32 " hosts", tasks,
                     x->count);
    for (; times > 0; times--)
      x->entry[next++].slots = (uint32_t)slots;
    at = end;
  }
  return next == x->count ? OK
                          : err_set(e,
                                    "SLURM_TASKS_PER_NODE: '%.80s' is for %" PRIu32
                                    " hosts, and SLURM_JOB_NODELIST has %" PRIu32,
                                    tasks, next, x->count);
}

uint32_t allocation_default_slots(const struct platform *p)
{
  return p->node_cores == 0 ? 1 : p->node_cores;
}

static enum status find_all(struct entries *x, const struct allocation_list *l, uint32_t each,
                            struct err *e)
{
  for (uint32_t i = 0; i < l->words; i++)
    if (find_word(x, l, i, e) != OK)
      return FAIL;
  if (l->tasks != NULL && set_tasks(x, l->tasks, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < x->count; i++)
    if (each > 0 || x->entry[i].slots == 0)
      x->entry[i].slots = each > 0 ? each : allocation_default_slots(x->p);
  return OK;
}

/* --- slots ------------------------------------------------------------------------------------ */

static enum status make_part(struct allocation *a, const struct entries *x, struct err *e)
{
  OWNED uint32_t *host = mem_array(x->count, sizeof *host, e);
  uint32_t n = 0;
  if (host == NULL)
    return FAIL;
  for (uint32_t i = 0; i < x->count; i++)
    host[i] = x->entry[i].host;
  qsort(host, x->count, sizeof *host, rising_u32);
  for (uint32_t i = 0; i < x->count; i++)
    if (n == 0 || host[n - 1] != host[i])
      host[n++] = host[i];
  return platform_part_new(&a->part, x->p, host, n, e);
}

static enum status count_slots(struct allocation *a, const struct entries *x, uint32_t *slots,
                               struct err *e)
{
  uint64_t all = 0;
  for (uint32_t i = 0; i < x->count; i++) {
    uint32_t *of = &slots[platform_part_host(a->part, x->entry[i].host)];
    all += x->entry[i].slots;
    if (all > ALLOCATION_MOST_SLOTS)
      return err_set(e, "more than %d slots", ALLOCATION_MOST_SLOTS);
    *of += x->entry[i].slots;
    a->each = *of > a->each ? *of : a->each;
  }
  a->slots = (uint32_t)all;
  return OK;
}

static enum status fill_order(struct allocation *a, const struct entries *x, struct err *e)
{
  uint32_t n = 0;
  if ((a->order = mem_array(a->slots, sizeof *a->order, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < x->count; i++)
    for (uint32_t k = 0; k < x->entry[i].slots; k++)
      a->order[n++] = platform_part_host(a->part, x->entry[i].host);
  return OK;
}

/* Keeps the slots of the hosts.  Frees the array if all are equal. */
static void keep_capacity(struct allocation *a, uint32_t *slots)
{
  bool equal = true;
  for (uint32_t h = 0; h < platform_hosts(a->part); h++)
    equal = equal && slots[h] == a->each;
  a->capacity = equal ? NULL : slots;
  if (equal)
    free(slots);
}

static enum status fill(struct allocation *a, const struct entries *x, struct err *e)
{
  if (make_part(a, x, e) != OK)
    return FAIL;
  uint32_t *slots = mem_array(platform_hosts(a->part), sizeof *slots, e);
  if (slots == NULL || count_slots(a, x, slots, e) != OK || fill_order(a, x, e) != OK) {
    free(slots);
    return FAIL;
  }
  keep_capacity(a, slots);
  return OK;
}

/* Fills the allocation if @p s is OK.  Frees the entries, and on failure the allocation. */
static enum status finish(struct allocation *a, struct entries *x, enum status s, struct err *e)
{
  if (s == OK)
    s = fill(a, x, e);
  free(x->entry);
  if (s != OK)
    allocation_clear(a);
  return s;
}

enum status allocation_of_slots(struct allocation *a, const struct platform *p,
                                const uint32_t *host, uint32_t n, struct err *e)
{
  struct entries x = {.p = p};
  enum status s = OK;
  *a = (struct allocation){0};
  for (uint32_t i = 0; i < n && s == OK; i++)
    s = add(&x, host[i], 1, e);
  return finish(a, &x, s, e);
}

enum status allocation_new(struct allocation *a, const struct allocation_list *l,
                           const struct platform *p, uint32_t each, struct err *e)
{
  struct entries x = {.p = p};
  *a = (struct allocation){0};
  return finish(a, &x, find_all(&x, l, each, e), e);
}

void allocation_clear(struct allocation *a)
{
  platform_free(a->part);
  free(a->order);
  free(a->capacity);
  *a = (struct allocation){0};
}
