import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A web service that has a list of users at `/users`, in JSON.
struct UserService {
  /// An answer with another status than 200.
  struct Refusal: Error, Equatable, CustomStringConvertible {
    let status: Int

    var description: String { "the service answers with status \(status)" }
  }

  let address: URL

  /// The JSON of the users.
  ///
  /// - Throws: `URLError` when nothing answers, `Refusal` when it answers that it will not.
  func userList() async throws -> Data {
    let (body, response) = try await URLSession.shared.data(from: address.appendingPathComponent("users"))
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Refusal(status: status) }
    return body
  }
}
