/** @file status.h
 *  Progress of a campaign on other machines, from its folder and from its back ends.  Needs no plan
 *  and changes nothing.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"

/** Prints a report on the campaign in @p folder. */
enum status status_print(const char *folder, FILE *f, struct err *e);
