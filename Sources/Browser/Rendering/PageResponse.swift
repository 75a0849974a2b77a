import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// Returns a response with an HTML page.
  static func page(_ markup: String, status: HTTPResponse.Status = .ok) -> Response {
    text(markup, type: "text/html; charset=utf-8", status: status)
  }

  static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    self.text(text, type: "application/json; charset=utf-8", status: status)
  }

  static func text(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  static func bytes(_ bytes: some Sequence<UInt8>, type: String) -> Response {
    Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
