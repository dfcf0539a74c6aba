#include "plots/album.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/registry.h"
#include "plots/plot.h"

enum status album_add(struct album *a, const char *name, struct err *e)
{
  if (MEM_GROW(a->name, a->room, a->count + 1, e) != OK)
    return FAIL;
  a->name[a->count] = mem_strdup(name, e);
  if (a->name[a->count] == NULL)
    return FAIL;
  a->count++;
  return OK;
}

void album_clear(struct album *a)
{
  for (size_t i = 0; i < a->count; i++)
    free(a->name[i]);
  free(a->name);
  *a = (struct album){0};
}

/* Length of the name without extension if campaigns draw pictures of that name; 0 if not. */
static size_t stem(const char *file)
{
  static const char *const WHOLE[] = {"speedup", "metrics", "makespan", "use", NULL};
  static const char *const BEGIN[] = {"matrix-", "links-", NULL};
  const char *dot = strrchr(file, '.');
  if (dot == NULL || registry_find(&plot_formats, dot + 1, strlen(dot + 1)) == NULL)
    return 0;
  const size_t n = (size_t)(dot - file);
  for (size_t i = 0; WHOLE[i] != NULL; i++)
    if (n == strlen(WHOLE[i]) && strncmp(file, WHOLE[i], n) == 0)
      return n;
  for (size_t i = 0; BEGIN[i] != NULL; i++)
    if (n > strlen(BEGIN[i]) && strncmp(file, BEGIN[i], strlen(BEGIN[i])) == 0)
      return n;
  return 0;
}

static bool has(const struct album *a, const char *file, size_t n)
{
  for (size_t i = 0; i < a->count; i++)
    if (strlen(a->name[i]) == n && strncmp(a->name[i], file, n) == 0)
      return true;
  return false;
}

/* True if the file looks like a picture of another campaign. */
static bool is_strange(const struct album *a, const char *file)
{
  const size_t n = stem(file);
  return n > 0 && !has(a, file, n);
}

enum status album_check(const struct album *a, const char *folder, FILE *f, struct err *e)
{
  DIR *d = opendir(folder);
  if (d == NULL)
    return err_errno(e, folder, "cannot open");
  char first[sizeof((struct dirent *)NULL)->d_name] = "";
  size_t count = 0;
  for (const struct dirent *x; (x = readdir(d)) != NULL;) {
    if (!is_strange(a, x->d_name))
      continue;
    if (count++ == 0 || strcmp(x->d_name, first) < 0)
      snprintf(first, sizeof first, "%s", x->d_name);
  }
  closedir(d);
  if (count > 0)
    fprintf(f, "haichi: %s: pictures that are not of this campaign: %zu, as %s\n", folder, count,
            first);
  return OK;
}
