import Foundation
import HTTPTypes
import Hummingbird
import Mustache

/// The page templates in the folder Templates.
struct PageTemplates: Sendable {
  private let library: MustacheLibrary

  /// - Throws: `CocoaError` if a file cannot be read, or the parser's error if a template is invalid.
  init() throws {
    MustacheContentTypes.register(EscapedText(), named: EscapedText.name)
    var library = MustacheLibrary()
    for file in try Self.files() {
      let text = try String(contentsOf: file, encoding: .utf8)
      // Each file gets the content type here, so that no file can omit it.
      try library.register(
        "{{% CONTENT_TYPE:\(EscapedText.name)}}\n\(text)",
        named: file.deletingPathExtension().lastPathComponent
      )
    }
    self.library = library
  }

  private static func files() throws -> [URL] {
    guard let folder = Bundle.module.url(forResource: "Templates", withExtension: nil) else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Templates"])
    }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "mustache" }
  }

  /// Makes the response with a page.
  func response(_ page: Page, status: HTTPResponse.Status = .ok) throws -> Response {
    guard let text = library.render(page, withTemplate: "page") else {
      throw HTTPError(.internalServerError, message: "the template page is missing")
    }
    return Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-cache"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text))
    )
  }
}
