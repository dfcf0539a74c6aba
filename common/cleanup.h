/** @file cleanup.h
 *  Registry of temporary files and folders, which a signal that ends the process removes.  Not
 *  for the ordinary end of a process: the creator of a file removes it.
 */
#ifndef COMMON_CLEANUP_H
#define COMMON_CLEANUP_H

#include "common/err.h"

struct cleanup;

/** Makes SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGALRM and SIGXCPU remove the registered files
 *  before they end the process.  Signals ignored at the first call stay ignored.  Later calls put
 *  back handlers that a library has replaced. */
void cleanup_catch_signals(void);

/** Registers @p path, before the file or folder is created; a folder is removed as by
 *  cleanup_remove().  *out stays valid until the process ends. */
enum status cleanup_add(struct cleanup **out, const char *path, struct err *e);

/** Removes @p c from the registry: the file is permanent or gone.  Accepts NULL. */
void cleanup_drop(struct cleanup *c);

/** Empties the registry, in a child process: the files are those of its parent. */
void cleanup_drop_all(void);

/** Removes a file, or a folder with its contents and up to three levels of subfolders.  Ignores
 *  errors. */
void cleanup_remove(const char *path);

/** Removes all registered files and folders.  Async-signal-safe. */
void cleanup_now(void);

#endif
