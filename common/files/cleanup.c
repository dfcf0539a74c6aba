#include "common/files/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/mem.h"

/* Entries are never freed: a handler may be reading them. */
struct cleanup {
  struct cleanup *next;
  atomic_bool active;
  char path[];
};

/* Head of the registry.  Global because a signal handler takes no user argument. */
static _Atomic(struct cleanup *) list;

/* MOST_LEVELS: levels of folders removed, including the registered folder.  MOST_TRIES: attempts to
 * empty one folder. */
enum { MOST_LEVELS = 4, MOST_TRIES = 8 };

static void remove_at(int folder, const char *name, int depth);

static bool is_dot(const char *name)
{
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* Removes the contents.  Avoids readdir(), which allocates: a signal handler must not allocate. */
static void empty_folder(int fd, int depth)
{
  _Alignas(struct dirent64) char buffer[4096];
  long n;
  lseek(fd, 0, SEEK_SET);
  while ((n = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
    for (long at = 0; at < n;) {
      const struct dirent64 *entry = (const struct dirent64 *)(buffer + at);
      if (!is_dot(entry->d_name))
        remove_at(fd, entry->d_name, depth);
      at += entry->d_reclen;
    }
}

static void remove_at(int folder, const char *name, int depth)
{
  int tries = 0;
  if (unlinkat(folder, name, 0) == 0 || errno != EISDIR || depth == MOST_LEVELS)
    return;
  const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return;
  /* Some file systems skip entries when others are removed during the listing. */
  do
    empty_folder(fd, depth + 1);
  while (unlinkat(folder, name, AT_REMOVEDIR) != 0 && errno == ENOTEMPTY && ++tries < MOST_TRIES);
  close(fd);
}

void cleanup_remove(const char *path)
{
  remove_at(AT_FDCWD, path, 0);
}

void cleanup_now(void)
{
  for (struct cleanup *c = atomic_load(&list); c != NULL; c = c->next)
    if (atomic_load(&c->active))
      cleanup_remove(c->path);
}

/* One-shot handler: raise() then takes the default action, which ends the process. */
static void end_process(int number)
{
  cleanup_now();
  raise(number);
}

static const int SIGNALS[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof *SIGNALS };

void cleanup_catch_signals(void)
{
  static bool asked, ignored[SIGNAL_COUNT];
  for (size_t i = 0; i < SIGNAL_COUNT; i++) {
    struct sigaction before, action = {.sa_handler = end_process, .sa_flags = (int)SA_RESETHAND};
    sigfillset(&action.sa_mask);
    if (!asked)
      ignored[i] = sigaction(SIGNALS[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (ignored[i])
      action = (struct sigaction){.sa_handler = SIG_IGN};
    sigaction(SIGNALS[i], &action, NULL);
  }
  asked = true;
}

enum status cleanup_add(struct cleanup **out, const char *path, struct err *e)
{
  const size_t size = strlen(path) + 1;
  struct cleanup *c = mem_array(1, sizeof *c + size, e);
  if (c == NULL)
    return FAIL;
  memcpy(c->path, path, size);
  atomic_init(&c->active, true);
  c->next = atomic_load(&list);
  while (!atomic_compare_exchange_weak(&list, &c->next, c))
    continue;
  *out = c;
  return OK;
}

void cleanup_drop(struct cleanup *c)
{
  if (c != NULL)
    atomic_store(&c->active, false);
}

void cleanup_drop_all(void)
{
  for (struct cleanup *c = atomic_load(&list); c != NULL; c = c->next)
    cleanup_drop(c);
}
