import Foundation

/// A host whose address is never found, as with a name server that does not answer.
enum SlowLookup {
  static let host = "slow-lookup.perennial.invalid"

  /// Signalled when the lookup has begun.
  static let begun = DispatchSemaphore(value: 0)

  /// Signalled to have the lookup fail.
  static let end = DispatchSemaphore(value: 0)

  static func waitForBegin() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        begun.wait()
        continuation.resume()
      }
    }
  }

  fileprivate typealias Lookup =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafeMutableRawPointer?
    ) -> Int32

  /// The lookup of the C library: dlsym's RTLD_NEXT, a macro that Swift does not see, is -1.
  fileprivate static let standard = unsafeBitCast(
    dlsym(UnsafeMutableRawPointer(bitPattern: -1), "getaddrinfo"),
    to: Lookup.self
  )
}

/// Stands in for the C library's function in the process of the tests, since a test cannot have a
/// name server: libcurl asks for it by its name, and the program comes first.
@_cdecl("getaddrinfo")
public func lookUp(
  _ node: UnsafePointer<CChar>?,
  _ service: UnsafePointer<CChar>?,
  _ hints: UnsafeRawPointer?,
  _ result: UnsafeMutableRawPointer?
) -> Int32 {
  guard let node, String(cString: node) == SlowLookup.host else {
    return SlowLookup.standard(node, service, hints, result)
  }
  SlowLookup.begun.signal()
  SlowLookup.end.wait()
  return EAI_AGAIN
}
