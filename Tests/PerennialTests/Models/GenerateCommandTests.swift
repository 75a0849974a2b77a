import Foundation
import Testing

@Suite(
  "perennial generate",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct GenerateCommandTests {
  private func text(_ name: String, in program: Program) throws -> String {
    try String(contentsOf: program.folder.appendingPathComponent(name), encoding: .utf8)
  }

  private func model(_ entities: String) throws -> Program {
    let program = try Program()
    let folder = program.folder.appendingPathComponent("Model.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try program.write("<model>\(entities)</model>", to: "Model.xcdatamodel/contents")
    return program
  }

  @Test("perennial generate writes two files for each entity, which compile on both platforms")
  func notes() throws {
    let program = try Program()
    let outcome = try program.run("generate", "Notes.xcdatamodeld", "-o", "Model/Classes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 6)
    #expect(outcome.output.hasPrefix("Model/Classes/Category+CoreDataClass.swift: written\n"))
    #expect(
      try text("Model/Classes/Note+CoreDataClass.swift", in: program) == """
        //
        //  Note+CoreDataClass.swift
        //

        import CoreData
        import Foundation

        #if canImport(ObjectiveC)
        @objc(Note)
        #endif
        public class Note: NSManagedObject {

        }

        """
    )
    #expect(
      try text("Model/Classes/Note+CoreDataProperties.swift", in: program) == """
        //
        //  Note+CoreDataProperties.swift
        //
        //  Generated from the entity Note; what is changed here is lost when it is generated again.
        //

        import CoreData
        import Foundation

        extension Note {

            #if canImport(ObjectiveC)
            @nonobjc
            #endif
            public class func fetchRequest() -> NSFetchRequest<Note> {
                return NSFetchRequest<Note>(entityName: "Note")
            }

            @NSManaged public var contents: String?
            @NSManaged public var createdAt: Date?
            @NSManaged public var title: String?
            @NSManaged public var updatedAt: Date?
            @NSManaged public var category: Category?
            @NSManaged public var tags: NSSet?

        }

        // MARK: Generated accessors for tags
        extension Note {

            #if canImport(ObjectiveC)
            @objc(addTagsObject:)
            #endif
            @NSManaged public func addToTags(_ value: Tag)

            #if canImport(ObjectiveC)
            @objc(removeTagsObject:)
            #endif
            @NSManaged public func removeFromTags(_ value: Tag)

            #if canImport(ObjectiveC)
            @objc(addTags:)
            #endif
            @NSManaged public func addToTags(_ values: NSSet)

            #if canImport(ObjectiveC)
            @objc(removeTags:)
            #endif
            @NSManaged public func removeFromTags(_ values: NSSet)

        }

        extension Note: Identifiable {

        }

        """
    )
  }

  @Test("an existing class file stays, unless --force is given; property files are written again")
  func keeping() throws {
    let program = try Program()
    _ = try program.run("generate", "Notes.xcdatamodeld", "-o", "Classes")
    try program.write("// mine", to: "Classes/Note+CoreDataClass.swift")
    try program.write("// old", to: "Classes/Note+CoreDataProperties.swift")
    let again = try program.run("generate", "Notes.xcdatamodeld", "-o", "Classes", "--entity", "Note")
    #expect(
      again.output == """
        Classes/Note+CoreDataClass.swift: kept
        Classes/Note+CoreDataProperties.swift: written

        """
    )
    #expect(try text("Classes/Note+CoreDataClass.swift", in: program) == "// mine")
    #expect(
      try text("Classes/Note+CoreDataProperties.swift", in: program).contains("@NSManaged public var title")
    )
    _ = try program.run("generate", "Notes.xcdatamodeld", "-o", "Classes", "--force")
    #expect(
      try text("Classes/Note+CoreDataClass.swift", in: program).contains("public class Note: NSManagedObject")
    )
  }

  @Test("generated types are those that Xcode chooses, and classes inherit as in the model")
  func typesAndParents() throws {
    let program = try model(
      """
      <entity name="Base" representedClassName=".Item" isAbstract="YES">\
      <attribute name="count" attributeType="Integer 32" usesScalarValueType="YES"/>\
      <attribute name="rank" attributeType="Integer 16"/>\
      <attribute name="default" attributeType="Transformable" customClassName="Palette"/></entity>\
      <entity name="Leaf" representedClassName="Kit.Leaf" parentEntity="Base">\
      <relationship name="parts" toMany="YES" ordered="YES" destinationEntity="Plain"/></entity>\
      <entity name="Plain"/>
      """
    )
    let outcome = try program.run("generate", "Model.xcdatamodel", "-o", ".")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 4)
    let base = try text("Item+CoreDataProperties.swift", in: program)
    #expect(base.contains("    @NSManaged public var count: Int32\n"))
    #expect(base.contains("    @NSManaged public var rank: NSNumber?\n"))
    #expect(base.contains("    @NSManaged public var `default`: Palette?\n"))
    #expect(base.contains("NSFetchRequest<Item>(entityName: \"Base\")"))
    #expect(try text("Leaf+CoreDataClass.swift", in: program).contains("public class Leaf: Item {"))
    let leaf = try text("Leaf+CoreDataProperties.swift", in: program)
    #expect(leaf.contains("@objc(replacePartsAtIndexes:withParts:)"))
    #expect(leaf.contains("replaceParts(at indexes: NSIndexSet, with values: [NSManagedObject])"))
    #expect(!leaf.contains("Identifiable"))
    let other = try program.run("generate", "Model.xcdatamodel", "-o", "Other", "--module", "Own")
    #expect(other.output.contains("Item+CoreDataClass"))
    #expect(!other.output.contains("Leaf"))
  }

  @Test("entities whose code the build generates as well are named")
  func builtEntities() throws {
    let program = try model("<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\"/>")
    let outcome = try program.run("generate", "Model.xcdatamodel", "-o", "Classes")
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("the build generates code for the entity A as well"))
  }

  @Test(
    "a class that cannot be generated ends with one line of the reason, and nothing is written",
    arguments: [
      (
        "<entity name=\"A\" representedClassName=\"A\"/>", ["--entity", "B"],
        "there is no entity B; the model's entities are A"
      ),
      ("<entity name=\"A\"/>", [], "no entity has a class of its own"),
      (
        "<entity name=\"A\"/><entity name=\"B\" representedClassName=\"B\"/>", ["--entity", "A"],
        "the entity A has no class of its own"
      ),
      (
        "<entity name=\"A\" representedClassName=\"C\"/><entity name=\"B\" representedClassName=\"C\"/>", [],
        "the entities A and B have the same class C"
      ),
      ("<entity name=\"A\" representedClassName=\"../A\"/>", [], "is not a name in Swift"),
    ]
  )
  func failures(entities: String, arguments: [String], words: String) throws {
    let program = try model(entities)
    let outcome = try program.run(["generate", "Model.xcdatamodel", "-o", "Classes"] + arguments)
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("Model.xcdatamodel: ") && outcome.errors.contains(words),
      "\(outcome.errors)"
    )
    #expect(!program.exists("Classes"))
  }

  @Test("bad paths end with one line, wrong usage with 64")
  func paths() throws {
    let program = try Program()
    try program.write("", to: "file")
    for arguments in [
      ["None.xcdatamodeld", "-o", "A"], ["seed.json", "-o", "A"], ["Notes.xcdatamodeld", "-o", "file"],
    ] {
      let outcome = try program.run(["generate"] + arguments)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    }
    #expect(try program.run("generate", "Notes.xcdatamodeld").status == 64)
  }
}
