import HTTPTypes
import Hummingbird

/// Refuses requests that other sites cause, and restricts what pages may do in a browser.
///
/// * The `Host` has to be a name of this machine. A foreign name that resolves to this machine would
/// otherwise give a foreign site access to these pages. * A request that changes something has to come from
/// this site's own pages. `Sec-Fetch-Site` and `Origin` show it, if the browser sends them. Each form also
/// has a token. * Other sites may link to these pages, but must not embed or fetch anything.
struct OriginGuard: RouterMiddleware {
  private static let names: Set = ["127.0.0.1", "localhost", "[::1]"]

  func handle(
    _ request: Request,
    context: SiteContext,
    next: (Request, SiteContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      try check(request)
      response = try await next(request, context)
    } catch let refusal as HTTPError {
      response = Response(
        status: refusal.status,
        headers: [.contentType: "text/plain; charset=utf-8", .connection: "close"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "\(refusal.body ?? refusal.status.reasonPhrase)\n"))
      )
    }
    for (name, value) in Self.headers { response.headers[name] = value }
    return response
  }

  /// - Throws: `HTTPError`.
  private func check(_ request: Request) throws {
    guard let authority = request.head.authority, Self.isOurs(authority) else {
      throw HTTPError(.misdirectedRequest, message: "This server answers as 127.0.0.1 and localhost alone.")
    }
    let site = request.headers[Self.fetchSite]
    let isReading = request.method == .get || request.method == .head
    if isReading {
      let isNavigation = request.headers[Self.fetchMode] == "navigate"
      guard site == nil || site == "same-origin" || site == "none" || isNavigation else {
        throw HTTPError(.forbidden, message: "Other sites may lead here, but may not embed these pages.")
      }
      return
    }
    let origin = request.headers[.origin]
    guard site == nil || site == "same-origin", origin == nil || origin == "http://\(authority)" else {
      throw HTTPError(.forbidden, message: "This was sent by a page of another site.")
    }
  }

  private static func isOurs(_ authority: String) -> Bool {
    let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let name = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
    let rest = authority[name.endIndex...]
    return names.contains(name.lowercased())
      && (rest.isEmpty || rest.hasPrefix(":") && UInt16(rest.dropFirst()) != nil)
  }

  private static let headers: [(HTTPField.Name, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    (.xContentTypeOptions, "nosniff"),
    // The address of a note can contain the search. With this policy, forms still send their origin.
    (HTTPField.Name("Referrer-Policy")!, "same-origin"),
    (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),
    (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"),
  ]
  private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!
  private static let fetchMode = HTTPField.Name("Sec-Fetch-Mode")!
}
