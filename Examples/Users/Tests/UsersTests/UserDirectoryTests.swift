import CoreData
import FlyingFox
import Foundation
import Testing

@testable import Users

@Suite("The directory of users")
@MainActor
struct UserDirectoryTests {
  private let folder = TemporaryFolder()
  private let store: UserStore

  init() throws { store = try UserStore(in: folder.url) }

  /// Refreshes the store from a service with a given answer.
  private func refresh(
    _ answer: String,
    status: HTTPStatusCode = .ok
  ) async throws -> UserDirectory.Freshness {
    let server = try await LocalServer(answering: answer, status: status)
    let directory = UserDirectory(service: UserService(address: server.address), store: store)
    let freshness = await directory.refresh()
    await server.stop()
    return freshness
  }

  private func names() throws -> [String] { try store.users().map(\.name) }

  private let two = """
    [{"login": "odo", "member_since": "2021-06-01T10:00:00Z"},
     {"login": "ida", "member_since": "2019-02-11T08:30:00Z", "picture_url": "https://example.com/ida.png"}]
    """

  @Test("the answer is kept, and read in the order of membership")
  func fresh() async throws {
    #expect(try await refresh(two).error == nil)
    let users = try store.users()
    #expect(users.map(\.name) == ["ida", "odo"])
    #expect(users.map(\.picture) == [URL(string: "https://example.com/ida.png"), nil])
    #expect(users[0].memberSince == Date(timeIntervalSince1970: 1_549_873_800))
  }

  @Test("when nothing answers, the users of the last launch are there")
  func offline() async throws {
    #expect(try await refresh(two).error == nil)
    let server = try await LocalServer(answering: "[]")
    await server.stop()

    let reopened = try UserStore(in: folder.url)
    let directory = UserDirectory(service: UserService(address: server.address), store: reopened)
    #expect(await directory.refresh().error is URLError)
    #expect(try reopened.users().map(\.name) == ["ida", "odo"])
  }

  @Test("the next answer takes the place of the one before, also in a context that has seen its users")
  func replaced() async throws {
    _ = try await refresh(two)
    let seen = try store.users()
    #expect(try await refresh(#"[{"login": "una", "member_since": "2023-01-01T00:00:00Z"}]"#).error == nil)
    #expect(try names() == ["una"])
    #expect(seen.allSatisfy { $0.managedObjectContext == nil || $0.isDeleted })
  }

  @Test(
    "an answer that cannot be read changes nothing",
    arguments: [
      #"{"error": "busy"}"#, "[{", #"[{"login": "una"}]"#,
      #"[{"login": "una", "member_since": "2023-01-01T00:00:00Z"}, {"login": 7}]"#,
    ]
  )
  func broken(answer: String) async throws {
    _ = try await refresh(two)
    #expect(try await refresh(answer).error is DecodingError)
    #expect(try names() == ["ida", "odo"])
  }

  @Test("a service that refuses is told apart from one that is not there")
  func refused() async throws {
    let freshness = try await refresh(two, status: .forbidden)
    #expect(freshness.error as? UserService.Refusal == UserService.Refusal(status: 403))
    #expect(try names().isEmpty)
  }

  @Test("a decoder without a context is an error that says what is missing")
  func noContext() {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([User].self, from: Data(two.utf8))
    }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains("userInfo[.context]"))
  }

  @Test("a user is encoded as the service writes it, without what it does not have")
  func encoding() async throws {
    _ = try await refresh(two)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try store.users().map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    #expect(
      json == [
        #"{"login":"ida","member_since":"2019-02-11T08:30:00Z","picture_url":"https://example.com/ida.png"}"#,
        #"{"login":"odo","member_since":"2021-06-01T10:00:00Z"}"#,
      ]
    )
  }
}

extension UserDirectory.Freshness {
  /// The reason why the store is stale; nil if it is not.
  fileprivate var error: (any Error)? {
    if case .stale(let error) = self { error } else { nil }
  }
}

/// A folder that is deleted after the test.
private final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  deinit { try? FileManager.default.removeItem(at: url) }
}
