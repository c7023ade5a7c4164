// All functions are in the headers.

#include "RondoThreadState.h"

_Thread_local struct RondoThreadState rondo_stateOfThread;
