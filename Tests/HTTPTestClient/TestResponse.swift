package import HTTPTypes
package import NIOCore

/// An application's response to one request.
package struct TestResponse: Sendable {
  package let head: HTTPResponse
  package let body: ByteBuffer

  package var status: HTTPResponse.Status { head.status }
  package var headers: HTTPFields { head.headerFields }
}
