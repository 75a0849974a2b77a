import CLoadedLibraries
import Foundation
import Seeding
import Synchronization

/// Makes requests one after the other, over connections that it keeps open in between.
///
/// It belongs to the thread that fetches a seed. Other threads reach it through its `Wakeup` alone.
final class TransferSession {
  private let curl: CurlLibrary
  private let multi: UnsafeMutableRawPointer
  private let wakeup: Wakeup
  private let cancellation: SeedCancellation
  private let handler: Int

  /// - Throws: A `TransferFailure` if libcurl cannot allocate memory.
  init(curl: CurlLibrary, cancellation: SeedCancellation) throws(TransferFailure) {
    guard let multi = curl.functions.pointee.multi_init() else {
      throw .curl(CurlFailure(code: -1, text: "libcurl cannot begin"))
    }
    self.curl = curl
    self.multi = multi
    self.cancellation = cancellation
    let wakeup = Wakeup(curl: curl, multi: multi)
    self.wakeup = wakeup
    handler = cancellation.addHandler { wakeup.wake() }
  }

  deinit {
    cancellation.removeHandler(handler)
    wakeup.close()
    perennial_curl_close(curl.functions, multi)
  }

  /// Makes a request, and returns after the receiver has received the whole answer. Blocks.
  ///
  /// - Throws: The receiver's errors, a `TransferFailure`, or a `SeedError` if the run was cancelled.
  func perform(
    _ request: TransferRequest,
    until deadline: ContinuousClock.Instant,
    receiver: any TransferReceiver
  ) throws {
    let transfer = try Transfer(request: request, curl: curl, receiver: receiver)
    try withExtendedLifetime(transfer) {
      defer { _ = perennial_curl_remove(curl.functions, multi, transfer.easy) }
      try check(curl.functions.pointee.multi_add_handle(multi, transfer.easy))
      let code = try wait(for: transfer, timeout: request.timeout, until: deadline)
      if let error = transfer.receiverError { throw error }
      guard code == PERENNIAL_CURL_OK.rawValue else { throw transfer.failure(of: code) }
    }
  }

  /// Waits for a moment without a request.
  ///
  /// - Throws: A `SeedError` when the run was cancelled.
  func pause(until moment: ContinuousClock.Instant) throws {
    while true {
      try cancellation.check()
      guard .now < moment else { return }
      try poll(until: moment)
    }
  }

  /// - Returns: libcurl's code for the outcome.
  private func wait(
    for transfer: Transfer,
    timeout: Duration,
    until deadline: ContinuousClock.Instant
  ) throws -> Int32 {
    while true {
      try cancellation.check()
      try check(perennial_curl_perform(curl.functions, multi))
      var code: Int32 = 0
      if perennial_curl_read_outcome(curl.functions, multi, &code) { return code }
      transfer.update()
      let now = ContinuousClock.now
      guard now < deadline else { throw TransferFailure.late }
      let silence = transfer.lastActivity + timeout
      guard now < silence else { throw transfer.isConnected ? TransferFailure.silent : .notConnected }
      try poll(until: min(deadline, silence))
    }
  }

  /// Waits until a point in time, until data arrives, or until the run is cancelled.
  private func poll(until moment: ContinuousClock.Instant) throws(TransferFailure) {
    var duration = ContinuousClock.now.duration(to: moment)
    if let interval = cancellation.interval { duration = min(duration, interval) }
    try check(curl.functions.pointee.multi_poll(multi, nil, 0, duration.milliseconds, nil))
  }

  private func check(_ code: Int32) throws(TransferFailure) {
    guard code == 0 else {
      let words = curl.functions.pointee.multi_strerror(code).map { String(cString: $0) } ?? "code \(code)"
      throw .curl(CurlFailure(code: -1, text: words))
    }
  }
}

/// Ends the wait of a session from another thread.
// The lock guards the session's handle, which is `nil` once the session is closing.
private final class Wakeup: @unchecked Sendable {
  private let curl: CurlLibrary
  private var multi: UnsafeMutableRawPointer?
  private let lock = NSLock()

  init(curl: CurlLibrary, multi: UnsafeMutableRawPointer) {
    self.curl = curl
    self.multi = multi
  }

  func wake() {
    lock.withLock {
      // This also ends the next wait: https://curl.se/libcurl/c/curl_multi_wakeup.html.
      if let multi { _ = curl.functions.pointee.multi_wakeup(multi) }
    }
  }

  func close() { lock.withLock { multi = nil } }
}

extension Duration {
  /// Whole milliseconds, at least 1 and at most as many as libcurl takes, 24 days.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max / 1000) else { return .max }
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(max(1, min(milliseconds, Int64(Int32.max))))
  }
}
