/** @file api.h
 *  SimGrid's C functions, loaded on demand: the library and its dependencies take longer to load
 *  than most simulations without it take.  No wrappers: each member is SimGrid's function of that
 *  name.
 */
#ifndef SIM_SIMGRID_API_H
#define SIM_SIMGRID_API_H

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>
#include <simgrid/version.h>
#include <xbt/dynar.h>

#include "common/err.h"

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
  F(sg_comm_wait_any)                                                                              \
  F(sg_exec_get_remaining)                                                                         \
  F(sg_exec_wait)                                                                                  \
  F(sg_host_by_name)                                                                               \
  F(sg_host_core_count)                                                                            \
  F(sg_host_count)                                                                                 \
  F(sg_host_get_name)                                                                              \
  F(sg_host_get_route)                                                                             \
  F(sg_host_get_route_latency)                                                                     \
  F(sg_host_get_speed)                                                                             \
  F(sg_host_list)                                                                                  \
  F(sg_host_sendto)                                                                                \
  F(sg_host_self)                                                                                  \
  F(sg_link_by_name)                                                                               \
  F(sg_link_get_bandwidth)                                                                         \
  F(sg_link_get_data)                                                                              \
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
  F(xbt_dynar_free)                                                                                \
  F(xbt_dynar_get_ptr)                                                                             \
  F(xbt_dynar_length)                                                                              \
  F(xbt_dynar_new)

struct simgrid_api {
#define SIMGRID_MEMBER(name) __typeof__(name) *name;
  SIMGRID_FUNCTIONS(SIMGRID_MEMBER)
#undef SIMGRID_MEMBER
};

/** Loads the library, if need be, and finds the functions; @p api is untouched on failure. */
enum status simgrid_api_open(struct simgrid_api *api, struct err *e);

/** Loads the library and writes its version, as "3.32.0", to the @p size bytes of @p text. */
enum status simgrid_api_version(char *text, size_t size, struct err *e);

/** sg_actor_self_get_data() for the function of an actor, which has no struct simgrid_api until it
 *  has its data; after simgrid_api_open(). */
void *simgrid_api_self_data(void);

#endif
