#include "sim/simgrid/opaque.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/containers/pairs.h"
#include "common/files/memfile.h"
#include "common/mem.h"
#include "common/process/child.h"
#include "common/process/machine.h"
#include "sim/simgrid/api.h"
#include "sim/simgrid/guard.h"
#include "sim/simgrid/platform.h"

/* Time limit for the child to load the platform, and for each answer. */
enum { LONGEST_S = 120 };

/* The protocol.  The child first sends the number of hosts, then a host_head and a name for each
 * host.  To each pair that the parent sends it answers with a route_head, the links not sent before
 * (link_head, name), and the numbers of the route's links. */
struct pair {
  uint32_t src, dst;
};

struct host_head {
  double speed;
  uint32_t cores, length;
};

struct route_head {
  double latency_s;
  uint32_t links, new_links;
};

struct link_head {
  double bandwidth;
  uint32_t fat, length;
};

/* === in the child ============================================================================ */

struct server {
  struct simgrid_api sg;
  const struct platform *platform;
  const char *path; /* file that SimGrid loads: the platform's own or a copy */
  int socket;
  FILE *out;
  bool silent;     /* does not send the hosts, which the parent knows */
  sg_host_t *host; /* by number */
  uint32_t hosts;
  uint32_t links; /* links numbered so far: a link's user data is its number, plus 1 */
};

/* A host and its name, for sorting: the comparison has no access to SimGrid's functions. */
struct named_host {
  const char *name;
  sg_host_t host;
};

static int by_version(const void *a, const void *b)
{
  return strverscmp(((const struct named_host *)a)->name, ((const struct named_host *)b)->name);
}

static void put(const struct server *s, const void *data, size_t size)
{
  if (fwrite(data, 1, size, s->out) != size)
    _exit(1);
}

static void tell_host(struct server *s, const struct named_host *h)
{
  const struct host_head head = {.speed = s->sg.sg_host_get_speed(h->host),
                                 .cores = (uint32_t)s->sg.sg_host_core_count(h->host),
                                 .length = (uint32_t)strlen(h->name)};
  put(s, &head, sizeof head);
  put(s, h->name, head.length);
}

/* Numbers the hosts by name and sends them in that order. */
static void number_hosts(struct server *s)
{
  s->host = s->sg.sg_host_list();
  s->hosts = (uint32_t)s->sg.sg_host_count();
  OWNED struct named_host *named = calloc(s->hosts, sizeof *named);
  if (named == NULL)
    _exit(1);
  for (uint32_t h = 0; h < s->hosts; h++)
    named[h] = (struct named_host){s->sg.sg_host_get_name(s->host[h]), s->host[h]};
  qsort(named, s->hosts, sizeof *named, by_version);
  if (!s->silent)
    put(s, &s->hosts, sizeof s->hosts);
  for (uint32_t h = 0; h < s->hosts; h++) {
    s->host[h] = named[h].host;
    if (!s->silent)
      tell_host(s, &named[h]);
  }
}

static void tell_link(struct server *s, sg_link_t l)
{
  const char *name = s->sg.sg_link_get_name(l);
  const struct link_head head = {.bandwidth = s->sg.sg_link_get_bandwidth(l),
                                 .fat = !s->sg.sg_link_is_shared(l),
                                 .length = (uint32_t)strlen(name)};
  put(s, &head, sizeof head);
  put(s, name, head.length);
  s->sg.sg_link_set_data(l, (void *)((uintptr_t)s->links++ + 1));
}

/* Lists the links of a route that have no number yet, each once. */
static uint32_t number_new(struct server *s, sg_link_t *link, uint32_t n, sg_link_t *fresh)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool is_new = s->sg.sg_link_get_data(link[i]) == NULL;
    for (uint32_t k = 0; is_new && k < count; k++)
      is_new = fresh[k] != link[i];
    if (is_new)
      fresh[count++] = link[i];
  }
  return count;
}

static void tell_route(struct server *s, struct pair p)
{
  const sg_host_t src = s->host[p.src], dst = s->host[p.dst];
  struct route_head head = {.latency_s = s->sg.sg_host_get_route_latency(src, dst)};
  sg_link_t *link, *fresh;
  struct err e;
  if (simgrid_api_route(&s->sg, src, dst, &link, &head.links, &e) != OK ||
      (fresh = mem_array((size_t)head.links + 1, sizeof *fresh, &e)) == NULL)
    _exit(1);
  head.new_links = number_new(s, link, head.links, fresh);
  put(s, &head, sizeof head);
  for (uint32_t i = 0; i < head.new_links; i++)
    tell_link(s, fresh[i]);
  for (uint32_t i = 0; i < head.links; i++) {
    const uint32_t number = (uint32_t)(uintptr_t)s->sg.sg_link_get_data(link[i]) - 1;
    put(s, &number, sizeof number);
  }
  free(fresh);
  free(link);
}

/* Starts the run of SimGrid: only then are routes complete, including loopbacks. */
static void load(struct server *s)
{
  char program[] = "haichi", level[] = "--log=root.thresh:error", form[] = "--log=root.fmt:%m%n";
  char folder[SIMGRID_FOLDER_SIZE];
  char *argv[] = {program, level, form, NULL, NULL};
  int argc = 3;
  struct err e;
  argv[argc] = simgrid_platform_folder(s->platform, s->path, folder, sizeof folder);
  if (argv[argc] != NULL)
    argc++;
  if (simgrid_api_open(&s->sg, &e) != OK) {
    fprintf(stderr, "%s\n", e.text);
    _exit(1);
  }
  s->sg.simgrid_init(&argc, argv);
  s->sg.simgrid_load_platform(s->path);
  s->sg.simgrid_run_until(0);
}

static int serve(void *arg)
{
  struct server *s = arg;
  struct pair p;
  load(s);
  if ((s->out = fdopen(s->socket, "w")) == NULL)
    return 1;
  number_hosts(s);
  while (fflush(s->out) == 0 && read(s->socket, &p, sizeof p) == sizeof p)
    tell_route(s, p);
  return 0;
}

/* === in the parent =========================================================================== */

/* The route between one pair of hosts. */
struct known {
  size_t first; /* in link[] */
  uint32_t links;
  double latency_s;
};

struct opaque {
  const struct platform *platform;
  struct memfile copy; /* copy of a file with a cluster that is in no zone */
  struct child child;
  pid_t owner; /* process that started the child */
  bool running;
  bool loaded;       /* the hosts are known */
  struct pair asked; /* last pair asked for */
  int socket;
  struct platform_link *link; /* by number */
  size_t links, link_room;
  struct pairs pairs;  /* pairs of hosts */
  struct known *known; /* by pair */
  size_t known_room;
  uint32_t *route; /* links of the routes of all known pairs */
  size_t routes, route_room;
};

/* Ends the child if this process started it. */
static void end_child(struct opaque *o)
{
  struct child_end end;
  if (o->socket >= 0)
    close(o->socket);
  o->socket = -1;
  if (o->running && o->owner == getpid()) {
    child_kill(&o->child, SIGKILL);
    child_reap(&o->child, &end);
  }
  o->running = false;
  memfile_close(&o->copy);
}

/* Drops links and routes, as the next child numbers them differently. */
static void forget(struct opaque *o)
{
  for (size_t i = 0; i < o->links; i++)
    free((char *)o->link[i].name);
  pairs_clear(&o->pairs);
  o->links = o->routes = 0;
}

static void close_opaque(void *data)
{
  struct opaque *o = data;
  if (o == NULL)
    return;
  end_child(o);
  forget(o);
  free(o->link);
  free(o->known);
  free(o->route);
  free(o);
}

/* Reports a child that has ended or does not answer. */
static enum status child_failed(struct opaque *o, bool timeout, struct err *e)
{
  struct child_end end;
  if (timeout)
    child_kill(&o->child, SIGKILL);
  else
    while (child_listen(&o->child)) {
      struct pollfd p = {.fd = o->child.output, .events = POLLIN};
      poll(&p, 1, -1);
    }
  child_reap(&o->child, &end);
  o->running = false;
  const char *path = platform_path(o->platform), *words = simgrid_words(o->child.first);
  if (timeout)
    return err_set(e, "%s: SimGrid has not answered within %d s", path, LONGEST_S);
  if (*words == '\0')
    words = end.signal != 0 ? strsignal(end.signal) : "no reason given";
  if (!o->loaded)
    return err_set(e, "%s: SimGrid refuses the platform: %s", path, words);
  return err_set(e, "%s: SimGrid refuses the route from host '%s' to host '%s': %s", path,
                 platform_host_name(o->platform, o->asked.src, NULL, 0),
                 platform_host_name(o->platform, o->asked.dst, NULL, 0), words);
}

/* Waits for the child's answer.  Meanwhile reads the child's output, since a full pipe would block
 * it. */
static enum status await_answer(struct opaque *o, struct err *e)
{
  struct pollfd p[] = {{.fd = o->socket, .events = POLLIN},
                       {.fd = o->child.output, .events = POLLIN}};
  const double deadline = machine_seconds() + LONGEST_S;
  do {
    const double left = deadline - machine_seconds();
    const int n = poll(p, 2, left > 0 ? (int)ceil(left * 1e3) : 0);
    if (n < 0 && errno != EINTR)
      return err_errno(e, platform_path(o->platform), "cannot wait for SimGrid");
    if (n < 0)
      p[0].revents = p[1].revents = 0; /* poll() has left them unchanged */
    if (n == 0)
      return child_failed(o, true, e);
    if (p[1].revents != 0 && !child_listen(&o->child))
      return child_failed(o, false, e);
  } while ((p[0].revents & POLLIN) == 0);
  return OK;
}

static enum status take(struct opaque *o, void *data, size_t size, struct err *e)
{
  for (size_t done = 0; done < size;) {
    if (await_answer(o, e) != OK)
      return FAIL;
    const ssize_t n = read(o->socket, (char *)data + done, size - done);
    if (n == 0 || (n < 0 && errno == ECONNRESET))
      return child_failed(o, false, e);
    if (n < 0 && errno != EINTR)
      return err_errno(e, platform_path(o->platform), "no answer from the SimGrid process");
    done += n > 0 ? (size_t)n : 0;
  }
  return OK;
}

/* The caller frees *out with free(). */
static enum status take_name(struct opaque *o, const char **out, uint32_t length, struct err *e)
{
  char *name = mem_array((size_t)length + 1, 1, e);
  if (name == NULL)
    return FAIL;
  if (take(o, name, length, e) != OK) {
    free(name);
    return FAIL;
  }
  *out = name;
  return OK;
}

static enum status take_host(struct opaque *o, struct platform_host *host, struct err *e)
{
  struct host_head head;
  if (take(o, &head, sizeof head, e) != OK)
    return FAIL;
  host->speed = head.speed;
  host->cores = head.cores;
  return take_name(o, &host->name, head.length, e);
}

/* Reads the hosts and gives them to the platform. */
static enum status take_hosts(struct opaque *o, struct platform *p, struct err *e)
{
  uint32_t n, taken = 0;
  if (await_answer(o, e) != OK || take(o, &n, sizeof n, e) != OK)
    return FAIL;
  OWNED struct platform_host *host = mem_array(n, sizeof *host, e);
  enum status s = host == NULL ? FAIL : OK;
  for (; s == OK && taken < n; taken += s == OK)
    s = take_host(o, &host[taken], e);
  if (s == OK)
    s = platform_set_hosts(p, host, n, e);
  for (uint32_t h = 0; h < taken; h++)
    free((char *)host[h].name);
  return s;
}

static enum status take_link(struct opaque *o, struct err *e)
{
  struct link_head head;
  if (MEM_GROW(o->link, o->link_room, o->links + 1, e) != OK)
    return FAIL;
  struct platform_link *l = &o->link[o->links];
  if (take(o, &head, sizeof head, e) != OK || take_name(o, &l->name, head.length, e) != OK)
    return FAIL;
  l->bandwidth = head.bandwidth;
  l->fat = head.fat != 0;
  o->links++;
  return OK;
}

/* Reads the answer for one pair. */
static enum status take_route(struct opaque *o, struct known *k, struct err *e)
{
  struct route_head head;
  if (take(o, &head, sizeof head, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < head.new_links; i++)
    if (take_link(o, e) != OK)
      return FAIL;
  if (MEM_GROW(o->route, o->route_room, o->routes + head.links, e) != OK)
    return FAIL;
  *k = (struct known){o->routes, head.links, head.latency_s};
  if (take(o, o->route + o->routes, head.links * sizeof *o->route, e) != OK)
    return FAIL;
  o->routes += head.links;
  return OK;
}

static enum status start(struct opaque *o, struct err *e);

/* A process forked after the platform was opened needs a child of its own. */
static enum status need_child(struct opaque *o, struct err *e)
{
  if (o->owner != getpid()) {
    end_child(o);
    forget(o);
    return start(o, e);
  }
  return OK;
}

static enum status learn(struct opaque *o, struct pair pair, uint32_t *number, struct err *e)
{
  if (!o->running)
    return err_set(e, "%s: SimGrid has stopped", platform_path(o->platform));
  if (MEM_GROW(o->known, o->known_room, (size_t)o->pairs.count + 1, e) != OK)
    return FAIL;
  o->asked = pair;
  if (send(o->socket, &pair, sizeof pair, MSG_NOSIGNAL) != sizeof pair)
    return child_failed(o, false, e);
  if (await_answer(o, e) != OK || take_route(o, &o->known[o->pairs.count], e) != OK)
    return FAIL;
  return pairs_add(&o->pairs, pair.src, pair.dst, number, e);
}

static enum status find_route(void *data, uint32_t src, uint32_t dst, struct platform_route *out,
                              struct err *e)
{
  struct opaque *o = data;
  if (need_child(o, e) != OK)
    return FAIL;
  uint32_t number = pairs_find(&o->pairs, src, dst);
  if (number == PAIRS_NONE && learn(o, (struct pair){src, dst}, &number, e) != OK)
    return FAIL;
  const struct known *k = &o->known[number];
  *out = (struct platform_route){o->route + k->first, k->links, k->latency_s};
  return OK;
}

static const struct platform_link *link_of(const void *data, uint32_t link)
{
  return &((const struct opaque *)data)->link[link];
}

/* Finds the file that SimGrid loads; NULL with @p e filled on failure. */
static const char *file_to_load(struct opaque *o, struct err *e)
{
  if (!platform_is_bare(o->platform))
    return platform_path(o->platform);
  if (memfile_open(&o->copy, "platform", e) != OK ||
      platform_print_zoned(o->platform, o->copy.f, e) != OK || memfile_flush(&o->copy, e) != OK)
    return NULL;
  return o->copy.path;
}

static enum status start(struct opaque *o, struct err *e)
{
  int ends[2];
  const char *path = file_to_load(o, e);
  if (path == NULL)
    return FAIL;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return err_errno(e, "socket", "cannot create");
  struct server server = {
      .platform = o->platform, .path = path, .socket = ends[1], .silent = o->loaded};
  const struct child_spec spec = {.run = serve,
                                  .arg = &server,
                                  .input = -1,
                                  .keep = ends[1],
                                  .parent_signal = SIGKILL,
                                  .memory = machine_memory() / 4 * 3};
  o->socket = ends[0];
  o->owner = getpid();
  const enum status s = child_start(&o->child, &spec, e);
  o->running = s == OK;
  close(ends[1]);
  return s;
}

enum status opaque_open(struct platform *p, struct err *e)
{
  struct opaque *o = mem_array(1, sizeof *o, e);
  if (o == NULL)
    return FAIL;
  o->platform = p;
  o->socket = -1;
  if (start(o, e) != OK || take_hosts(o, p, e) != OK) {
    close_opaque(o);
    return FAIL;
  }
  o->loaded = true;
  platform_set_router(p, (struct platform_router){o, find_route, link_of, close_opaque});
  return OK;
}
