/** @file api.h
 *  SimGrid's C functions, loaded on demand: the library and its dependencies take longer to load
 *  than most simulations without it.  Each member of struct simgrid_api is SimGrid's function of
 *  that name.  Where SimGrid 3.32 and 4.0 have different functions for a purpose, a function of
 *  haichi calls the one of the version that haichi is compiled for.
 */
#pragma once

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>
#include <simgrid/version.h>

#include "common/process/library.h"

/* Functions that only one of the versions has, or that the other one deprecates. */
#if SIMGRID_VERSION_MAJOR >= 4
#include <simgrid/activity_set.h>
#define SIMGRID_VERSION_FUNCTIONS(F)                                                               \
  F(sg_activity_set_delete)                                                                        \
  F(sg_activity_set_init)                                                                          \
  F(sg_activity_set_push)                                                                          \
  F(sg_activity_set_wait_any)                                                                      \
  F(sg_activity_unref)                                                                             \
  F(sg_host_get_route_links)
#else
#include <xbt/dynar.h>
#define SIMGRID_VERSION_FUNCTIONS(F)                                                               \
  F(sg_comm_wait_any)                                                                              \
  F(sg_host_get_route)                                                                             \
  F(xbt_dynar_free_container)                                                                      \
  F(xbt_dynar_get_ptr)                                                                             \
  F(xbt_dynar_length)                                                                              \
  F(xbt_dynar_new)
#endif

/** F(NAME) for each function that haichi uses. */
#define SIMGRID_FUNCTIONS(F)                                                                       \
  F(simgrid_init)                                                                                  \
  F(simgrid_load_platform)                                                                         \
  F(simgrid_run)                                                                                   \
  F(simgrid_run_until)                                                                             \
  F(simgrid_get_clock)                                                                             \
  F(sg_actor_daemonize)                                                                            \
  F(sg_actor_exec_init)                                                                            \
  F(sg_actor_execute)                                                                              \
  F(sg_actor_init)                                                                                 \
  F(sg_actor_kill_all)                                                                             \
  F(sg_actor_self)                                                                                 \
  F(sg_actor_self_get_data)                                                                        \
  F(sg_actor_set_data)                                                                             \
  F(sg_actor_sleep_for)                                                                            \
  F(sg_actor_start_)                                                                               \
  F(sg_actor_yield)                                                                                \
  F(sg_comm_detach)                                                                                \
  F(sg_comm_test)                                                                                  \
  F(sg_comm_wait)                                                                                  \
  F(sg_exec_get_remaining)                                                                         \
  F(sg_exec_wait)                                                                                  \
  F(sg_host_by_name)                                                                               \
  F(sg_host_core_count)                                                                            \
  F(sg_host_count)                                                                                 \
  F(sg_host_get_name)                                                                              \
  F(sg_host_get_route_latency)                                                                     \
  F(sg_host_get_speed)                                                                             \
  F(sg_host_list)                                                                                  \
  F(sg_host_sendto)                                                                                \
  F(sg_host_self)                                                                                  \
  F(sg_link_by_name)                                                                               \
  F(sg_link_get_bandwidth)                                                                         \
  F(sg_link_get_data)                                                                              \
  F(sg_link_get_latency)                                                                           \
  F(sg_link_get_name)                                                                              \
  F(sg_link_is_shared)                                                                             \
  F(sg_link_set_bandwidth)                                                                         \
  F(sg_link_set_data)                                                                              \
  F(sg_link_set_latency)                                                                           \
  F(sg_mailbox_by_name)                                                                            \
  F(sg_mailbox_get_async)                                                                          \
  F(sg_mailbox_put_async)                                                                          \
  F(sg_mailbox_put_init)                                                                           \
  F(sg_sem_acquire)                                                                                \
  F(sg_sem_acquire_timeout)                                                                        \
  F(sg_sem_destroy)                                                                                \
  F(sg_sem_init)                                                                                   \
  F(sg_sem_release)                                                                                \
  F(sg_version_get)                                                                                \
  SIMGRID_VERSION_FUNCTIONS(F)

struct simgrid_api {
  SIMGRID_FUNCTIONS(LIBRARY_MEMBER)
};

/** Loads the library if necessary and finds the functions; @p api is untouched on failure. */
enum status simgrid_api_open(struct simgrid_api *api, struct err *e);

/** Loads the library and writes its version, for example "3.32.0", to the @p size bytes of
 *  @p text. */
enum status simgrid_api_version(char *text, size_t size, struct err *e);

/** Sets *out to the links of the route from @p src to @p dst, in order, and *count to their number.
 *  The caller frees *out with free(). */
enum status simgrid_api_route(const struct simgrid_api *api, sg_host_t src, sg_host_t dst,
                              sg_link_t **out, uint32_t *count, struct err *e);

/** Blocks the calling actor until one of @p count communications ends, frees this one and returns
 *  its index. */
size_t simgrid_api_wait_any(const struct simgrid_api *api, sg_comm_t *comm, size_t count);

/** sg_actor_self_get_data() for the main function of an actor, which needs its data to find its
 *  struct simgrid_api.  To be called after simgrid_api_open(). */
void *simgrid_api_self_data(void);
