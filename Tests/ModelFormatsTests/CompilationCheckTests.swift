import Foundation
import Testing

@testable import ModelFormats

@Suite("A model that is compiled")
struct CompilationCheckTests {
  private static let file = "M.xcdatamodel/contents"

  /// The refusal and the warnings for a file with some lines inside `<model>`.
  private func findings(
    _ lines: String,
    editor: String = "24902"
  ) throws -> (refusal: String?, warnings: [String]) {
    let text = "<?xml version=\"1.0\"?>\n<model lastSavedToolsVersion=\"\(editor)\">\n\(lines)\n</model>\n"
    let document = try ModelDocument(contents: Data(text.utf8), file: Self.file)
    // The reader accepts all of these models.
    try document.check(file: Self.file)
    var warnings: [String] = []
    do {
      try document.checkForCompiling(file: Self.file) { warnings.append($0.description) }
      return (nil, warnings)
    } catch {
      return (error.description, warnings)
    }
  }

  private static func note(_ expression: String) -> String {
    """
    <entity name="Base"><attribute name="title" attributeType="String"/></entity>
    <entity name="Note" parentEntity="Base">
    <attribute name="size" attributeType="Integer 32"/>
    <attribute name="place" attributeType="Composite" composite="Place"/>
    <attribute name="thing" attributeType="Transformable"/>
    <relationship name="tags" toMany="YES" destinationEntity="Tag" inverseName="note" inverseEntity="Tag"/>
    <attribute name="made" attributeType="String" derived="YES" derivationExpression="\(expression)"/></entity>
    <entity name="Tag"><attribute name="name" attributeType="String"/>
    <relationship name="note" maxCount="1" destinationEntity="Note" inverseName="tags" inverseEntity="Note"/></entity>
    <composite name="Place"><attribute name="town" attributeType="String"/></composite>
    """
  }

  @Test(
    "A model compiles if all keys of its derivations exist",
    arguments: [
      "canonical:(title)", "uppercase:(title)", "now()", "size", "title", "tags.@count", "tags.@max.name",
      "tags.@sum.note.size", "count:(tags)", "place.town", "thing.whatever", "self.size",
      "size * 2 + tags.@count",
      "SUBQUERY(tags, $t, $t.nonsense == 1).@count",
    ]
  )
  func soundDerivation(_ expression: String) throws {
    let found = try findings(Self.note(expression.replacingOccurrences(of: "\"", with: "&quot;")))
    #expect(found.refusal == nil)
    #expect(found.warnings == [])
  }

  @Test(
    "A model with a misspelled key in a derivation is refused with the line and the existing names",
    arguments: [
      (
        "canonical:(titel)",
        "entity Note has no property titel; correct the name, or add it; there are: made, place, size, tags, thing, title"
      ),
      (
        "tags.@sum.sise",
        "entity Tag has no property sise; correct the name, or add it; there are: name, note"
      ),
      ("tags.note.sizes", "entity Note has no property sizes"),
      ("place.city", "composite Place has no property city; correct the name, or add it; there are: town"),
      (
        "size.width",
        "attribute size of entity Note is a value and has no key width; end the key path before it"
      ),
      ("place.town.name", "attribute town of composite Place is a value and has no key name"),
      ("tags.@cuont", "The key path \"tags.@cuont\" has the unknown operator @cuont, expected one of @count"),
      ("cannonical:(title)", "There is no function named cannonical:"),
      ("size + seize", "entity Note has no property seize"),
      ("TERNARY(size > 1, titles, title)", "entity Note has no property titles"),
    ]
  )
  func derivation(_ expression: String, _ problem: String) throws {
    let refusal =
      try findings(Self.note(expression.replacingOccurrences(of: ">", with: "&gt;"))).refusal ?? ""
    let place = ":9: entity Note, attribute made, derivationExpression: \"\(expression)\": "
    #expect(refusal.hasPrefix(Self.file + place + problem), "\(refusal)")
  }

  @Test(
    "A model with an inverse in an entity that the relationship does not lead to is refused",
    arguments: ["Other", "Nowhere"]
  )
  func inverseEntity(_ name: String) throws {
    let refusal = try findings(
      """
      <entity name="Note"><relationship name="tags" toMany="YES" destinationEntity="Tag" inverseName="note"
        inverseEntity="\(name)"/></entity>
      <entity name="Tag"><relationship name="note" maxCount="1" destinationEntity="Note" inverseName="tags"/></entity>
      <entity name="Other"/>
      """
    ).refusal
    #expect(
      refusal == """
        \(Self.file):4: entity Note, relationship tags, inverseEntity: the relationship leads to Tag, and its inverse \
        cannot be in \(name); write Tag
        """
    )
  }

  @Test("A model compiles if an inverse is in a parent or a child of the destination")
  func inheritedInverse() throws {
    let found = try findings(
      """
      <entity name="Note"><relationship name="tags" toMany="YES" destinationEntity="Tag" inverseName="note"
        inverseEntity="Mark"/></entity>
      <entity name="Mark"><relationship name="note" maxCount="1" destinationEntity="Note" inverseName="tags"
        inverseEntity="Note"/></entity>
      <entity name="Tag" parentEntity="Mark"/>
      """
    )
    #expect(found.refusal == nil)
  }

  @Test(
    "A model with a meaningless element is refused with its line",
    arguments: [
      (
        "<entty name=\"Note\"/>",
        ":3: the element <entty> in <model> is unknown; correct its name or remove it"
      ),
      (
        "<entity name=\"Note\">\n<atribute name=\"title\"/></entity>",
        ":4: entity Note: the element <atribute> in <entity> is unknown"
      ),
      (
        "<entity name=\"Note\"><userInfo>\n<entri key=\"a\"/></userInfo></entity>",
        ":4: entity Note: the element <entri> in <userInfo> is unknown"
      ),
    ]
  )
  func unknownElement(_ lines: String, _ message: String) throws {
    let refusal = try findings(lines).refusal ?? ""
    #expect(refusal.hasPrefix(Self.file + message), "\(refusal)")
    // A file without an editor version was written by hand.
    #expect(try findings(lines, editor: "").refusal == refusal)
  }

  @Test(
    "A model with an element of a newer Xcode compiles, with a warning",
    arguments: ["24903", "31000.2"]
  )
  func newerEditor(_ build: String) throws {
    let found = try findings("<entity name=\"Note\"/>\n<theme name=\"dark\"/>", editor: build)
    #expect(found.refusal == nil)
    #expect(
      found.warnings == [
        """
        \(Self.file):4: the element <theme> in <model> is unknown; a newer Xcode has written it, and it is left out: \
        update Perennial
        """
      ]
    )
  }

  @Test("A model with a meaningless attribute compiles, with a warning at its line")
  func unknownAttribute() throws {
    let found = try findings("<entity name=\"Note\" abstrakt=\"YES\"/>")
    #expect(found.refusal == nil)
    #expect(found.warnings.count == 1)
    #expect(
      found.warnings.first?.hasPrefix(
        "\(Self.file):3: entity Note: the attribute abstrakt of <entity> is unknown; correct its name or remove it"
      ) == true,
      "\(found.warnings)"
    )
  }

  @Test(
    "A default value of another type is left out, with a warning at its line",
    arguments: [
      ("Integer 64", "NO"), ("UUID", "empty"), ("Boolean", "maybe"), ("Integer 16", "70000"),
      ("Decimal", "12abc"), ("Double", ""),
    ]
  )
  func mistypedDefault(_ type: String, _ text: String) throws {
    let attribute = "<attribute name=\"v\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
    let lines = "<entity name=\"Note\">\(attribute)</entity>\n<composite name=\"C\">\(attribute)</composite>"
    let found = try findings(lines)
    #expect(found.refusal == nil)
    let problem =
      "attribute v, defaultValueString: \"\(text)\" is not a value of the type \(type), so the attribute has no default value; correct the text or remove it"
    #expect(
      found.warnings == [
        "\(Self.file):3: entity Note, \(problem)", "\(Self.file):4: composite C, \(problem)",
      ]
    )
    let document = try ModelDocument(contents: Data("<model>\(lines)</model>".utf8))
    #expect(document.entities[0].attributes[0].defaultValue() == nil)
    let again = try ModelDocument(compiled: try document.compiled())
    #expect(again.entities[0].attributes[0].defaultValue() == nil)
    #expect(again.warnings().count == 1)
  }

  @Test("A model with entities whose names differ only in case causes a warning")
  func caseAlone() throws {
    let found = try findings(
      """
      <entity name="Note"/>
      <entity name="NOTE"/>
      <entity name="note" parentEntity="Note"/>
      """
    )
    #expect(found.refusal == nil)
    #expect(
      found.warnings == [
        "\(Self.file):4: entity NOTE, name: the name differs from that of the entity Note in case alone, and a SQLite store cannot hold both; rename one of them"
      ]
    )
  }

  @Test("A model with an index over a missing property is refused with the property's name")
  func indexes() throws {
    func refusal(_ index: String) throws -> String? {
      try findings(
        """
        <entity name="Base"><attribute name="title" attributeType="String"/></entity>
        <entity name="Note" parentEntity="Base"><attribute name="place" attributeType="Composite" composite="P"/>
        \(index)</entity>
        <composite name="P"><attribute name="town" attributeType="String"/></composite>
        """
      ).refusal
    }
    func fetchIndex(_ property: String) -> String {
      "<fetchIndex name=\"i\"><fetchIndexElement property=\"\(property)\" type=\"Binary\"/></fetchIndex>"
    }
    #expect(
      try refusal(fetchIndex("gone"))
        == "\(Self.file):5: entity Note, fetchIndex i, property: the entity has no property gone; correct the name, or add it; there are: place, title"
    )
    let compound = "<compoundIndexes><compoundIndex><index value=\"gone\"/></compoundIndex></compoundIndexes>"
    #expect(
      try refusal(compound)?.hasPrefix(
        "\(Self.file):5: entity Note, compoundIndex, value: the entity has no property gone;"
      ) == true
    )
    #expect(try refusal(fetchIndex("title")) == nil)
    #expect(try refusal(fetchIndex("place.town")) == nil)
  }

  @Test("No version is written if one of a model's versions is refused")
  func versions() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CompilationCheck-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var broken = ModelDocument()
    var entity = ModelDocument.Entity(name: "Note")
    var attribute = ModelDocument.Attribute(name: "key", type: .string)
    attribute.isDerived = true
    attribute.derivationExpression = "canonical:(titel)"
    entity.attributes = [attribute]
    broken.entities = [entity]
    let source = folder.appendingPathComponent("M.xcdatamodeld")
    let output = folder.appendingPathComponent("M.momd")
    try ModelPackage.write([("M", ModelDocument()), ("M 2", broken)], current: "M", to: source)
    let error = #expect(throws: ModelFileError.self) {
      try CompiledModelPackage.compile(source, to: output)
    }
    #expect(error?.file?.hasSuffix("M.xcdatamodeld/M 2.xcdatamodel/contents") == true)
    #expect(!FileManager.default.fileExists(atPath: output.path))
  }

  @Test("VersionInfo.plist names the current version if the source does, like Apple's")
  func currentVersion() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CurrentVersion-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("M.xcdatamodeld")
    let output = folder.appendingPathComponent("M.momd")
    try ModelPackage.write([("M", ModelDocument())], current: "M", to: source)
    func compile() throws -> CompiledModelPackage {
      try CompiledModelPackage.compile(source, to: output)
    }
    #expect(try compile().declaredCurrentVersion == "M")
    try FileManager.default.removeItem(at: source.appendingPathComponent(".xccurrentversion"))
    let package = try compile()
    #expect(package.declaredCurrentVersion == nil)
    #expect(try package.currentVersion().name == "M")
  }
}
