import CoreData

@main
struct UsersApplication {

  /// Prints the users of a web service, or those of the last time when it does not answer:
  /// `Users URL [FOLDER]`.
  @MainActor
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let address = arguments.first, let baseURL = URL(string: address) else {
      print("usage: Users URL [FOLDER]")
      return
    }
    let folder = arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }

    let controller = UserController(
      persistentContainer: try await UserStore.makeContainer(folder: folder),
      baseURL: baseURL
    )
    var source = UserSource.network
    while controller.hasMoreUsers {
      source = await controller.fetchUsers()
    }

    print(source == .network ? "from the web service:" : "from the last time:")
    for user in controller.users {
      let role = Role.get(from: user.role ?? "")
      print("\(role.rawValue): \(user.username ?? "") <\(user.avatarUrl ?? "")>")
    }
  }
}
