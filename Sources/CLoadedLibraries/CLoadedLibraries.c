#include "CLoadedLibraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// MARK: - Functions

/// A function of a library, and where its address goes.
struct function {
  const char *name;
  void *place;
};

/// - Returns: The name of the first function that is missing.
static const char *load(void *library, const struct function *functions, size_t count) {
  for (size_t number = 0; number < count; number++) {
    void *address = dlsym(library, functions[number].name);
    if (!address) return functions[number].name;
    // POSIX gives functions and objects addresses of one size, which the C language does not.
    memcpy(functions[number].place, &address, sizeof(address));
  }
  return NULL;
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const perennial_curl *perennial_curl_load(void *library, const char **missing) {
  perennial_curl *curl = malloc(sizeof(*curl));
  if (!curl) return NULL;
  const struct function functions[] = {
      {"curl_global_init", &curl->global_init},
      {"curl_version", &curl->version},
      {"curl_easy_init", &curl->easy_init},
      {"curl_easy_cleanup", &curl->easy_cleanup},
      {"curl_easy_strerror", &curl->easy_strerror},
      {"curl_easy_setopt", &curl->easy_setopt},
      {"curl_easy_getinfo", &curl->easy_getinfo},
      {"curl_slist_append", &curl->slist_append},
      {"curl_slist_free_all", &curl->slist_free_all},
      {"curl_multi_init", &curl->multi_init},
      {"curl_multi_cleanup", &curl->multi_cleanup},
      {"curl_multi_add_handle", &curl->multi_add_handle},
      {"curl_multi_remove_handle", &curl->multi_remove_handle},
      {"curl_multi_perform", &curl->multi_perform},
      {"curl_multi_info_read", &curl->multi_info_read},
      {"curl_multi_poll", &curl->multi_poll},
      {"curl_multi_wakeup", &curl->multi_wakeup},
      {"curl_multi_strerror", &curl->multi_strerror},
  };
  if (!(*missing = load(library, functions, COUNT(functions)))) return curl;
  free(curl);
  return NULL;
}

const perennial_crypto *perennial_crypto_load(void *library, const char **missing) {
  perennial_crypto *crypto = malloc(sizeof(*crypto));
  if (!crypto) return NULL;
  const struct function functions[] = {
      {"EVP_PKEY_new_raw_public_key", &crypto->new_raw_public_key},
      {"EVP_PKEY_free", &crypto->pkey_free},
      {"EVP_MD_CTX_new", &crypto->md_ctx_new},
      {"EVP_MD_CTX_free", &crypto->md_ctx_free},
      {"EVP_DigestVerifyInit", &crypto->digest_verify_init},
      {"EVP_DigestVerify", &crypto->digest_verify},
      {"ERR_clear_error", &crypto->clear_error},
  };
  if (!(*missing = load(library, functions, COUNT(functions)))) return crypto;
  free(crypto);
  return NULL;
}

// MARK: - Variadic functions

int perennial_curl_set_long(const perennial_curl *curl, void *easy, int option, long value) {
  return curl->easy_setopt(easy, option, value);
}

int perennial_curl_set_pointer(const perennial_curl *curl, void *easy, int option, const void *value) {
  return curl->easy_setopt(easy, option, value);
}

int perennial_curl_set_receiver(const perennial_curl *curl, void *easy, int option, perennial_curl_receiver receiver) {
  return curl->easy_setopt(easy, option, receiver);
}

int64_t perennial_curl_get_number(const perennial_curl *curl, void *easy, int info) {
  // The kind of the number is in the info: https://curl.se/libcurl/c/curl_easy_getinfo.html.
  if ((info & 0xf00000) == 0x600000) {
    int64_t value = 0;
    return curl->easy_getinfo(easy, info, &value) == PERENNIAL_CURL_OK ? value : 0;
  }
  long value = 0;
  return curl->easy_getinfo(easy, info, &value) == PERENNIAL_CURL_OK ? value : 0;
}

// MARK: - Signals

// With CURLOPT_NOSIGNAL, libcurl leaves SIGPIPE to its caller: a TLS library may write to a connection that the server has
// closed (https://curl.se/libcurl/c/CURLOPT_NOSIGNAL.html). The disposition of a signal belongs to the whole process, so
// it is blocked for this thread instead, and taken away if it came meanwhile. Apple's systems have no sigtimedwait, and
// libcurl sets SO_NOSIGPIPE there.
struct blocked_signal {
  sigset_t before;
  bool is_blocked;
};

static void block_sigpipe(struct blocked_signal *blocked) {
#ifndef __APPLE__
  sigset_t pending, pipe;
  blocked->is_blocked = false;
  // A signal that waits already is not ours to take.
  if (sigpending(&pending) != 0 || sigismember(&pending, SIGPIPE)) return;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  blocked->is_blocked = pthread_sigmask(SIG_BLOCK, &pipe, &blocked->before) == 0;
#endif
}

static void unblock_sigpipe(const struct blocked_signal *blocked) {
#ifndef __APPLE__
  if (!blocked->is_blocked) return;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  const struct timespec none = {0, 0};
  while (sigtimedwait(&pipe, NULL, &none) == SIGPIPE) {
  }
  pthread_sigmask(SIG_SETMASK, &blocked->before, NULL);
#endif
}

// MARK: - Transfers

int perennial_curl_perform(const perennial_curl *curl, void *multi) {
  struct blocked_signal blocked;
  block_sigpipe(&blocked);
  int running = 0;
  int code = curl->multi_perform(multi, &running);
  unblock_sigpipe(&blocked);
  return code;
}

int perennial_curl_remove(const perennial_curl *curl, void *multi, void *easy) {
  struct blocked_signal blocked;
  block_sigpipe(&blocked);
  int code = curl->multi_remove_handle(multi, easy);
  curl->easy_cleanup(easy);
  unblock_sigpipe(&blocked);
  return code;
}

void perennial_curl_close(const perennial_curl *curl, void *multi) {
  struct blocked_signal blocked;
  block_sigpipe(&blocked);
  curl->multi_cleanup(multi);
  unblock_sigpipe(&blocked);
}

/// CURLMsg: https://curl.se/libcurl/c/curl_multi_info_read.html.
struct message {
  int kind;
  void *easy;
  union {
    void *unused;
    int code;
  } data;
};

enum { MESSAGE_DONE = 1 };

bool perennial_curl_read_outcome(const perennial_curl *curl, void *multi, int *code) {
  int remaining = 0;
  const struct message *message;
  while ((message = curl->multi_info_read(multi, &remaining))) {
    if (message->kind != MESSAGE_DONE) continue;
    *code = message->data.code;
    return true;
  }
  return false;
}
