import Foundation

/// Prints what lies in the depot of a store: `Depot FILE|URL [PRODUCT COUNT]`, after a delivery.
@main
struct Program {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    let depot = try Depot(place(words.first ?? "Depot.sqlite"))
    if let name = words.dropFirst().first, let count = words.last.flatMap({ Int64($0) }) {
      try await depot.deliver(count, of: name)
    }
    for line in try await depot.lines() { print(line) }
  }

  private static func place(_ text: String) -> URL {
    if let url = URL(string: text), url.scheme == "postgresql" { return url }
    return URL(fileURLWithPath: text)
  }
}
