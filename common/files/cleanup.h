/** @file cleanup.h
 *  Registry of temporary files and folders that are removed when a signal ends the process.  When
 *  the process ends normally, the creator of a file removes it.
 */
#pragma once

#include "common/err.h"

struct cleanup;

/** Installs handlers for SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGALRM and SIGXCPU that remove
 *  the registered files before the process ends.  Signals that were ignored at the first call stay
 *  ignored.  Later calls restore handlers that a library has replaced. */
void cleanup_catch_signals(void);

/** Registers @p path.  Call it before creating the file or folder.  A folder is removed with its
 *  contents, see cleanup_remove().  *out stays valid until the process ends. */
enum status cleanup_add(struct cleanup **out, const char *path, struct err *e);

/** Removes @p c from the registry, when the file has become permanent or is gone.  Accepts NULL. */
void cleanup_drop(struct cleanup *c);

/** Empties the registry.  Called in a child process: the files belong to its parent. */
void cleanup_drop_all(void);

/** Removes a file, or a folder with its contents and up to three levels of subfolders.  Ignores
 *  errors. */
void cleanup_remove(const char *path);

/** Removes all registered files and folders.  Async-signal-safe. */
void cleanup_now(void);
