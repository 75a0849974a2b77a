import HTTPTypes
import Hummingbird

/// Gives every answer the fields that keep a browser from running, framing or guessing anything, and
/// from telling others where it was.
struct SafetyHeaders<Context: RequestContext>: RouterMiddleware {
  /// True where pages have forms: a browser names the origin of a form to its own server then, and
  /// still tells others nothing. Without it, the origin of a form of ours would be hidden too.
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
    // What a store has stays out of the browser's cache.
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }
}

extension HTTPField.Name {
  /// A name of a field that this module writes out.
  static func named(_ name: String) -> HTTPField.Name {
    guard let field = HTTPField.Name(name) else { preconditionFailure("\(name) is no name of a field") }
    return field
  }
}
