import Foundation

/// The options of the command line.
struct BenchmarkOptions {
  var command = URL(fileURLWithPath: ".build/release/perennial")
  var demo: DemoStore?
  var datasette: URL?
  var folder = URL(fileURLWithPath: ".build/browser-benchmark")
  var notes = 1_000_000
  var pages = 1_100
  var chart: URL?

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw Self.failure("\(option) needs a value") }
        return value
      }
      func file() throws -> URL { URL(fileURLWithPath: try value()) }
      func number() throws -> Int {
        let text = try value()
        guard let number = Int(text), number >= 1_000 else {
          throw Self.failure("\(option) takes a number from 1000 on, not \(text)")
        }
        return number
      }
      switch option {
      case "--command": command = try file()
      case "--demo": demo = DemoStore(model: try file(), seed: try file())
      case "--datasette": datasette = try file()
      case "--store": folder = try file()
      case "--notes": notes = try number()
      case "--pages": pages = try number()
      case "--chart": chart = try file()
      default: throw Self.failure("\(option) is not an option")
      }
    }
    guard FileManager.default.isExecutableFile(atPath: command.path) else {
      throw Self.failure(
        "\(command.path) is not a program: build it by `swift build -c release --product perennial`, "
          + "or name it with --command"
      )
    }
  }

  private static func failure(_ text: String) -> BenchmarkFailure { BenchmarkFailure(description: text) }
}

/// The store that `Scripts/demo` makes.
struct DemoStore {
  let model: URL
  let seed: URL

  /// Seeds the store in a new folder.
  func makeStore(by command: URL) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = folder.appendingPathComponent("Notes.sqlite")
    let process = Process()
    process.executableURL = command
    process.arguments = ["seed", model.path, seed.path, "--store", store.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure(description: "the store of the demo could not be seeded from \(seed.path)")
    }
    return store
  }
}
