#include "common/files/inputs.h"

#include <pthread.h>
#include <sys/stat.h>

#include "common/containers/index.h"

struct input {
  dev_t device;
  ino_t inode;
  bool released;
};

static struct {
  pthread_mutex_t lock;
  struct input *input;
  size_t room;
  struct index index;
  uint32_t count;
  bool on;
} noted = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t hash_of(const void *inputs, uint32_t number)
{
  const struct input *x = (const struct input *)inputs + number;
  return index_mix(index_mix(x->device) + x->inode);
}

static bool is_same(const void *inputs, uint32_t number, const void *key)
{
  const struct input *x = (const struct input *)inputs + number, *y = key;
  return x->device == y->device && x->inode == y->inode;
}

/* The entry of a file, or NULL. */
static struct input *find(const struct stat *st)
{
  const struct input key = {st->st_dev, st->st_ino, false};
  const uint32_t i = index_find(&noted.index, hash_of(&key, 0), is_same, noted.input, &key);
  return i == INDEX_NONE ? NULL : &noted.input[i];
}

void inputs_watch(void)
{
  noted.on = true;
}

/* Requires the lock.  Without memory, a file is not noted. */
static void add(const struct stat *st, bool released)
{
  struct err unused;
  struct input *known = find(st);
  if (known != NULL)
    known->released |= released;
  if (known != NULL || MEM_GROW(noted.input, noted.room, (size_t)noted.count + 1, &unused) != OK ||
      index_reserve(&noted.index, noted.count, hash_of, noted.input, &unused) != OK)
    return;
  noted.input[noted.count] = (struct input){st->st_dev, st->st_ino, released};
  index_add(&noted.index, hash_of(noted.input, noted.count), noted.count);
  noted.count++;
}

static void note(const struct stat *st, bool released)
{
  if (!S_ISREG(st->st_mode))
    return;
  pthread_mutex_lock(&noted.lock);
  add(st, released);
  pthread_mutex_unlock(&noted.lock);
}

void inputs_note(int fd)
{
  struct stat st;
  if (noted.on && fstat(fd, &st) == 0)
    note(&st, false);
}

void inputs_release(const char *path)
{
  struct stat st;
  if (noted.on && stat(path, &st) == 0)
    note(&st, true);
}

bool inputs_has(const char *path)
{
  struct stat st;
  if (!noted.on || stat(path, &st) != 0)
    return false;
  pthread_mutex_lock(&noted.lock);
  const struct input *x = find(&st);
  const bool found = x != NULL && !x->released;
  pthread_mutex_unlock(&noted.lock);
  return found;
}
