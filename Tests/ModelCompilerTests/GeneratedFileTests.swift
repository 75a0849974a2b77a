import Foundation
import Testing

@testable import ModelCompiler

@Suite("The generated file")
struct GeneratedFileTests {
  @Test("an accessor is on its property's line, and reads and writes the property's key")
  func accessor() throws {
    let text = try Compilation("class Note: NSManagedObject {\n  @NSManaged public var title: String?\n}")
      .text
    #expect(text.contains(#"App/Note.swift", line: 3)"#))
    #expect(
      text.contains(
        #"""
          @_silgen_name("$s3App4NoteC5titleSSSgvg") dynamic final func _Note_title_get() -> String? \#
        { managedValue("title") }
        """#
      )
    )
    #expect(
      text.contains(
        #"""
        _set(_ value: __owned String?) { setManagedValue(value, "title") }
        """#
      )
    )
  }

  @Test("primitive accessors go past notifications, unless the model has a property of that name")
  func primitives() throws {
    let source = "import CoreData\nclass Note: NSManagedObject {\n  @NSManaged var primitiveTitle: String?\n}"
    #expect(try Compilation(["Note.swift": source]).text.contains(#"primitiveManagedValue("title")"#))
    let model = Self.model(#"<attribute name="primitiveTitle" attributeType="String"/>"#)
    #expect(
      try Compilation(["Note.swift": source], models: ["App": model]).text.contains(
        #" managedValue("primitiveTitle")"#
      )
    )
  }

  @Test("conditions that only the compiler can decide are repeated")
  func conditions() throws {
    let text = try Compilation(
      """
      #if DEBUG
        class Note: NSManagedObject {
          @NSManaged var one: Int
          #if swift(>=6) && !os(macOS)
            @NSManaged var two: Int
          #else
            @NSManaged var two: Int32
          #endif
        }
      #endif
      """
    ).text
    #expect(text.contains("#if DEBUG\nextension Note {"))
    #expect(text.contains("#if swift(>=6) && !os(macOS)\n#sourceLocation"))
    #expect(text.contains("#if !(swift(>=6) && !os(macOS))\n#sourceLocation"))
  }

  @Test(
    "public accessors import their types publicly, Foundation's by CoreData, and others repeat the files' imports"
  )
  func imports() throws {
    let inside = try Compilation("class Note: NSManagedObject { @NSManaged var date: Date? }").text
    #expect(inside.contains("\nimport CoreData\n"))
    #expect(!inside.contains("Foundation\n"))
    let outside = try Compilation("public class Note: NSManagedObject { @NSManaged public var date: Date? }")
      .text
    #expect(outside.contains("\npublic import CoreData\n"))
    #expect(!outside.contains("import Foundation"))
    let narrowed = try Compilation(
      [
        "Note.swift":
          "import CoreData\nimport Kit\nclass Note: NSManagedObject { @NSManaged var date: Date? }",
        "Other.swift": "internal import Kit",
      ],
      dependencies: ["Kit": ["Kit.swift": "public struct Hidden {}"]]
    ).text
    #expect(narrowed.contains("\nimport CoreData\ninternal import Kit\n"))
  }

  @Test("a word near an import that is not its modifier is ignored")
  func wordsBeforeImports() throws {
    let text = try Compilation(
      "enum Access { case `public`, `private` }\nlet own = Access.private; \nimport CoreData\n"
    )
    .text
    #expect(!text.contains("internal import"))
  }

  @Test("names that Foundation has too get an alias if the target uses them")
  func ambiguousNames() throws {
    let text = try Compilation("let expression: NSExpression? = nil").text
    #expect(text.contains("public typealias NSExpression = CoreData.NSExpression"))
    #expect(!text.contains("NSComparisonPredicate"))
    let compound = try Compilation("let predicate: NSCompoundPredicate? = nil").text
    #expect(compound.contains("public typealias NSCompoundPredicate = CoreData.CompoundPredicate"))
    let property = "class Note: NSManagedObject { @NSManaged var filter: NSCompoundPredicate? }"
    #expect(try !Compilation(property).text.contains("typealias"))
    #expect(text.contains("public import CoreData"))
    let own = try Compilation("typealias NSExpression = CoreData.NSExpression\nlet one: NSExpression? = nil")
      .text
    #expect(!own.contains("typealias"))
  }

  @Test(
    "generated classes and extensions say nonisolated, unless an actor may isolate the class or a superclass"
  )
  func isolation() throws {
    let model = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Item" representedClassName="Item" codeGenerationType="class"/>
        <entity name="Author" representedClassName="Author" codeGenerationType="category"/>
        <entity name="Screen" representedClassName="Screen" codeGenerationType="category"/>
        <entity name="Panel" representedClassName="Panel" parentEntity="Screen" codeGenerationType="class"/>
      </model>
      """
    let source = """
      import CoreData
      class Author: NSManagedObject {}
      @MainActor public class Screen: NSManagedObject {}
      """
    let compilation = try Compilation(["Classes.swift": source], models: ["Library": model])
    #expect(compilation.errors.isEmpty, "\(compilation.errors)")
    let heads = compilation.text.split(separator: "\n").filter { line in
      line.contains("class ") && line.hasPrefix("public") || line.contains("extension ")
    }
    #expect(
      heads == [
        "public nonisolated class Item: NSManagedObject {", "nonisolated extension Item: Identifiable {}",
        "nonisolated extension Author {", "nonisolated extension Author: Identifiable {}",
        "extension Screen {",
        "extension Screen: Identifiable {}", "public class Panel: Screen {",
      ]
    )
  }

  @Test(
    "the extension of a deprecated class repeats the attribute, so that it can name the class without a warning"
  )
  func deprecatedExtension() throws {
    let entity = #"name="Note" representedClassName="Note" codeGenerationType="category""#
    let compilation = try Compilation(
      ["Note.swift": "import CoreData\n@available(*, deprecated) class Note: NSManagedObject {}"],
      models: ["Notes": Self.model("", entity: entity)]
    )
    #expect(compilation.errors.isEmpty, "\(compilation.errors)")
    #expect(compilation.text.contains("@available(*, deprecated) nonisolated extension Note {"))
    #expect(
      compilation.text.contains("@available(*, deprecated) nonisolated extension Note: Identifiable {}")
    )
  }

  @Test("a file that would not change is not touched")
  func untouched() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("ModelCompilerTests-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let file = OutputFile(path: url.path, data: Data("a".utf8))
    try file.write()
    let past = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: url.path)
    try file.write()
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.modificationDate] as? Date == past)
  }

  @Test(
    "a target with the file that was generated to be committed is refused, which would have all of it twice"
  )
  func committedFile() throws {
    let heading = GeneratedPurpose.commit.heading(of: "App")
    let note = "import CoreData\nclass Note: NSManagedObject { @NSManaged var title: String? }"
    let compilation = try Compilation(["Note.swift": note, "App+CoreDataModel.swift": heading])
    #expect(compilation.errors.map(\.file) == ["App+CoreDataModel.swift"])
    #expect(compilation.errors.first?.message.contains("take the plugin from the target") == true)
  }

  @Test("types of other modules are found in their sources, and hide those of the toolchain")
  func dependencies() throws {
    let compilation = try Compilation(
      """
      import Kit
      class Note: NSManagedObject {
        @NSManaged var duration: Duration
        @NSManaged var hidden: Hidden?
        @NSManaged var inner: Outer.Inner?
      }
      struct Hidden {}
      """,
      dependencies: [
        "Kit": [
          "Kit.swift": """
          public struct Duration {}
          struct Hidden {}
          public enum Outer {}
          extension Outer { public final class Inner {} }
          """
        ]
      ]
    )
    #expect(
      compilation.symbols.filter { $0.hasSuffix("g") } == [
        "$s3App4NoteC8duration3Kit8DurationVvg", "$s3App4NoteC6hiddenAA6HiddenVSgvg",
        "$s3App4NoteC5inner3Kit5OuterO5InnerCSgvg",
      ]
    )
  }

  static func model(_ properties: String, entity: String = #"name="Note" representedClassName="Note""#)
    -> String
  {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
      <entity \(entity)>\(properties)</entity>
    </model>
    """
  }
}
