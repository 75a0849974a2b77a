import Foundation

@main
@MainActor
enum Program {
  /// `Users [FOLDER [ADDRESS]]` requests the users from the service at an address, and prints the users that
  /// the folder then has.
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = URL(fileURLWithPath: arguments.first ?? ".")
    let text = arguments.dropFirst().first ?? "http://localhost:8000"
    guard let address = URL(string: text) else { throw URLError(.badURL) }

    let directory = UserDirectory(service: UserService(address: address), store: try UserStore(in: folder))
    let freshness = await directory.refresh()
    let users = try directory.store.users()
    switch freshness {
    case .current: print("\(text) has these users:")
    case .stale(let error) where users.isEmpty: print("No users yet: \(reason(for: error)).")
    case .stale(let error): print("These users were there last, but now \(reason(for: error)):")
    }
    for user in users { print("\(user.memberSince.formatted(.iso8601.year()))  \(user.name)") }
  }

  private static func reason(for error: any Error) -> String {
    switch error {
    case is URLError: "the service does not answer"
    case is DecodingError: "the service answers with something else than a list of users"
    default: "\(error)"
    }
  }
}
