// A guard between the URLSession of Foundation and libcurl, for platforms where one uses the other.

#ifndef RONDO_TRANSFER_GUARD_H
#define RONDO_TRANSFER_GUARD_H

#include <stdbool.h>

/// Whether a session has met the guard. Linking this function is what puts it in place.
///
/// @return false before the first request of the process, and where the guard cannot be in place.
bool rondo_transfersAreGuarded(void);

#endif
