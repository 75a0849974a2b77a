import Foundation
import PropertyLists
import Testing

@testable import ModelFormats

@Suite("A mapping model that is compiled")
struct MappingCompilingTests {
  private static let sample = "coredataplus/Tests/Resources/SampleModel/"

  /// All mapping models that Xcode made, by path in the folder of fixtures.
  private static let paths = [
    sample + "MappingModels/V2toV3.xcmappingmodel",
    "derived-now/CoreDataModelMigrationBug/Model-v1-v2.xcmappingmodel",
    "progressive-migration/CoreDataMigration-Example/CoreData/Migration/Mappings/Migration2to3ModelMapping.xcmappingmodel",
    "moody/Migrations/Migrations/Moody 2-Moody 3.xcmappingmodel",
    "moody/Migrations/Migrations/Moody 3-Moody 4.xcmappingmodel",
    "moody/Migrations/Migrations/Moody 4-Moody 5.xcmappingmodel",
    "moody/Migrations/Migrations/Moody 5-Moody 6.xcmappingmodel",
  ]

  /// Makes a mapping model in the form of Xcode's file, in a folder that is removed after the closure.
  private static func withMapping<Result>(
    _ objects: String,
    _ body: (MappingPackage) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "Mapping-\(UUID()).xcmappingmodel"
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = "<?xml version=\"1.0\"?>\n<database>\n\(objects)\n</database>\n"
    try Data(text.utf8).write(to: folder.appendingPathComponent("xcmapping.xml"))
    return try body(try MappingPackage(contentsOf: folder))
  }

  private static func model(_ entities: String) throws -> ModelDocument {
    try ModelDocument(contents: Data("<model>\(entities)</model>".utf8))
  }

  private static let old = """
    <entity name="Note"><attribute name="title" attributeType="String"/>
    <relationship name="tags" toMany="YES" destinationEntity="Tag"/></entity>
    <entity name="Tag"/><entity name="Gone"/>
    """
  private static let new = """
    <entity name="Memo"><attribute name="title" attributeType="String"/><attribute name="rank" attributeType="Integer 16"/>
    <relationship name="tags" toMany="YES" destinationEntity="Tag"/></entity>
    <entity name="Tag"/><entity name="Added"/>
    """

  /// The objects of a mapping model. They begin at line 3 of the file.
  private static let notes = """
    <object type="XDDEVMAPPINGMODEL" id="z1"><relationship name="entitymappings" idrefs="z2 z3 z4 z5"/></object>
    <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Note</attribute><attribute name="mappingnumber">1</attribute>
    <attribute name="destinationname">Memo</attribute>
    <relationship name="attributemappings" idrefs="z6 z7"/><relationship name="relationshipmappings" idrefs="z8"/></object>
    <object type="XDDEVENTITYMAPPING" id="z3"><attribute name="sourcename">Tag</attribute><attribute name="mappingnumber">2</attribute>
    <attribute name="destinationname">Tag</attribute></object>
    <object type="XDDEVENTITYMAPPING" id="z4"><attribute name="destinationname">Added</attribute><attribute name="mappingnumber">3</attribute></object>
    <object type="XDDEVENTITYMAPPING" id="z5"><attribute name="sourcename">Gone</attribute><attribute name="mappingnumber">4</attribute></object>
    <object type="XDDEVATTRIBUTEMAPPING" id="z6"><attribute name="name">title</attribute></object>
    <object type="XDDEVATTRIBUTEMAPPING" id="z7"><attribute name="name">rank</attribute></object>
    <object type="XDDEVRELATIONSHIPMAPPING" id="z8"><attribute name="name">tags</attribute></object>
    """

  private static func document(_ objects: String) throws -> MappingDocument {
    try withMapping(objects) {
      try $0.document(from: try model(old), to: try model(new))
    }
  }

  @Test("A compiled mapping model has a type, a request and both entity hashes for each mapping")
  func mappings() throws {
    let document = try Self.document(Self.notes)
    #expect(document.entityMappings.map(\.name) == ["NoteToMemo", "TagToTag", "Added", "Gone"])
    #expect(document.entityMappings.map(\.type) == [5, 4, 2, 3])
    let note = document.entityMappings[0]
    #expect(
      note.sourceExpression == """
        FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Note", "TRUEPREDICATE"), \
        $manager.sourceContext, NO)
        """
    )
    #expect(note.attributes.map(\.valueExpression) == [nil, "$source.title"])
    #expect(
      note.relationships.map(\.valueExpression) == [
        #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "TagToTag", $source.tags)"#
      ]
    )
    #expect(note.sourceVersionHash != nil && note.destinationVersionHash != nil)
    #expect(document.entityMappings[2].sourceVersionHash == nil)
    #expect(document.entityMappings[2].sourceExpression == nil)
    #expect(document.entityMappings[3].destinationVersionHash == nil)
  }

  @Test("A mapping model is read back as it was written, and equal ones have the same bytes")
  func roundTrip() throws {
    var document = try Self.document(Self.notes)
    document.entityMappings[0].userInfo = ["b": "1", "a": "2"]
    document.entityMappings[0].attributes[0].userInfo = ["c": "3"]
    let data = try document.compiled()
    #expect(try MappingDocument(compiled: data) == document)
    #expect(try document.compiled() == data)
  }

  @Test(
    "A compiled mapping model equals Xcode's in every field",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)")
  )
  func sameAsXcode() throws {
    let package = try MappingPackage(contentsOf: ModelFixtures.url(Self.paths[0]))
    let models = ModelFixtures.packages.map(ModelFixtures.url)
    let data = try package.compiled { (_, path) throws(ModelFileError) in
      path.flatMap { MappingPackage.version(atProjectPath: $0, among: models) }
    }
    let apples = try Data(contentsOf: ModelFixtures.url(Self.sample + "Fixtures/V2toV3.cdm"))
    let (own, other) = try (fields(of: data), fields(of: apples))
    // The comparison leaves version hashes out. Other tests compare those with Apple's.
    #expect(own == other)
    #expect(own.count > 400)
  }

  /// All values in an archive, each on a line with its path. Mutable and immutable lists are equal, and dictionaries are in
  /// the order of their keys.
  private func fields(of data: Data) throws -> [String] {
    let archive = try KeyedArchive(data, file: nil)
    var lines: [String] = []
    func walk(_ uid: Int, _ path: String) throws {
      guard let instance = try archive.instance(uid) else {
        lines.append("\(path) = \(try archive.object(uid))")
        return
      }
      let name = instance.className.replacingOccurrences(of: "Mutable", with: "")
      if name == "NSArray" {
        lines.append("\(path): list")
        for (index, uid) in try instance.elements().enumerated() { try walk(uid, "\(path)[\(index)]") }
      } else if name == "NSDictionary" {
        lines.append("\(path): dictionary")
        for (key, uid) in try instance.entries() {
          lines.append("\(path).\(key) is \(try archive.instance(uid)?.string("NSMappingName") ?? "")")
        }
      } else {
        lines.append("\(path): \(name)")
        for key in instance.keys where key != "$class" && !key.hasSuffix("VersionHash") {
          let field = instance.field(key)
          if case .uid(let uid)? = field {
            try walk(uid, "\(path).\(key)")
          } else {
            lines.append("\(path).\(key) = \(String(describing: field))")
          }
        }
      }
    }
    try walk(archive.root, "")
    return lines
  }

  @Test(
    "An Apple-made mapping model finds its versions by their names in the project, and survives a round trip",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"),
    arguments: paths
  )
  func fixtures(_ path: String) throws {
    let package = try MappingPackage(contentsOf: ModelFixtures.url(path))
    let models = ModelFixtures.packages.map(ModelFixtures.url)
    for side in [MappingPackage.Side.source, .destination] {
      let version = try #require(package.modelPath(of: side))
      let found = try #require(MappingPackage.version(atProjectPath: version, among: models))
      #expect(found.path.hasSuffix(version.split(separator: "/").suffix(2).joined(separator: "/")))
    }
    let data = try package.compiled { (_, path) throws(ModelFileError) in
      path.flatMap { MappingPackage.version(atProjectPath: $0, among: models) }
    }
    let document = try MappingDocument(compiled: data)
    #expect(!document.entityMappings.isEmpty)
    #expect(try document.compiled() == data)
    #expect(
      document.entityMappings.allSatisfy { $0.destinationEntity == nil || $0.destinationVersionHash != nil }
    )
  }

  @Test(
    "A faulty mapping model is refused with the line, the mapping, the property and the remedy",
    arguments: [
      ("id=\"z6\"><attribute name=\"name\">title", "id=\"z6\"><attribute name=\"name\">titel", nil),
      (
        ">Tag</attribute><attribute name=\"mappingnumber\">2",
        ">Tog</attribute><attribute name=\"mappingnumber\">2",
        ":7: object z3, Tag: the model has no entity Tog; give the versions that the mapping model is for"
      ),
      (
        "<attribute name=\"name\">rank</attribute>",
        "<attribute name=\"name\">rank</attribute><attribute name=\"valueexpressiondata\">AAAA</attribute>",
        ":12: object z7, rank: its expression cannot be read (this is not an archive of an expression: "
      ),
      (
        "<attribute name=\"name\">rank</attribute>",
        "<attribute name=\"name\">rank</attribute><attribute name=\"valueexpressiondata\">A</attribute>",
        ":12: object z7, rank: valueexpressiondata is not data in Base64; restore the file"
      ),
      (
        "idrefs=\"z6 z7\"/><relationship name=\"relationshipmappings\" idrefs=\"z8\"/>",
        "idrefs=\"z6 z7 z8\"/>",
        ":13: mapping NoteToMemo, property tags: the entity Memo of the destination has no attribute of this name; take"
      ),
      (
        "<attribute name=\"name\">tags</attribute>",
        "<attribute name=\"name\">tags</attribute><attribute name=\"sourcemappingname\">TagToTog</attribute>"
          + "<attribute name=\"sourcekeypath\">$source.tags</attribute>",
        ":13: mapping NoteToMemo, property tags: the mapping model has no mapping named TagToTog; there are: Added, Gone,"
      ),
      (
        "<attribute name=\"name\">tags</attribute>",
        "<attribute name=\"name\">tags</attribute><attribute name=\"sourcemappingname\">TagToTag</attribute>"
          + "<attribute name=\"sourcekeypath\">$source.(tags</attribute>",
        ":13: mapping NoteToMemo, property tags: \"FUNCTION($manager"
      ),
      (
        "<attribute name=\"destinationname\">Memo</attribute>",
        "<attribute name=\"destinationname\">Tag</attribute>",
        ":11: mapping NoteToTag, property title: the entity Tag of the destination has no attribute of this name; take"
      ),
      (
        ">Gone</attribute>", ">Gone</attribute><attribute name=\"name\">Added</attribute>",
        ":10: object z5, Added: there is another mapping of the name Added; give each a name of its own"
      ),
      (
        "<attribute name=\"destinationname\">Memo</attribute>",
        "<attribute name=\"destinationname\">Memo</attribute><attribute name=\"sourcefetchpredicate\">a ==</attribute>",
        ":4: mapping NoteToMemo, source expression: the predicate of its objects cannot be read"
      ),
      ("XDDEVMAPPINGMODEL", "XDDEV", ":2: this is not a mapping model of Xcode's"),
      ("<object type=\"XDDEVMAPPINGMODEL\" id=\"z1\">", "<object", ":15: this is not well-formed XML"),
    ] as [(String, String, String?)]
  )
  func faults(_ part: String, _ replacement: String, _ message: String?) throws {
    try #require(Self.notes.contains(part))
    let text = Self.notes.replacingOccurrences(of: part, with: replacement)
    do {
      let document = try Self.document(text)
      _ = try document.compiled()
      #expect(message == nil)
    } catch let error as ModelFileError {
      let description = error.description
      let start = try #require(description.range(of: "xcmapping.xml"))
      #expect(description[start.upperBound...].hasPrefix(message ?? "no error"), "\(description)")
    }
  }

  @Test("Compilation leaves out a mapping without a source and a destination, with a warning")
  func emptyMapping() throws {
    let text = Self.notes.replacing("<attribute name=\"sourcename\">Gone</attribute>", with: "")
    #expect(try Self.document(text).entityMappings.map(\.name) == ["NoteToMemo", "TagToTag", "Added"])
    let warnings = try Self.withMapping(text) { $0.warnings.map(\.description) }
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasSuffix(
        "xcmapping.xml:10: object z5: the mapping has neither a source nor a destination and is left out; remove it in Xcode"
      ) == true,
      "\(warnings)"
    )
    #expect(try Self.withMapping(Self.notes) { $0.warnings } == [])
  }

  @Test(
    "An Apple-made mapping model finds its versions in nearby folders, also after folders were renamed",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"),
    arguments: ModelFixtures.mappings
  )
  func versionsAround(_ path: String) throws {
    let url = ModelFixtures.url(path)
    let package = try MappingPackage(contentsOf: url)
    let data = try package.compiled { (_, path) throws(ModelFileError) in
      path.flatMap { MappingPackage.version(atProjectPath: $0, around: url) }
    }
    #expect(try !MappingDocument(compiled: data).entityMappings.isEmpty)
    #expect(package.warnings == [])
  }

  @Test("A mapping model finds its versions by path, by the end of the path, and by name nearby")
  func versionSearch() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Versions-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mapping = folder.appendingPathComponent("App/Mappings/A.xcmappingmodel")
    func make(_ path: String) throws -> String {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      return url.path
    }
    func found() -> String? {
      MappingPackage.version(atProjectPath: "Old/M.xcdatamodeld/M 2.xcdatamodel", around: mapping)?.path
    }
    #expect(found() == nil)
    let byVersion = try make("App/New/N.xcdatamodeld/M 2.xcdatamodel")
    #expect(found() == byVersion)
    // Two packages have a version of this name, and neither has the path that the mapping model names.
    _ = try make("App/New/O.xcdatamodeld/M 2.xcdatamodel")
    #expect(found() == nil)
    let byPackage = try make("App/New/M.xcdatamodeld/M 2.xcdatamodel")
    #expect(found() == byPackage)
    let byEnd = try make("M.xcdatamodeld/M 2.xcdatamodel")
    #expect(found() == byEnd)
    let byPath = try make("App/Old/M.xcdatamodeld/M 2.xcdatamodel")
    #expect(found() == byPath)
    #expect(
      MappingPackage.version(atProjectPath: "/Old/M.xcdatamodeld/M 2.xcdatamodel", around: mapping) == nil
    )
  }

  @Test("A mapping model whose versions are missing is refused with the remedy")
  func missingModels() throws {
    let error = #expect(throws: ModelFileError.self) {
      try Self.withMapping(Self.notes) {
        try $0.compiled { (_, _) throws(ModelFileError) in nil }
      }
    }
    #expect(error?.line == 3)
    #expect(
      error?.problem.contains("the source model is not named, and is not in the package; add that version")
        == true
    )
  }

  @Test("A mapping model that is missing or has no file in it is refused")
  func missing() throws {
    let nowhere = #expect(throws: ModelFileError.self) {
      try MappingPackage(contentsOf: URL(fileURLWithPath: "/nowhere/A.xcmappingmodel"))
    }
    #expect(nowhere?.description == "/nowhere/A.xcmappingmodel: there is no such file")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "Empty-\(UUID()).xcmappingmodel"
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let empty = #expect(throws: ModelFileError.self) { try MappingPackage(contentsOf: folder) }
    #expect(empty?.problem.contains("no xcmapping.xml in it") == true)
  }

  @Test("A mapping model with an unsupported expression is refused with an alternative")
  func unknownExpression() throws {
    var document = try Self.document(Self.notes)
    document.entityMappings[0].attributes[0].valueExpression =
      "SUBQUERY($source.tags, $t, $t.name == 1).@count"
    let error = #expect(throws: ModelFileError.self) { try document.compiled(file: "A") }
    #expect(
      error?.description.hasPrefix("A:12: mapping NoteToMemo, property rank: the expression SUBQUERY") == true
    )
    #expect(error?.problem.contains("a migration policy") == true)
  }

  @Test("A mapping model with any damage is refused or read, and never crashes", arguments: 0..<6)
  func damaged(_ seed: Int) throws {
    let bytes = Array(Self.notes.utf8)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      var changed = bytes
      for _ in 0...seed { changed[.random(in: 0..<bytes.count, using: &generator)] = .random(in: 32..<127) }
      _ = try? Self.document(String(decoding: changed, as: UTF8.self)).compiled()
    }
  }
}
