import CoreData
import Foundation
import Testing

@testable import Users

@Suite("Codable and Core Data", .serialized)
@MainActor
struct UserControllerTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func controller(_ url: URL) async throws -> UserController {
    UserController(persistentContainer: try await UserStore.makeContainer(folder: folder), baseURL: url)
  }

  /// The JSON of a page of users with the given numbers.
  private func page(_ numbers: Range<Int>) -> String {
    let users = numbers.map { number in
      let role = ["User", "Owner", "Admin"][number % 3]
      return
        "{\"avatar\": \"https://example.com/\(number).png\", \"username\": \"user\(100 + number)\", \"role\": \"\(role)\"}"
    }
    return "[" + users.joined(separator: ",") + "]"
  }

  @Test("pages are decoded into the context, saved, and read back by role and name")
  func paging() async throws {
    let server = try await UserServer(pages: [page(0..<25), page(25..<30)])
    let controller = try await controller(server.url)

    #expect(await controller.fetchUsers() == .network)
    #expect(controller.users.count == 25)
    #expect(controller.hasMoreUsers)

    #expect(await controller.fetchUsers() == .network)
    #expect(controller.users.count == 30)
    #expect(!controller.hasMoreUsers)
    await server.stop()

    let names = controller.users.map { "\($0.role ?? "") \($0.username ?? "")" }
    #expect(names == names.sorted())
    #expect(names.first == "Admin user102")
    #expect(controller.users.first?.avatarUrl == "https://example.com/2.png")
  }

  @Test("without the web service the users of the last time are read")
  func cache() async throws {
    let server = try await UserServer(pages: [page(0..<5)])
    #expect(await (try controller(server.url)).fetchUsers() == .network)
    await server.stop()

    let controller = try await controller(server.url)
    #expect(await controller.fetchUsers() == .storage)
    #expect(controller.users.count == 5)
    #expect(!controller.hasMoreUsers)
  }

  @Test("a new first page takes the place of what was stored")
  func replacing() async throws {
    let first = try await UserServer(pages: [page(0..<5)])
    #expect(await (try controller(first.url)).fetchUsers() == .network)
    await first.stop()

    let second = try await UserServer(pages: [page(10..<12)])
    let controller = try await controller(second.url)
    #expect(await controller.fetchUsers() == .network)
    await second.stop()
    #expect(controller.users.map(\.username) == ["user110", "user111"])
  }

  @Test("an answer that is no list of users leaves the program with what is stored")
  func malformed() async throws {
    let server = try await UserServer(pages: ["{\"error\": \"busy\"}"])
    let controller = try await controller(server.url)
    #expect(await controller.fetchUsers() == .storage)
    #expect(controller.users.isEmpty)
    await server.stop()
  }

  @Test("a user is encoded with the keys of the web service")
  func encoding() async throws {
    let context = try await UserStore.makeContainer(folder: folder).viewContext
    let user = User(context: context)
    user.username = "anna"
    user.role = "Owner"
    user.avatarUrl = "anna.png"

    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(user), as: UTF8.self)
    #expect(json == "{\"avatar\":\"anna.png\",\"role\":\"Owner\",\"username\":\"anna\"}")
  }

  @Test("values that are missing or null are no values")
  func missingValues() async throws {
    let server = try await UserServer(pages: ["[{\"username\": \"anna\", \"role\": null}]"])
    let controller = try await controller(server.url)
    #expect(await controller.fetchUsers() == .network)
    await server.stop()
    #expect(controller.users.first?.username == "anna")
    #expect(controller.users.first?.role == nil)
    #expect(controller.users.first?.avatarUrl == nil)
  }
}
