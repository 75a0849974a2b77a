import CLookups
import Foundation

/// A host whose address is never found, as if the name server did not answer.
enum SlowLookup {
  static let host = "slow-lookup.perennial.invalid"

  /// True if libcurl's lookup of the host never completes.
  static let isHeld: Bool = {
    for file in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
      guard let library = dlopen(file, RTLD_NOW) else { continue }
      // The name must exist as long as the process.
      return strdup(host).map { perennial_hold_lookup(library, $0) } ?? false
    }
    return false
  }()

  /// Waits until a lookup of the host has begun.
  static func waitForBegin() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        perennial_wait_for_lookup()
        continuation.resume()
      }
    }
  }

  /// Ends the lookup.
  static func end() { perennial_end_lookup() }
}
