import HTTPTypes
import Hummingbird

/// Rejects requests that the user's own page did not make: requests for another host, from another site, without
/// the cookie, for a path of no page, or of a kind that no page makes.
struct SafeRequests<Context: RequestContext>: RouterMiddleware {
  let token: SessionToken
  /// True where the pages accept forms.
  var takesForms = false

  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let refusal = refusal(of: request) { return refusal.response }
    if token.opens(request.uri.path) { return opening(request.queryItems[PageLinks.itemName]) }
    // A browser sends the cookie with no other path.
    guard token.pagePath(request.uri.path) != nil,
      request.headers[values: .cookie].contains(where: token.isAmong)
    else { return Refusal.noToken.response }
    return try await next(request, context)
  }

  private func refusal(of request: Request) -> Refusal? {
    // The authority is the first `Host` field. A second one is rejected, because programs disagree about which of
    // them applies.
    guard let host = request.head.authority, Self.isOurs(host: host), request.headers[.named("Host")] == nil
    else { return .foreignHost }
    let path = token.pagePath(request.uri.path)
    let isForm = request.method == .post && takesForms && path.map { FormRequests.areTaken(at: $0) } == true
    guard request.method == .get || request.method == .head || isForm else { return .method(takesForms: takesForms) }
    let length = request.headers[.contentLength]
    if isForm {
      // A body whose declared length is too large is not read.
      let largest = path.map { FormRequests.largest(at: $0) } ?? FormRequests.largest
      if let length, Int(length).map({ $0 > largest }) ?? true { return .largeForm }
    } else if length != nil && length != "0" || request.headers[.transferEncoding] != nil {
      // Pages send no body with other requests. The server does not read it.
      return .body
    }
    // Pages of other programs on this machine have another port, and therefore another origin.
    if let origin = request.headers[.origin], origin != "http://\(host)" { return .foreignOrigin }
    if isForm, let site = request.headers[.named("Sec-Fetch-Site")], site != "same-origin" { return .foreignOrigin }
    if let site = request.headers[.named("Sec-Fetch-Site")], site != "same-origin", site != "none",
      !Self.isNavigation(request)
    {
      return .foreignOrigin
    }
    return nil
  }

  /// Returns true for the names that always resolve to this machine. Another site could make a name of its own
  /// resolve to this machine, and its page could then read the store.
  private static func isOurs(host: String) -> Bool {
    ["127.0.0.1", "localhost", "[::1]"].contains { name in
      guard host.utf8.starts(with: name.utf8) else { return false }
      let rest = host.utf8.dropFirst(name.utf8.count)
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      return rest.isEmpty || rest.first == UInt8(ascii: ":") && rest.dropFirst().allSatisfy(digits.contains)
    }
  }

  /// Returns true when the user follows a link, including a link on another site. The browser sends no cookie with
  /// the latter.
  private static func isNavigation(_ request: Request) -> Bool {
    request.headers[.named("Sec-Fetch-Mode")] == "navigate"
      && request.headers[.named("Sec-Fetch-Dest")] == "document"
  }

  /// Sets the cookie, then continues from a page of this server. A redirect would belong to the page that contains
  /// the link, and the browser would not send the cookie.
  ///
  /// - Parameter target: the page that the link leads to, below the path of the pages. A text that is not a path is
  ///   ignored.
  private func opening(_ target: String?) -> Response {
    let target = target.flatMap { PageLinks.isPage($0) ? $0 : nil } ?? "/"
    let page = EscapedText(token.base + target).renderText
    var response = Response.page(
      BarePage.markup(
        title: "Opening the store",
        head: "<meta http-equiv=\"refresh\" content=\"0;url=\(page)\">",
        contents: "<p><a href=\"\(page)\">Open the store</a></p>"
      )
    )
    response.headers[.setCookie] = token.cookie
    return response
  }
}

/// The reason why a request is rejected.
private enum Refusal {
  case foreignHost, foreignOrigin, noToken, body, largeForm
  case method(takesForms: Bool)

  var response: Response {
    var response = Response.page(BarePage.markup(title: title, contents: "<p>\(remedy)</p>"), status: status)
    response.headers[.connection] = "close"
    if case .method(let takesForms) = self { response.headers[.allow] = takesForms ? "GET, HEAD, POST" : "GET, HEAD" }
    return response
  }

  private var status: HTTPResponse.Status {
    switch self {
    case .foreignHost: .misdirectedRequest
    case .foreignOrigin: .forbidden
    case .noToken: .unauthorized
    case .method: .methodNotAllowed
    case .body, .largeForm: .contentTooLarge
    }
  }

  private var title: String {
    switch self {
    case .foreignHost: "This server has another name"
    case .foreignOrigin: "Another page has sent this request"
    case .noToken: "The store is not open in this browser"
    case .method(true): "The page takes no form"
    case .method(false): "The pages are only read"
    case .largeForm: "The form is too large"
    case .body: "A request has no body here"
    }
  }

  private var remedy: String {
    switch self {
    case .foreignHost: "Use the address that the command has printed."
    case .foreignOrigin: "Open the page by its address."
    case .noToken: "Open the address that the command has printed when it was started."
    case .method: "Ask with GET."
    case .body: "Ask without one."
    case .largeForm: "Send less: \(FormRequests.largest) bytes at most, and \(FormRequests.largestSeed) with a seed."
    }
  }
}
