import Foundation
import ModelFormats
import Testing

@testable import ModelCompiler

@Suite("Mapping models that are compiled into a target")
struct CompiledMappingTests {
  /// The folder of a target with two versions of a model, and a mapping model from one to the other.
  private final class Target {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CompiledMapping-\(UUID())")
    var compilation: ModelCompilation
    var output: URL { folder.appendingPathComponent("Out/Notes1to2.cdm") }

    /// - Parameter property: the property that the mapping sets.
    init(modelFolder: String = "App", property: String = "title") throws {
      compilation = ModelCompilation(
        module: "App",
        output: folder.appendingPathComponent("Out/App.swift").path
      )
      var old = ModelDocument()
      var entity = ModelDocument.Entity(name: "Note")
      entity.attributes = [ModelDocument.Attribute(name: "title", type: .string)]
      old.entities = [entity]
      var new = old
      new.entities[0].attributes.append(ModelDocument.Attribute(name: "rank", type: .integer16))
      let model = folder.appendingPathComponent("\(modelFolder)/Notes.xcdatamodeld")
      try FileManager.default.createDirectory(
        at: model.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try ModelPackage.write([("Notes", old), ("Notes 2", new)], current: "Notes 2", to: model)
      if modelFolder == "App" {
        let momd = folder.appendingPathComponent("Out/Notes.momd").path
        compilation.models = [.init(source: model.path, output: momd)]
      } else {
        compilation.dependencies = [
          (module: modelFolder, folder: folder.appendingPathComponent(modelFolder).path)
        ]
      }
      let mapping = folder.appendingPathComponent("App/Notes1to2.xcmappingmodel")
      try FileManager.default.createDirectory(at: mapping, withIntermediateDirectories: true)
      let text = """
        <?xml version="1.0"?>
        <database>
        <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath">Elsewhere/Notes.xcdatamodeld/Notes.xcdatamodel</attribute>
        <attribute name="destinationmodelpath">Elsewhere/Notes.xcdatamodeld/Notes 2.xcdatamodel</attribute>
        <relationship name="entitymappings" idrefs="z2"/></object>
        <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Note</attribute>
        <attribute name="destinationname">Note</attribute><relationship name="attributemappings" idrefs="z3"/></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">\(property)</attribute></object>
        </database>
        """
      try Data(text.utf8).write(to: mapping.appendingPathComponent("xcmapping.xml"))
      compilation.mappings = [.init(source: mapping.path, output: output.path)]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  @Test(
    "a mapping model becomes a .cdm for the versions of the target's models, or of those it depends on",
    arguments: ["App", "Shelf"]
  )
  func compiled(_ module: String) throws {
    let target = try Target(modelFolder: module)
    #expect(try target.compilation.run() == [])
    let document = try MappingDocument(compiled: Data(contentsOf: target.output))
    let mapping = try #require(document.entityMappings.first)
    #expect(mapping.name == "NoteToNote")
    #expect(mapping.attributes.map(\.valueExpression) == ["$source.title"])
    let model = target.folder.appendingPathComponent("\(module)/Notes.xcdatamodeld")
    for (version, hash) in [
      ("Notes", mapping.sourceVersionHash), ("Notes 2", mapping.destinationVersionHash),
    ] {
      let document = try ModelPackage(contentsOf: model).document(version: version)
      let hashes = ModelVersionHashes(document: document)
      #expect(hash == hashes.entityHashes["Note"])
    }
  }

  @Test("a compiled mapping model that did not change is not written again")
  func untouched() throws {
    let target = try Target()
    func number() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: target.output.path)[.systemFileNumber] as? Int
    }
    _ = try target.compilation.run()
    let first = try #require(try number())
    _ = try target.compilation.run()
    #expect(try number() == first)
  }

  @Test("a mapping that does not fit its model is an error at its line, and nothing is written")
  func fault() throws {
    let target = try Target()
    let model = try #require(target.compilation.models.first)
    let version = URL(fileURLWithPath: model.source).appendingPathComponent("Notes 2.xcdatamodel/contents")
    let text = try String(contentsOf: version, encoding: .utf8)
    try text.replacing("\"title\"", with: "\"heading\"").write(to: version, atomically: true, encoding: .utf8)
    let errors = try target.compilation.run().map(\.description)
    #expect(
      errors == [
        """
        \(target.folder.path)/App/Notes1to2.xcmappingmodel/xcmapping.xml:9: error: mapping NoteToNote, property title: the \
        entity Note of the destination has no attribute of this name; take the mapping of it out, or refresh the models in \
        Xcode
        """
      ]
    )
    #expect(!FileManager.default.fileExists(atPath: target.output.path))
    #expect(!FileManager.default.fileExists(atPath: target.compilation.output))
  }

  @Test("a version that is nowhere is an error at the mapping model's line")
  func missingVersion() throws {
    let target = try Target()
    target.compilation.models = []
    let error = try #require(try target.compilation.run().first)
    #expect(error.line == 3)
    #expect(
      error.message.contains(
        "the source model Elsewhere/Notes.xcdatamodeld/Notes.xcdatamodel is not in the package"
      )
    )
  }

  @Test("two mapping models of one name are an error, since they would be one file")
  func namesakes() throws {
    var compilation = ModelCompilation(module: "App", output: "/nowhere/Output.swift")
    compilation.mappings = ["A/Map.xcmappingmodel", "B/Map.xcmappingmodel"].map {
      ModelCompilation.Mapping(source: $0, output: "/nowhere/Map.cdm")
    }
    #expect(
      try compilation.run().map(\.description) == [
        "B/Map.xcmappingmodel: error: the target has two mapping models of this name, the other being "
          + "A/Map.xcmappingmodel; rename one of them"
      ]
    )
  }

  @Test("the tool takes mapping models by an argument of their own")
  func argument() throws {
    let arguments = ["--module", "App", "--output", "o.swift", "--mapping", "A.xcmappingmodel", "A.cdm"]
    let compilation = try CommandArguments(arguments).compilation
    #expect(compilation.mappings.map(\.source) == ["A.xcmappingmodel"])
    #expect(compilation.mappings.map(\.output) == ["A.cdm"])
    #expect(throws: CompilationError.self) { try CommandArguments(Array(arguments.dropLast())) }
  }
}
