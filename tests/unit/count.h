/** @file count.h
 *  The number of elements of an array.
 */
#pragma once

#define COUNT(array) (sizeof(array) / sizeof *(array))
