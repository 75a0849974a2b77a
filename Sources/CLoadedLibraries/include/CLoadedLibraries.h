#ifndef PERENNIAL_CLOADEDLIBRARIES_H
#define PERENNIAL_CLOADEDLIBRARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The parts of libcurl and libcrypto that remote seeds use. Both are loaded by dlopen when a seed is asked for, so that
// neither their headers are needed to build nor the libraries to start. All numbers and signatures here belong to their
// stable interfaces: https://curl.se/libcurl/abi.html and https://docs.openssl.org/3.0/man3/.

/// The functions of libcurl. They live as long as the process.
typedef struct perennial_curl {
  // https://curl.se/libcurl/c/curl_global_init.html
  int (*_Nonnull global_init)(long flags);
  // https://curl.se/libcurl/c/curl_version.html
  const char *_Nonnull (*_Nonnull version)(void);

  // https://curl.se/libcurl/c/curl_easy_init.html
  void *_Nullable (*_Nonnull easy_init)(void);
  void (*_Nonnull easy_cleanup)(void *_Nonnull easy);
  const char *_Nullable (*_Nonnull easy_strerror)(int code);
  // https://curl.se/libcurl/c/curl_easy_setopt.html: variadic, which Swift cannot call.
  int (*_Nonnull easy_setopt)(void *_Nonnull easy, int option, ...);
  // https://curl.se/libcurl/c/curl_easy_getinfo.html: variadic as well.
  int (*_Nonnull easy_getinfo)(void *_Nonnull easy, int info, ...);

  // https://curl.se/libcurl/c/curl_slist_append.html
  void *_Nullable (*_Nonnull slist_append)(void *_Nullable list, const char *_Nonnull text);
  void (*_Nonnull slist_free_all)(void *_Nullable list);

  // https://curl.se/libcurl/c/libcurl-multi.html
  void *_Nullable (*_Nonnull multi_init)(void);
  int (*_Nonnull multi_cleanup)(void *_Nonnull multi);
  int (*_Nonnull multi_add_handle)(void *_Nonnull multi, void *_Nonnull easy);
  int (*_Nonnull multi_remove_handle)(void *_Nonnull multi, void *_Nonnull easy);
  int (*_Nonnull multi_perform)(void *_Nonnull multi, int *_Nonnull running);
  void *_Nullable (*_Nonnull multi_info_read)(void *_Nonnull multi, int *_Nonnull remaining);
  int (*_Nonnull multi_poll)(void *_Nonnull multi, void *_Nullable extra, unsigned int count, int milliseconds,
                             int *_Nullable ready);
  int (*_Nonnull multi_wakeup)(void *_Nonnull multi);
  const char *_Nullable (*_Nonnull multi_strerror)(int code);
} perennial_curl;

/// Looks up libcurl's functions.
///
/// - Parameters:
///   - library: What dlopen returned. It must not be closed.
///   - missing: Gets the name of the first function that the library does not have.
/// - Returns: NULL when the library lacks a function, or when there is no memory.
const perennial_curl *_Nullable perennial_curl_load(void *_Nonnull library,
                                                    const char *_Nullable *_Nonnull missing);

/// The options of a transfer: https://curl.se/libcurl/c/curl_easy_setopt.html. Each kind of value has numbers of its own:
/// from 0 on a long, from 10,000 on a pointer, from 20,000 on a function.
enum perennial_curl_option {
  PERENNIAL_CURL_SSLVERSION = 32,
  PERENNIAL_CURL_FOLLOWLOCATION = 52,
  PERENNIAL_CURL_SSL_VERIFYPEER = 64,
  PERENNIAL_CURL_SSL_VERIFYHOST = 81,
  PERENNIAL_CURL_NOSIGNAL = 99,
  PERENNIAL_CURL_CONNECTTIMEOUT_MS = 156,
  PERENNIAL_CURL_PROTOCOLS = 181,
  PERENNIAL_CURL_SUPPRESS_CONNECT_HEADERS = 265,
  PERENNIAL_CURL_HTTP09_ALLOWED = 285,
  PERENNIAL_CURL_QUICK_EXIT = 322,

  PERENNIAL_CURL_WRITEDATA = 10001,
  PERENNIAL_CURL_URL = 10002,
  PERENNIAL_CURL_PROXY = 10004,
  PERENNIAL_CURL_ERRORBUFFER = 10010,
  PERENNIAL_CURL_HTTPHEADER = 10023,
  PERENNIAL_CURL_HEADERDATA = 10029,
  PERENNIAL_CURL_CAINFO = 10065,
  PERENNIAL_CURL_CAPATH = 10097,
  PERENNIAL_CURL_PROXY_CAINFO = 10246,
  PERENNIAL_CURL_PROXY_CAPATH = 10247,

  PERENNIAL_CURL_WRITEFUNCTION = 20011,
  PERENNIAL_CURL_HEADERFUNCTION = 20079,
};

/// The facts about a transfer: https://curl.se/libcurl/c/curl_easy_getinfo.html.
enum perennial_curl_info {
  PERENNIAL_CURL_INFO_HTTP_CONNECTCODE = 0x200000 + 22,
  PERENNIAL_CURL_INFO_PRETRANSFER_TIME_T = 0x600000 + 53,
};

/// The outcomes of a transfer: https://curl.se/libcurl/c/libcurl-errors.html.
enum perennial_curl_code {
  PERENNIAL_CURL_OK = 0,
  PERENNIAL_CURL_UNSUPPORTED_PROTOCOL = 1,
  PERENNIAL_CURL_COULDNT_RESOLVE_PROXY = 5,
  PERENNIAL_CURL_COULDNT_RESOLVE_HOST = 6,
  PERENNIAL_CURL_COULDNT_CONNECT = 7,
  PERENNIAL_CURL_WEIRD_SERVER_REPLY = 8,
  PERENNIAL_CURL_HTTP2 = 16,
  PERENNIAL_CURL_PARTIAL_FILE = 18,
  PERENNIAL_CURL_OPERATION_TIMEDOUT = 28,
  PERENNIAL_CURL_SSL_CONNECT_ERROR = 35,
  PERENNIAL_CURL_PEER_FAILED_VERIFICATION_BEFORE_7_62 = 51,
  PERENNIAL_CURL_GOT_NOTHING = 52,
  PERENNIAL_CURL_SEND_ERROR = 55,
  PERENNIAL_CURL_RECV_ERROR = 56,
  PERENNIAL_CURL_PEER_FAILED_VERIFICATION = 60,
  PERENNIAL_CURL_SSL_CACERT_BADFILE = 77,
  PERENNIAL_CURL_SSL_ISSUER_ERROR = 83,
  PERENNIAL_CURL_SSL_INVALIDCERTSTATUS = 91,
  PERENNIAL_CURL_HTTP2_STREAM = 92,
  PERENNIAL_CURL_PROXY_FAILED = 97,
};

/// The size of the buffer that CURLOPT_ERRORBUFFER takes: https://curl.se/libcurl/c/CURLOPT_ERRORBUFFER.html.
enum { PERENNIAL_CURL_ERROR_SIZE = 256 };

/// Sets an option that is a number. Returns a code of `perennial_curl_code`.
int perennial_curl_set_long(const perennial_curl *_Nonnull curl, void *_Nonnull easy, int option, long value);

/// Sets an option that is a text, a list or the pointer that a callback gets.
int perennial_curl_set_pointer(const perennial_curl *_Nonnull curl, void *_Nonnull easy, int option,
                               const void *_Nullable value);

/// A callback that gets bytes: https://curl.se/libcurl/c/CURLOPT_WRITEFUNCTION.html and
/// https://curl.se/libcurl/c/CURLOPT_HEADERFUNCTION.html. If it returns anything else than `size * count`, the transfer
/// ends.
typedef size_t (*perennial_curl_receiver)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

int perennial_curl_set_receiver(const perennial_curl *_Nonnull curl, void *_Nonnull easy, int option,
                                perennial_curl_receiver _Nonnull receiver);

/// A number that is known of a transfer; 0 where libcurl does not know it.
int64_t perennial_curl_get_number(const perennial_curl *_Nonnull curl, void *_Nonnull easy, int info);

/// Moves transfers on as far as they go without waiting: https://curl.se/libcurl/c/curl_multi_perform.html.
int perennial_curl_perform(const perennial_curl *_Nonnull curl, void *_Nonnull multi);

/// Ends a transfer, and closes its connection unless its answer has come as a whole.
int perennial_curl_remove(const perennial_curl *_Nonnull curl, void *_Nonnull multi, void *_Nonnull easy);

/// Closes all connections.
void perennial_curl_close(const perennial_curl *_Nonnull curl, void *_Nonnull multi);

/// The outcome of the transfer that has ended: https://curl.se/libcurl/c/curl_multi_info_read.html.
///
/// - Returns: False while there is none.
bool perennial_curl_read_outcome(const perennial_curl *_Nonnull curl, void *_Nonnull multi, int *_Nonnull code);

/// The functions of libcrypto that check a signature. They live as long as the process.
typedef struct perennial_crypto {
  // https://docs.openssl.org/3.0/man3/EVP_PKEY_new/
  void *_Nullable (*_Nonnull new_raw_public_key)(int type, void *_Nullable engine, const uint8_t *_Nonnull key,
                                                  size_t length);
  void (*_Nonnull pkey_free)(void *_Nonnull key);
  // https://docs.openssl.org/3.0/man3/EVP_DigestInit/
  void *_Nullable (*_Nonnull md_ctx_new)(void);
  void (*_Nonnull md_ctx_free)(void *_Nonnull context);
  // https://docs.openssl.org/3.0/man3/EVP_DigestVerifyInit/
  int (*_Nonnull digest_verify_init)(void *_Nonnull context, void *_Nullable key_context, const void *_Nullable type,
                                     void *_Nullable engine, void *_Nonnull key);
  int (*_Nonnull digest_verify)(void *_Nonnull context, const uint8_t *_Nonnull signature, size_t signature_length,
                                const uint8_t *_Nullable message, size_t message_length);
  // https://docs.openssl.org/3.0/man3/ERR_clear_error/
  void (*_Nonnull clear_error)(void);
} perennial_crypto;

/// Looks up libcrypto's functions, as `perennial_curl_load` does libcurl's.
const perennial_crypto *_Nullable perennial_crypto_load(void *_Nonnull library,
                                                        const char *_Nullable *_Nonnull missing);

/// The type of an Ed25519 key: NID_ED25519 in https://github.com/openssl/openssl/blob/master/include/openssl/obj_mac.h.
enum { PERENNIAL_CRYPTO_ED25519 = 1087 };

#endif
