import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A web service with a list of users at `/users`, in JSON.
struct UserService {
  /// An answer with a status other than 200.
  struct Refusal: Error, Equatable, CustomStringConvertible {
    let status: Int

    var description: String { "the service answers with status \(status)" }
  }

  let address: URL

  /// The users in JSON.
  ///
  /// - Throws: `URLError` if there is no answer, `Refusal` if the status is not 200.
  func userList() async throws -> Data {
    let (body, response) = try await URLSession.shared.data(from: address.appendingPathComponent("users"))
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Refusal(status: status) }
    return body
  }
}
