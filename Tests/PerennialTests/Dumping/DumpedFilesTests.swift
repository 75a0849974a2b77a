import Foundation
import Testing

@Suite("perennial dump --files", .enabled(if: Program.url != nil, "the program is not built"))
struct DumpedFilesTests {
  private static let model = """
    <model><entity name="Photo"><attribute name="name" attributeType="String"/>\
    <attribute name="image" optional="YES" attributeType="Binary"/>\
    <attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>\
    <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
    </uniquenessConstraints></entity>\
    <composite name="Size"><attribute name="icon" optional="YES" attributeType="Binary"/>\
    <attribute name="width" optional="YES" attributeType="Integer 32"/></composite></model>
    """
  /// The Base64 text `/9j/4A==` is the beginning of a JPEG. Two photos have the same image.
  private static let seed = """
    {"photos": [
      {"name": "a", "image": "/9j/4A==", "size": {"icon": "SGk=", "width": 1}},
      {"name": "b", "image": "/9j/4A=="}, {"name": "c"}]}
    """

  private func seeded() throws -> Program {
    let program = try Program()
    try program.write(Self.model, to: "Photos.xcdatamodel/contents")
    try program.write(Self.seed, to: "photos.json")
    let seeded = try program.run("seed", "Photos.xcdatamodel", "photos.json", "--store", "Photos.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    return program
  }

  @Test(
    "binary values are files that the dump names, and it loads into an equal store",
    arguments: ["dump.json", "dump.jsonl", "dump.yaml", "dump.plist", "Photo.csv"]
  )
  func roundTrip(name: String) throws {
    let program = try seeded()
    let whole = try program.run("dump", "Photos.sqlite").output
    try program.write("", to: "out/keep")
    let dumped = try program.run("dump", "Photos.sqlite", "--output", "out/\(name)", "--files", "images/")
    #expect(dumped.status == 0, "\(dumped.errors)")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: program.folder.appendingPathComponent("out/images").path
    )
    #expect(files.count == 2 && files.contains { $0.hasSuffix(".jpg") }, "\(files)")
    let text = try Data(contentsOf: program.folder.appendingPathComponent("out/\(name)"))
    #expect(text.range(of: Data("$file".utf8)) != nil && text.range(of: Data("/9j/".utf8)) == nil)
    let loaded = try program.run("seed", "Photos.xcdatamodel", "out/\(name)", "--store", "Again.sqlite")
    #expect(loaded.status == 0, "\(loaded.errors)")
    #expect(try program.run("dump", "Again.sqlite").output == whole)
  }

  @Test("equal stores give equal dumps and the same files")
  func stable() throws {
    let program = try seeded()
    for name in ["one", "two"] {
      try program.write("", to: "\(name)/keep")
      _ = try program.run("dump", "Photos.sqlite", "--output", "\(name)/dump.json", "--files", "files")
    }
    let folders = ["one", "two"].map { program.folder.appendingPathComponent($0) }
    let texts = try folders.map { try Data(contentsOf: $0.appendingPathComponent("dump.json")) }
    #expect(texts[0] == texts[1])
    let names = try folders.map {
      try FileManager.default.contentsOfDirectory(atPath: $0.appendingPathComponent("files").path).sorted()
    }
    #expect(names[0] == names[1])
  }

  @Test(
    "a file name that no seed can refer to, and a dump to another output than a file, fail with one line",
    arguments: [
      ["--output", "dump.json", "--files", "../elsewhere"],
      ["--output", "dump.json", "--files", "/tmp/files"],
      ["--files", "files"], ["--output", "Dump/", "--files", "files"],
    ]
  )
  func refused(options: [String]) throws {
    let program = try seeded()
    let outcome = try program.run(["dump", "Photos.sqlite"] + options)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(!program.exists("dump.json") && !program.exists("Dump"))
  }
}
