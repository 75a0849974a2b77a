package import HTTPTypes
package import NIOCore

/// What an application answers to one request.
package struct TestResponse: Sendable {
  package let head: HTTPResponse
  package let body: ByteBuffer

  package var status: HTTPResponse.Status { head.status }
  package var headers: HTTPFields { head.headerFields }
}
