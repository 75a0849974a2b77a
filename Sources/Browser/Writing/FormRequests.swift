import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The requests that may change the store, and how they are read: forms that a page of this server sent.
enum FormRequests {
  /// The greatest size of a form in bytes.
  static let largest = 1 << 20
  /// The greatest size of a form with a seed in bytes.
  static let largestSeed = 16 << 20

  /// The path of the pages of seeds, relative to the browser's base path.
  static let seedPath = "/seed"

  /// Returns the greatest size in bytes of a form for a path, in a browser that is mounted at the root of a server.
  static func largest(at path: String) -> Int { path == seedPath ? largestSeed : largest }

  /// Returns true for a path that accepts forms, in a browser that is mounted at the root of a server.
  static func areTaken(at path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return switch (parts.first, parts.count) {
    case ("edits", 2), ("seed", 1), ("seed", 2): true
    case ("entity", 3): parts.last == "new"
    case ("entity", 4): parts.last == "edit" || parts.last == "deletion"
    case ("entity", 5): parts.dropLast().last == "relate"
    default: false
    }
  }

  /// Reads a form.
  ///
  /// - Parameters:
  ///   - token: the token that the form must contain.
  ///   - largest: the greatest size of the form in bytes.
  /// - Throws: an `HTTPError` with the reason why the form is rejected.
  static func read(_ request: Request, token: SessionToken, largest: Int = largest) async throws -> FormFields {
    if !isFromOwnPage(request) {
      throw refusal(
        .forbidden,
        message: "Another page has sent this form; open the page here, and send it from there."
      )
    }
    if !isForm(request.headers[.contentType]) {
      throw refusal(
        .unsupportedMediaType,
        message: "A form is sent as application/x-www-form-urlencoded; send it from its page."
      )
    }
    if let length = request.headers[.contentLength], Int(length).map({ $0 > largest }) ?? true {
      throw tooLarge(largest)
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: largest)
    } catch is NIOTooManyBytesError {
      throw tooLarge(largest)
    }
    let fields = try FormFields(body: body.readableBytesView)
    guard let given = fields["token"], token.isEqual(given) else {
      throw refusal(
        .forbidden,
        message:
          "The form is not one of this server, or of one that was started anew since; open its page again."
      )
    }
    return fields
  }

  /// Returns true if the browser says that the request comes from a page of this server, or if it says nothing
  /// about it.
  private static func isFromOwnPage(_ request: Request) -> Bool {
    let site = request.headers[.named("Sec-Fetch-Site")]
    if let site, site != "same-origin" { return false }
    guard let origin = request.headers[.origin] else { return true }
    // A page whose referrer policy hides its address has the origin `null`.
    if origin == "null" { return site == "same-origin" }
    guard let host = request.head.authority, !host.isEmpty else { return false }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }

  private static func isForm(_ type: String?) -> Bool {
    let type = type?.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
    return type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
  }

  private static func tooLarge(_ largest: Int) -> HTTPError {
    refusal(.contentTooLarge, message: "The form is too large: \(largest) bytes are taken at most.")
  }

  /// Makes an error that closes the connection, so that the rest of the rejected request is not read.
  private static func refusal(_ status: HTTPResponse.Status, message: String) -> HTTPError {
    HTTPError(status, headers: [.connection: "close"], message: message)
  }
}

extension BrowserWriting {
  /// Reads a form of these pages.
  func form(_ request: Request, largest: Int = FormRequests.largest) async throws -> FormFields {
    try await FormRequests.read(request, token: token, largest: largest)
  }
}

extension Response {
  /// Redirects from an accepted form to a page.
  static func seeOther(_ address: String) -> Response {
    Response(status: .seeOther, headers: [.location: address])
  }
}
