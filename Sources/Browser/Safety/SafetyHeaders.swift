import HTTPTypes
import Hummingbird

/// Adds header fields to every response, so that a browser does not run scripts of other origins, show a page in a
/// frame, guess a content type or send a referrer to other sites.
struct SafetyHeaders<Context: RequestContext>: RouterMiddleware {
  /// True where pages have forms. A browser then sends the origin of a form to this server, and still sends no
  /// referrer to others. With `no-referrer`, the browser would hide the origin from this server too.
  var tellsOrigin = false

  private var fields: [(HTTPField.Name, String)] {
    [
      (
        .contentSecurityPolicy,
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
      ),
      (.xContentTypeOptions, "nosniff"),
      (.named("X-Frame-Options"), "DENY"),
      (.named("Referrer-Policy"), tellsOrigin ? "same-origin" : "no-referrer"),
      (.named("Cross-Origin-Opener-Policy"), "same-origin"),
      (.named("Cross-Origin-Resource-Policy"), "same-origin"),
      (.named("Permissions-Policy"), "camera=(), geolocation=(), microphone=()"),
    ]
  }

  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    for (name, value) in fields where response.headers[name] == nil { response.headers[name] = value }
    // The contents of a store are not kept in the browser's cache.
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }
}

extension HTTPField.Name {
  /// Returns a field name that is a literal in this module.
  static func named(_ name: String) -> HTTPField.Name {
    guard let field = HTTPField.Name(name) else { preconditionFailure("\(name) is not a name of a field") }
    return field
  }
}
