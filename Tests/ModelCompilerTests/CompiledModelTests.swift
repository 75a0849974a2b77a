import Foundation
import ModelFormats
import Testing

@testable import ModelCompiler

@Suite("Models that are compiled into a target")
struct CompiledModelTests {
  @Test("a model becomes a .momd, whose classes with a leading dot are in the target's module")
  func modelOfTarget() throws {
    let compilation = try Compilation(
      ["Note.swift": "import CoreData\nclass Note: NSManagedObject {}"],
      models: ["Notes": Self.model(entity: #"name="Note" representedClassName=".Note""#)]
    )
    #expect(compilation.errors.isEmpty)
    #expect(compilation.modelFiles.keys.sorted() == ["Notes.momd/Notes.mom", "Notes.momd/VersionInfo.plist"])
    let data = try #require(compilation.modelFiles["Notes.momd/Notes.mom"])
    #expect(try ModelDocument(compiled: data).entities.map(\.representedClassName) == ["App.Note"])
  }

  @Test("every version is compiled, the current one is marked, and versions that are gone leave the .momd")
  func versions() throws {
    try Toolchain.withTemporaryFolder { toolchain in
      let source = toolchain.folder.appendingPathComponent("Notes.xcdatamodeld")
      let output = toolchain.folder.appendingPathComponent("Notes.momd")
      let model = ModelCompilation.Model(source: source.path, output: output.path)
      let document = Self.document
      try ModelPackage.write([("Notes", document), ("Notes 2", document)], current: "Notes 2", to: source)
      try CompiledTarget(files: [], models: [ModelOutput(model, module: "App")], mappings: []).write()
      let package = try CompiledModelPackage(contentsOf: output)
      #expect(Set(package.versions.map(\.name)) == ["Notes", "Notes 2"])
      #expect(try package.currentVersion().name == "Notes 2")

      try ModelPackage.write([("Notes 2", document)], current: "Notes 2", to: source)
      try CompiledTarget(files: [], models: [ModelOutput(model, module: "App")], mappings: []).write()
      #expect(try CompiledModelPackage(contentsOf: output).versions.map(\.name) == ["Notes 2"])
    }
  }

  @Test("an unchanged file is not written again")
  func untouched() throws {
    try Toolchain.withTemporaryFolder { toolchain in
      let source = toolchain.folder.appendingPathComponent("Notes.xcdatamodel")
      let output = toolchain.folder.appendingPathComponent("Notes.momd")
      let document = Self.document
      let contents = source.appendingPathComponent("contents")
      try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
      try Data(document.contents.utf8).write(to: contents)
      let model = ModelCompilation.Model(source: source.path, output: output.path)
      let file = output.appendingPathComponent("Notes.mom")
      func number() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
      }
      try CompiledTarget(files: [], models: [ModelOutput(model, module: "App")], mappings: []).write()
      let first = try #require(try number())
      try CompiledTarget(files: [], models: [ModelOutput(model, module: "App")], mappings: []).write()
      #expect(try number() == first)
    }
  }

  @Test("a broken model is an error at its line")
  func brokenModel() throws {
    let errors = try Compilation(
      ["Note.swift": "import CoreData"],
      models: ["Notes": Self.model(entity: #"name="Note""#, #"<attribute name="a" attributeType="Text"/>"#)]
    ).errors
    #expect(errors.count == 1)
    #expect(errors[0].description.hasPrefix("Notes.xcdatamodel/contents:3: error: entity Note, attribute a"))
  }

  @Test(
    "a derivation with a typing error, an unknown element and an inverse that does not fit are errors at their lines",
    arguments: [
      (
        #"<attribute name="a" attributeType="String" derived="YES" derivationExpression="canonical:(titel)"/>"#,
        "entity Note, attribute a, derivationExpression: \"canonical:(titel)\": entity Note has no property titel"
      ),
      (
        "<atribute/>",
        "entity Note: the element <atribute> in <entity> is unknown; correct its name or remove it"
      ),
      (
        #"<relationship name="r" maxCount="1" destinationEntity="Note" inverseName="s"/>"#,
        "entity Note, relationship r, inverseName: entity Note has no relationship s; name the relationship there"
      ),
    ]
  )
  func faults(_ property: String, _ message: String) throws {
    let compilation = try Compilation(
      ["Note.swift": "import CoreData"],
      models: ["Notes": Self.model(entity: #"name="Note""#, property)]
    )
    #expect(compilation.errors.count == 1)
    let description = compilation.errors.first?.description ?? ""
    #expect(description.hasPrefix("Notes.xcdatamodel/contents:3: error: " + message), "\(description)")
    #expect(compilation.text.isEmpty)
  }

  @Test("a default value of another type is a warning, and the model is compiled")
  func mistypedDefault() throws {
    let property = #"<attribute name="id" attributeType="UUID" defaultValueString="empty"/>"#
    let compilation = try Compilation(
      ["Note.swift": "import CoreData"],
      models: ["Notes": Self.model(entity: #"name="Note""#, property)]
    )
    #expect(compilation.errors.isEmpty)
    #expect(compilation.warnings.count == 1)
    let description = compilation.warnings.first?.description ?? ""
    #expect(
      description.contains(
        #"warning: entity Note, attribute id, defaultValueString: "empty" is not a value of the type UUID"#
      ),
      "\(description)"
    )
    #expect(compilation.modelFiles["Notes.momd/Notes.mom"] != nil)
  }

  @Test("an unknown XML attribute is a warning, and the model is compiled")
  func warning() throws {
    let compilation = try Compilation(
      ["Note.swift": "import CoreData"],
      models: ["Notes": Self.model(entity: #"name="Note" abstrakt="YES""#)]
    )
    #expect(compilation.errors.isEmpty)
    #expect(compilation.warnings.count == 1)
    let description = compilation.warnings.first?.description ?? ""
    #expect(
      description.hasPrefix(
        "Notes.xcdatamodel/contents:3: warning: entity Note: the attribute abstrakt of <entity> is unknown"
      ),
      "\(description)"
    )
    #expect(compilation.modelFiles["Notes.momd/Notes.mom"] != nil)
  }

  @Test("two models of one name are an error, since one name could lead to one of them only")
  func namesakes() throws {
    var compilation = ModelCompilation(module: "App", output: "/nowhere/Output.swift")
    compilation.models = ["A/Notes.xcdatamodel", "B/Notes.xcdatamodeld"].map {
      ModelCompilation.Model(source: $0, output: "/nowhere/Notes.momd")
    }
    #expect(
      try compilation.run().map(\.description) == [
        "B/Notes.xcdatamodeld: error: the target has two models of this name, the other being "
          + "A/Notes.xcdatamodel; rename one of them"
      ]
    )
  }

  private static var document: ModelDocument {
    var document = ModelDocument()
    document.entities = [ModelDocument.Entity(name: "Note")]
    return document
  }

  private static func model(entity: String, _ properties: String = "") -> String {
    GeneratedFileTests.model(properties, entity: entity)
  }
}
