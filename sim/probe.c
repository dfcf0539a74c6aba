#define _GNU_SOURCE
#include "sim/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/mem.h"
#include "sim/simgrid_api.h"

/* A platform that would fill the memory is refused in the child already.  Not under the address
 * sanitizer, whose shadow needs all of the address space. */
static void limit_memory(void)
{
#ifndef HAICHI_SANITIZED
  const rlim_t bytes = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE) / 4 * 3;
  const struct rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

/* In the child: writes the names, one a line; what SimGrid says goes to @p says. */
static void load(const char *path, FILE *names, FILE *says)
{
  limit_memory();
  dup2(fileno(says), STDERR_FILENO);
  dup2(fileno(says), STDOUT_FILENO);
  char program[] = "haichi";
  char *argv[] = {program, NULL};
  int argc = 1;
  struct simgrid_api sg;
  struct err e;
  if (simgrid_api_open(&sg, &e) != OK) {
    fprintf(says, "%s\n", e.text);
    fflush(says);
    _exit(1);
  }
  sg.simgrid_init(&argc, argv);
  sg.simgrid_load_platform(path);
  sg_host_t *hosts = sg.sg_host_list();
  for (size_t i = 0; i < sg.sg_host_count(); i++)
    fprintf(names, "%s\n", sg.sg_host_get_name(hosts[i]));
  _exit(fflush(names) == 0 ? 0 : 1);
}

/* The first line that SimGrid printed, without the time and category in brackets before it. */
static void first_words(FILE *says, char *text, size_t size)
{
  char line[512];
  snprintf(text, size, "no reason given");
  rewind(says);
  if (fgets(line, sizeof line, says) == NULL)
    return;
  line[strcspn(line, "\n")] = '\0';
  const char *p = line;
  while (*p == '[' && strchr(p, ']') != NULL)
    p = strchr(p, ']') + 1 + strspn(strchr(p, ']') + 1, " ");
  if (*p != '\0')
    snprintf(text, size, "%s", p);
}

static int by_version(const void *a, const void *b)
{
  return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **name, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    free(name[i]);
  free(name);
}

static enum status take_names(struct platform *p, FILE *names, struct err *e)
{
  char **name = NULL, *line = NULL;
  size_t room = 0, line_room = 0;
  uint32_t n = 0;
  enum status s = OK;
  rewind(names);
  while (s == OK && getline(&line, &line_room, names) > 0) {
    line[strcspn(line, "\n")] = '\0';
    void *grown = name;
    s = mem_grow(&grown, &room, (size_t)n + 1, sizeof *name, e);
    name = grown;
    if (s == OK && (name[n] = mem_strdup(line, e)) == NULL)
      s = FAIL;
    n += s == OK;
  }
  free(line);
  if (s == OK && n == 0)
    s = err_set(e, "%s: the platform has no hosts", platform_path(p));
  if (s == OK) {
    qsort(name, n, sizeof *name, by_version);
    s = platform_set_hosts(p, (const char *const *)name, n, e);
  }
  free_names(name, n);
  return s;
}

static enum status probe_with(struct platform *p, FILE *names, FILE *says, struct err *e)
{
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0)
    return err_errno(e, platform_path(p), "cannot start a process");
  if (child == 0)
    load(platform_path(p), names, says);
  int status;
  if (waitpid(child, &status, 0) != child)
    return err_errno(e, platform_path(p), "lost the loading process");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return take_names(p, names, e);
  char words[512];
  first_words(says, words, sizeof words);
  return err_set(e, "%s: SimGrid refuses the platform: %s", platform_path(p), words);
}

enum status sim_probe_platform(struct platform *p, struct err *e)
{
  FILE *names = tmpfile(), *says = tmpfile();
  enum status s = names == NULL || says == NULL
                      ? err_errno(e, platform_path(p), "no temporary file")
                      : probe_with(p, names, says, e);
  if (names != NULL)
    fclose(names);
  if (says != NULL)
    fclose(says);
  return s;
}
