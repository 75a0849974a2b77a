import CLoadedLibraries
import Foundation

/// A request as libcurl gets it.
struct TransferRequest {
  /// An `http` or `https` URL.
  let url: String

  /// Lines of the header, such as `Accept: */*`.
  let header: [String]

  /// The longest time that a connection may take, and that the server may keep silent.
  let timeout: Duration

  let authorities: CertificateAuthorities

  /// False when the request is for this machine itself, and no proxy of the environment is asked.
  let usesProxies: Bool
}

/// Receives the answer of a transfer. Errors that it throws end the transfer.
protocol TransferReceiver: AnyObject {
  func receive(_ head: ResponseHead) throws
  func receive(_ bytes: UnsafeRawBufferPointer) throws
}

/// One request and its answer.
///
/// libcurl knows its address while the transfer is part of a session (`TransferSession.perform`), which holds it that
/// long. The callbacks come from the session's thread, inside of `perennial_curl_perform`.
final class Transfer {
  let easy: UnsafeMutableRawPointer

  /// The error that a callback ended the transfer with.
  private(set) var receiverError: (any Error)?

  /// The moment at which something was received last; before that, the moment at which the request could be sent.
  private(set) var lastActivity = ContinuousClock.now

  /// True once the request can be sent: the name is resolved, the connection is open, its handshake is over.
  private(set) var isConnected = false

  private let curl: CurlLibrary
  private let receiver: any TransferReceiver
  private var reader = ResponseHeadReader()
  private let errorText: UnsafeMutablePointer<CChar>
  private var header: UnsafeMutableRawPointer?

  /// - Throws: A `TransferFailure` when libcurl refuses an option, as it does without memory.
  init(request: TransferRequest, curl: CurlLibrary, receiver: any TransferReceiver)
    throws(TransferFailure)
  {
    guard let easy = curl.functions.pointee.easy_init() else {
      throw .curl(CurlFailure(code: -1, text: "libcurl cannot begin a transfer"))
    }
    self.easy = easy
    self.curl = curl
    self.receiver = receiver
    errorText = .allocate(capacity: Int(PERENNIAL_CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(PERENNIAL_CURL_ERROR_SIZE))
    do throws(TransferFailure) {
      try setUp(request)
    } catch {
      curl.functions.pointee.easy_cleanup(easy)
      throw error
    }
  }

  /// Called when the easy handle is gone, which refers to both.
  deinit {
    curl.functions.pointee.slist_free_all(header)
    errorText.deallocate()
  }

  /// Checks whether the connection is established.
  func update() {
    guard !isConnected else { return }
    isConnected = number(PERENNIAL_CURL_INFO_PRETRANSFER_TIME_T) > 0
    if isConnected { lastActivity = .now }
  }

  /// The failure that an outcome of libcurl's means.
  func failure(of code: Int32) -> TransferFailure {
    let text = String(cString: errorText)
    let outcome = CurlFailure(code: code, text: text.isEmpty ? curl.words(code) : text)
    if outcome.kind == .timeout { return .notConnected }
    let status = Int(number(PERENNIAL_CURL_INFO_HTTP_CONNECTCODE))
    if !isConnected, status >= 300 { return .refusedByProxy(status: status) }
    return .curl(outcome)
  }

  private func number(_ info: perennial_curl_info) -> Int64 {
    perennial_curl_get_number(curl.functions, easy, Int32(bitPattern: info.rawValue))
  }

  // MARK: - Options

  private func setUp(_ request: TransferRequest) throws(TransferFailure) {
    try set(PERENNIAL_CURL_ERRORBUFFER, pointer: errorText)
    try set(PERENNIAL_CURL_URL, text: request.url)
    // Signal handling is the application's: https://curl.se/libcurl/c/CURLOPT_NOSIGNAL.html.
    try set(PERENNIAL_CURL_NOSIGNAL, value: 1)
    // HTTP and HTTPS, as `RemoteLocation.check` has it: https://curl.se/libcurl/c/CURLOPT_PROTOCOLS.html.
    try set(PERENNIAL_CURL_PROTOCOLS, value: 1 | 2)
    // `SeedClient` follows redirects itself.
    try set(PERENNIAL_CURL_FOLLOWLOCATION, value: 0)
    try set(PERENNIAL_CURL_CONNECTTIMEOUT_MS, value: Int(request.timeout.milliseconds))
    // The head of a proxy's answer to CONNECT is not the server's.
    try set(PERENNIAL_CURL_SUPPRESS_CONNECT_HEADERS, value: 1)
    // libcurl before 7.66 would take anything for an answer of HTTP 0.9.
    try set(PERENNIAL_CURL_HTTP09_ALLOWED, value: 0)
    if !request.usesProxies { try set(PERENNIAL_CURL_PROXY, text: "") }
    // A transfer that is given up does not wait for the lookup of its name. Older versions, which do not know it, wait.
    try? set(PERENNIAL_CURL_QUICK_EXIT, value: 1)
    try setUpTLS(request.authorities)
    try setUpHeader(request.header)
    try setUpReceivers()
  }

  /// libcurl's own defaults, but for the versions of TLS: the older ones are deprecated by RFC 8996.
  private func setUpTLS(_ authorities: CertificateAuthorities) throws(TransferFailure) {
    try set(PERENNIAL_CURL_SSL_VERIFYPEER, value: 1)
    try set(PERENNIAL_CURL_SSL_VERIFYHOST, value: 2)
    // CURL_SSLVERSION_TLSv1_2: https://curl.se/libcurl/c/CURLOPT_SSLVERSION.html.
    try set(PERENNIAL_CURL_SSLVERSION, value: 6)
    if let file = authorities.file {
      try set(PERENNIAL_CURL_CAINFO, text: file)
      // Not every TLS library has the option, and few proxies are reached over HTTPS.
      try? set(PERENNIAL_CURL_PROXY_CAINFO, text: file)
    }
    if let folder = authorities.folder {
      try set(PERENNIAL_CURL_CAPATH, text: folder)
      try? set(PERENNIAL_CURL_PROXY_CAPATH, text: folder)
    }
  }

  private func setUpHeader(_ lines: [String]) throws(TransferFailure) {
    for line in lines {
      guard let longer = line.withCString({ curl.functions.pointee.slist_append(header, $0) }) else {
        throw .curl(CurlFailure(code: -1, text: "there is no memory for the request's header"))
      }
      header = longer
    }
    try set(PERENNIAL_CURL_HTTPHEADER, pointer: header)
  }

  private func setUpReceivers() throws(TransferFailure) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try set(PERENNIAL_CURL_HEADERDATA, pointer: context)
    try set(PERENNIAL_CURL_WRITEDATA, pointer: context)
    try set(PERENNIAL_CURL_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.of(context).take(bytes, count: size * count) { transfer, line in
        if let head = try transfer.reader.read(line) { try transfer.receiver.receive(head) }
      }
    }
    try set(PERENNIAL_CURL_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.of(context).take(bytes, count: size * count) { transfer, bytes in try transfer.receiver.receive(bytes) }
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
    // The pointer that was given with the callback.
    Unmanaged<Transfer>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  /// Hands bytes on.
  ///
  /// - Returns: Their count, or a number that ends the transfer.
  private func take(
    _ bytes: UnsafeMutablePointer<CChar>?,
    count: Int,
    _ body: (Transfer, UnsafeRawBufferPointer) throws -> Void
  ) -> Int {
    lastActivity = .now
    // Any other number than the count ends the transfer, and the count may be 0.
    let refusal = count == 0 ? 1 : 0
    guard receiverError == nil else { return refusal }
    do {
      try body(self, UnsafeRawBufferPointer(start: bytes, count: count))
      return count
    } catch {
      receiverError = error
      return refusal
    }
  }

  private func set(_ option: perennial_curl_option, value: Int) throws(TransferFailure) {
    try check(perennial_curl_set_long(curl.functions, easy, Int32(bitPattern: option.rawValue), value), option: option)
  }

  /// libcurl copies texts: https://curl.se/libcurl/c/curl_easy_setopt.html.
  private func set(_ option: perennial_curl_option, text: String) throws(TransferFailure) {
    let code = text.withCString {
      perennial_curl_set_pointer(curl.functions, easy, Int32(bitPattern: option.rawValue), $0)
    }
    try check(code, option: option)
  }

  private func set(_ option: perennial_curl_option, pointer: UnsafeRawPointer?) throws(TransferFailure) {
    try check(
      perennial_curl_set_pointer(curl.functions, easy, Int32(bitPattern: option.rawValue), pointer),
      option: option
    )
  }

  private func set(_ option: perennial_curl_option, receiver: perennial_curl_receiver)
    throws(TransferFailure)
  {
    try check(
      perennial_curl_set_receiver(curl.functions, easy, Int32(bitPattern: option.rawValue), receiver),
      option: option
    )
  }

  private func check(_ code: Int32, option: perennial_curl_option) throws(TransferFailure) {
    guard code == PERENNIAL_CURL_OK.rawValue else {
      throw .curl(CurlFailure(code: code, text: "libcurl refuses the option \(option.rawValue): \(curl.words(code))"))
    }
  }
}
