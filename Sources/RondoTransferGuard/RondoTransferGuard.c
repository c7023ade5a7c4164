// What a server answers, looked at before the URLSession of Foundation sees it.
//
// Foundation on Linux ends the program where an answer stops inside its header, where a body has
// trailers, and where a length is beyond all bounds. It reads answers through libcurl, which it
// calls by a layer of C functions. A program looks a function up in itself before it looks in its
// libraries, so that the functions below are called instead of some of that layer; each calls the
// one that it stands for. Everything else stays as it was: secure connections, proxies, redirects,
// cookies, downloads and cancellation. Others who use libcurl in the program are left alone.

#ifdef __linux__
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#endif

#include "RondoTransferGuard.h"

#ifndef __linux__

bool rondo_transfersAreGuarded(void) { return false; }

#else

// Weak, because a program that links Foundation statically has the layer itself, which goes first.
#define INSTEAD __attribute__((weak, visibility("default")))

// Numbers of libcurl, which never change.
enum {
  succeeded = 0,
  failedToBegin = 2,
  partOfBody = 18,
  notTaken = 23,
  outOfMemory = 27,
  // The one that Foundation knows as a bad answer of a server.
  gotNothing = 52,

  optionBodyData = 10001,
  optionURL = 10002,
  optionErrorBuffer = 10010,
  optionHeaderData = 10029,
  optionBodyFunction = 20011,
  optionHeaderFunction = 20079,
  errorBufferSize = 256,
};

/// The bounds of one header. Servers and proxies commonly allow less.
enum { maximumHeaderBytes = 1 << 17, maximumHeaderLines = 1000, maximumLocation = 8192 };

/// A number of informational answers that no server sends on purpose.
enum { maximumInformational = 32 };

/// The most bytes of a body that are given on together, where they come in smaller pieces.
enum { maximumHeld = 1 << 14 };

/// A function that takes a piece of an answer, and returns how much of it has been taken.
typedef size_t (*Receiver)(char *, size_t, size_t, void *);

/// A handle of libcurl, which makes one transfer after the other.
typedef struct Transfer {
  struct Transfer *next;
  void *easy;
  // What Foundation has asked for.
  Receiver header;
  void *headerData;
  Receiver body;
  void *bodyData;
  char *errorBuffer;

  bool isHTTP;
  // Between a status line and the empty line.
  bool isInHeader;
  // A status line and an empty line of an answer that is not informational have come.
  bool isComplete;
  int status;
  int informational;
  size_t lines;
  size_t bytes;
  // Why the answer is refused, or null.
  const char *refusal;

  // Pieces of the body that are given on together. The memory is there once there are some.
  char *held;
  size_t heldBytes;
  bool isHolding;
  struct Transfer *nextHolding;
} Transfer;

enum { buckets = 256 };
static Transfer *transfers[buckets];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool isInPlace;

bool rondo_transfersAreGuarded(void) { return atomic_load(&isInPlace); }

static Transfer **place(void *easy) {
  Transfer **link = &transfers[((uintptr_t)easy >> 6) % buckets];
  while (*link != NULL && (*link)->easy != easy) link = &(*link)->next;
  return link;
}

/// The transfer of a handle; null where there is no memory for it. It belongs to one thread at a
/// time, as its handle does.
static Transfer *transfer(void *easy) {
  pthread_mutex_lock(&lock);
  Transfer **link = place(easy);
  if (*link == NULL) {
    *link = calloc(1, sizeof(Transfer));
    if (*link != NULL) (*link)->easy = easy;
  }
  Transfer *found = *link;
  pthread_mutex_unlock(&lock);
  return found;
}

// MARK: Headers

static size_t refuse(Transfer *transfer, const char *reason) {
  transfer->refusal = reason;
  return 0;
}

static bool isDigit(char character) { return character >= '0' && character <= '9'; }

/// The status of a line such as "HTTP/1.1 200 OK"; 0 where it is none.
///
/// @param end Where the status ends in the line.
static int statusOfLine(const char *line, size_t length, size_t *end) {
  const char *space = memchr(line, ' ', length);
  if (space == NULL || line + length - space < 5) return 0;
  const char *code = space + 1;
  *end = (size_t)(code + 3 - line);
  if (!isDigit(code[0]) || !isDigit(code[1]) || !isDigit(code[2])) return 0;
  if (code[3] != ' ' && code[3] != '\r' && code[3] != '\n') return 0;
  int status = (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
  return status >= 100 ? status : 0;
}

/// The value of a field of this name; null where the line is of another.
static const char *valueOfField(const char *name, const char *line, size_t length, size_t *size) {
  size_t count = strlen(name);
  if (length <= count || strncasecmp(line, name, count) != 0 || line[count] != ':') return NULL;
  const char *first = line + count + 1, *last = line + length;
  while (first < last && (*first == ' ' || *first == '\t')) first++;
  while (last > first && (unsigned char)last[-1] <= ' ') last--;
  *size = (size_t)(last - first);
  return first;
}

/// Why a line of a header is refused, or null.
static const char *problemOfField(const char *line, size_t length) {
  size_t size;
  const char *value = valueOfField("content-length", line, length, &size);
  // Foundation counts in floating point, and back.
  if (value != NULL && size > 18) return "An HTTP answer of that length cannot be";
  value = valueOfField("location", line, length, &size);
  if (value != NULL && size > maximumLocation) {
    return "The location in the HTTP header is too long";
  }
  bool isContinuation = line[0] == ' ' || line[0] == '\t';
  if (!isContinuation && (line[0] == ':' || memchr(line, ':', length) == NULL)) {
    return "A line of the HTTP header is no field";
  }
  return memchr(line, 0, length) != NULL ? "The HTTP header is no text" : NULL;
}

/// Takes a line of the header, or of the trailers, and gives it on if it means something there.
static size_t receiveHeader(char *line, size_t size, size_t count, void *user) {
  Transfer *transfer = user;
  size_t length = size * count;
  if (!transfer->isHTTP) return transfer->header(line, size, count, transfer->headerData);
  if (length == 0) return 0;

  size_t statusEnd = 0;
  bool isStatus = !transfer->isInHeader && length > 5 && strncasecmp(line, "HTTP/", 5) == 0;
  if (isStatus) {
    transfer->status = statusOfLine(line, length, &statusEnd);
    if (transfer->status == 0) return refuse(transfer, "The HTTP answer has no status");
    if (transfer->status == 101) return refuse(transfer, "The server left HTTP unasked");
    if (transfer->status < 200 && ++transfer->informational > maximumInformational) {
      return refuse(transfer, "The server sends HTTP headers without end");
    }
    transfer->isInHeader = true;
    transfer->isComplete = false;
    transfer->lines = transfer->bytes = 0;
  }
  transfer->bytes += length;
  if (transfer->bytes > maximumHeaderBytes || ++transfer->lines > maximumHeaderLines) {
    return refuse(transfer, "The HTTP header is too long");
  }
  if (!transfer->isInHeader) {
    // Trailers. Foundation takes them for the beginning of another answer.
    return transfer->isComplete ? length : refuse(transfer, "The HTTP answer has no status");
  }
  bool isEmpty = line[0] == '\r' || line[0] == '\n';
  if (isEmpty) {
    transfer->isInHeader = false;
    transfer->isComplete = transfer->status >= 200;
    transfer->lines = transfer->bytes = 0;
  } else if (!isStatus) {
    const char *problem = problemOfField(line, length);
    if (problem != NULL) return refuse(transfer, problem);
  }
  // Informational answers are not for the session.
  if (transfer->status < 200) return length;
  char withReason[32];
  if (isStatus && line[statusEnd] != ' ' && statusEnd + 3 < sizeof withReason) {
    // Foundation reads no status without the space behind it, which some servers forget.
    int written = snprintf(withReason, sizeof withReason, "%.*s \r\n", (int)statusEnd, line);
    size_t taken = transfer->header(withReason, 1, (size_t)written, transfer->headerData);
    return taken == (size_t)written ? length : 0;
  }
  return transfer->header(line, size, count, transfer->headerData);
}

// MARK: Bodies

// Each piece that Foundation gets becomes an operation on a queue, and a server can send pieces of
// one byte. They are put together while libcurl reads what has arrived.
static _Thread_local bool isReading;
static _Thread_local Transfer *holding;

/// Gives on what is held.
static void giveHeld(Transfer *transfer) {
  size_t count = transfer->heldBytes;
  transfer->heldBytes = 0;
  if (count == 0) return;
  if (transfer->body(transfer->held, 1, count, transfer->bodyData) != count) {
    refuse(transfer, "The HTTP answer was not taken");
  }
}

static size_t receiveBody(char *piece, size_t size, size_t count, void *user) {
  Transfer *transfer = user;
  size_t length = size * count;
  if (transfer->refusal != NULL) return 0;
  if (isReading && transfer->isHTTP && length < maximumHeld / 4) {
    if (transfer->held == NULL) transfer->held = malloc(maximumHeld);
    if (transfer->held != NULL) {
      if (transfer->heldBytes + length > maximumHeld) giveHeld(transfer);
      if (!transfer->isHolding) {
        transfer->isHolding = true;
        transfer->nextHolding = holding;
        holding = transfer;
      }
      memcpy(transfer->held + transfer->heldBytes, piece, length);
      transfer->heldBytes += length;
      return length;
    }
  }
  giveHeld(transfer);
  return transfer->body(piece, size, count, transfer->bodyData);
}

// MARK: The layer of Foundation

// A number of libcurl, as the layer has it.
typedef struct {
  int value;
} Number;

typedef struct {
  void *easy;
  Number result;
} Message;

Number CFURLSession_easy_setopt_ptr(void *easy, Number option, void *value);
Number CFURLSession_easy_setopt_wc(void *easy, Number option, Receiver value);
void CFURLSessionEasyHandleDeinit(void *easy);
Number CFURLSessionMultiHandleAddHandle(void *multi, void *easy);
Number CFURLSessionMultiHandleAction(void *multi, int socket, int events, int *count);
Message CFURLSessionMultiHandleInfoRead(void *multi, int *count);

/// Finds the function of the layer that one of these stands for.
#define ORIGINAL(name) \
  static _Atomic(__typeof__(&name)) known; \
  __typeof__(&name) original = atomic_load(&known); \
  if (original == NULL) { \
    original = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    atomic_store(&known, original); \
  }

INSTEAD Number CFURLSession_easy_setopt_ptr(void *easy, Number option, void *value) {
  ORIGINAL(CFURLSession_easy_setopt_ptr)
  if (original == NULL) return (Number){failedToBegin};
  Transfer *asked = transfer(easy);
  if (asked == NULL) return original(easy, option, value);
  switch (option.value) {
  case optionHeaderData:
    asked->headerData = value;
    value = asked;
    break;
  case optionBodyData:
    asked->bodyData = value;
    value = asked;
    break;
  case optionErrorBuffer:
    asked->errorBuffer = value;
    break;
  case optionURL:
    asked->isHTTP = value != NULL && strncasecmp(value, "http", 4) == 0;
    break;
  default:
    break;
  }
  return original(easy, option, value);
}

INSTEAD Number CFURLSession_easy_setopt_wc(void *easy, Number option, Receiver value) {
  ORIGINAL(CFURLSession_easy_setopt_wc)
  bool isHeader = option.value == optionHeaderFunction;
  bool isBody = option.value == optionBodyFunction;
  if (original == NULL) return (Number){failedToBegin};
  if (!isHeader && !isBody) return original(easy, option, value);
  Transfer *asked = transfer(easy);
  // Without memory for a transfer nothing is asked of a server.
  if (asked == NULL) return (Number){failedToBegin};
  *(isHeader ? &asked->header : &asked->body) = value;
  atomic_store(&isInPlace, true);
  return original(easy, option, isHeader ? receiveHeader : receiveBody);
}

INSTEAD void CFURLSessionEasyHandleDeinit(void *easy) {
  ORIGINAL(CFURLSessionEasyHandleDeinit)
  // First: the next handle, on another thread, may have the same address.
  pthread_mutex_lock(&lock);
  Transfer **link = place(easy);
  Transfer *removed = *link;
  if (removed != NULL) *link = removed->next;
  pthread_mutex_unlock(&lock);
  if (original != NULL) original(easy);
  if (removed != NULL) free(removed->held);
  free(removed);
}

INSTEAD Number CFURLSessionMultiHandleAddHandle(void *multi, void *easy) {
  ORIGINAL(CFURLSessionMultiHandleAddHandle)
  if (original == NULL) return (Number){failedToBegin};
  Transfer *begun = transfer(easy);
  if (begun != NULL) {
    begun->isInHeader = begun->isComplete = false;
    begun->status = begun->informational = 0;
    begun->lines = begun->bytes = 0;
    begun->refusal = NULL;
    begun->heldBytes = 0;
  }
  return original(multi, easy);
}

INSTEAD Number CFURLSessionMultiHandleAction(void *multi, int socket, int events, int *count) {
  ORIGINAL(CFURLSessionMultiHandleAction)
  if (original == NULL) return (Number){failedToBegin};
  isReading = true;
  Number result = original(multi, socket, events, count);
  isReading = false;
  while (holding != NULL) {
    Transfer *next = holding;
    holding = next->nextHolding;
    next->isHolding = false;
    giveHeld(next);
  }
  return result;
}

INSTEAD Message CFURLSessionMultiHandleInfoRead(void *multi, int *count) {
  ORIGINAL(CFURLSessionMultiHandleInfoRead)
  if (original == NULL) return (Message){NULL, {failedToBegin}};
  Message message = original(multi, count);
  if (message.easy == NULL) return message;
  Transfer *ended = transfer(message.easy);
  if (ended == NULL || !ended->isHTTP) return message;
  const char *problem = ended->refusal;
  if (problem == NULL && !ended->isComplete) {
    if (message.result.value == succeeded || message.result.value == partOfBody) {
      problem = "The HTTP header has no end";
    }
    if (message.result.value == notTaken) problem = "The HTTP header is no text";
    // A line that is longer than libcurl allows. Nothing else of that size is asked for here.
    if (message.result.value == outOfMemory) problem = "The HTTP header is too long";
  }
  if (problem == NULL) return message;
  if (ended->errorBuffer != NULL) snprintf(ended->errorBuffer, errorBufferSize, "%s", problem);
  return (Message){message.easy, {gotNothing}};
}

#endif
