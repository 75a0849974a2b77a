import Foundation
import Testing

@testable import PerennialCommands

@Suite("perennial init", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct InitCommandTests {
  private static let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private let program: Program

  init() throws { program = try Program() }

  private func make(_ name: String) throws -> Program.Outcome {
    try program.run("init", name, "--perennial", Self.checkout.path)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: program.folder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names in the folder, except those of the example Notes and of the run itself.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.path).filter { name in
      name != "Notes.xcdatamodeld" && name != "seed.json" && !name.hasPrefix("output-")
        && !name.hasPrefix("errors-")
    }
    .sorted()
  }

  @Test(
    "perennial init makes a folder with a manifest, a model, its classes, a seed, a program, a test and .gitignore"
  )
  func files() throws {
    let outcome = try make("Garden")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output.hasPrefix("Garden: a package of 9 files, with perennial from \(Self.checkout.path)\n")
    )
    #expect(outcome.output.contains("\n  cd Garden\n  swift test\n"))
    for file in [
      ".gitignore", "Package.swift", "Sources/Garden/Garden.xcdatamodeld/.xccurrentversion",
      "Sources/Garden/Garden.xcdatamodeld/Garden.xcdatamodel/contents", "Sources/Garden/Model.swift",
      "Sources/Garden/Notebook.swift", "Sources/Garden/Program.swift", "Sources/Garden/seed.json",
      "Tests/GardenTests/NotebookTests.swift",
    ] {
      #expect(program.exists("Garden/\(file)"), "\(file)")
    }
    #expect(try names() == ["Garden"])
    #expect(
      try text("Garden/Package.swift").contains("path: \"\(Self.checkout.path)\", traits: [\"Plugin\"]")
    )
  }

  @Test("the seed goes into a store of the model, and the objects are as the new test expects them")
  func seed() throws {
    _ = try make("Garden")
    let model = "Garden/Sources/Garden/Garden.xcdatamodeld"
    let seeded = try program.run("seed", model, "Garden/Sources/Garden/seed.json", "--store", "Garden.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    let fetched = try program.run(
      "fetch",
      "Garden.sqlite",
      "Note",
      "--where",
      "ANY topics.name == 'Spring'",
      "--sort",
      "title",
      "--columns",
      "title",
      "--format",
      "csv"
    )
    #expect(fetched.output == "title\nCowslips on the bank\nThe swifts are back\n", "\(fetched.errors)")
  }

  @Test("a folder with something in it, a file and a link are refused, and stay as they are")
  func taken() throws {
    try program.write("mine", to: "Garden/letter.txt")
    try program.write("mine", to: "Meadow")
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.appendingPathComponent("Orchard").path,
      withDestinationPath: "nowhere"
    )
    for (name, words) in [
      ("Garden", "there is a folder of that name, and something is in it"),
      ("Meadow", "there is a file of that name"), ("Orchard", "there is a symbolic link of that name"),
    ] {
      let outcome = try make(name)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["Error: \(name): \(words); give another name, or move it away"])
    }
    #expect(try names() == ["Garden", "Meadow", "Orchard"])
    #expect(try text("Garden/letter.txt") == "mine")
  }

  @Test("an empty folder becomes the package")
  func empty() throws {
    let folder = program.folder.appendingPathComponent("Garden")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(try make("Garden").status == 0)
    #expect(program.exists("Garden/Package.swift"))
  }

  @Test(
    "a name that no Swift module can have is wrong usage",
    arguments: [
      "", "2gardens", "my-garden", "my garden", "../garden", "/tmp/garden", "garten.früh", "Gärten", "_",
      "class", "Self", "main", "Note", "Notebook", "Foundation", "CoreData", "Perennial", "perennial",
      String(repeating: "a", count: 65),
    ]
  )
  func names(name: String) throws {
    let outcome = try make(name)
    #expect(outcome.status == 64, "\(outcome.output)")
    #expect(outcome.errors.contains("NAME: "))
    #expect(try names() == [])
  }

  @Test("the names of all targets of this package are refused, which no second package can have")
  func targets() throws {
    let manifest = try String(
      contentsOf: Self.checkout.appendingPathComponent("Package.swift"),
      encoding: .utf8
    )
    let pattern = /\.(?:target|executableTarget|systemLibrary|plugin)\(\s*name: "([A-Za-z]+)"/
    let names = manifest.matches(of: pattern).map { String($0.output.1) }
    #expect(names.count > 20)
    for name in names {
      #expect(PackageName(argument: name).problem != nil, "\(name)")
      #expect(PackageName(argument: "\(name)Garden").problem == nil, "\(name)")
    }
  }

  @Test("perennial can have a URL, whose last component names the package")
  func url() throws {
    let outcome = try program.run(
      "init",
      "Garden",
      "--perennial",
      "https://example.com/somebody/Perennial.git"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let manifest = try text("Garden/Package.swift")
    #expect(manifest.contains(".package(url: \"https://example.com/somebody/Perennial.git\", "))
    #expect(manifest.contains("package: \"perennial\""))
    #expect(try PackageOrigin("git@example.com:somebody/core.git").package == "core")
    #expect(throws: CommandFailure.self) { try PackageOrigin("https://") }
  }

  @Test("perennial can be a local folder, to which the new package has a relative path")
  func folder() throws {
    try FileManager.default.createSymbolicLink(
      at: program.folder.appendingPathComponent("perennial"),
      withDestinationURL: Self.checkout
    )
    #expect(try program.run("init", "Garden", "--perennial", "perennial").status == 0)
    #expect(try text("Garden/Package.swift").contains("path: \"../perennial\""))
    let nowhere = try program.run("init", "Meadow", "--perennial", "nowhere")
    #expect(nowhere.status == 1)
    #expect(nowhere.errors.contains("nowhere: there is no package perennial in this folder; give the folder"))
    #expect(!program.exists("Meadow"))
  }

  private static let isBuiltInCheckout =
    Program.url?.resolvingSymlinksInPath().path.hasPrefix(checkout.resolvingSymlinksInPath().path + "/")

  @Test(
    "perennial init without --perennial uses the checkout in which the command was built",
    .enabled(if: isBuiltInCheckout == true, "the program was not built in the checkout")
  )
  func found() throws {
    let outcome = try program.run("init", "Garden")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("with perennial from /"))
  }

  @Test("an installed command without a checkout next to the new package asks for the path")
  func installed() {
    #expect(throws: CommandFailure.self) {
      try PackageOrigin(findingFrom: URL(fileURLWithPath: "/usr/local/bin/perennial"))
    }
  }

  @Test("a path is spelled in the manifest as a Swift text")
  func literal() {
    #expect(PackageOrigin.literal(#"/a "b"\c\#n"#) == #""/a \"b\"\\c\u{a}""#)
  }
}
