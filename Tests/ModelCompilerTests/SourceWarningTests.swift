import Testing

@testable import ModelCompiler

@Suite("Warnings about sources that do not fit to the model")
struct SourceWarningTests {
  /// A model with notes and categories.
  private static func model(noteClass: String = "Note", categoryClass: String = "Category") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Base" isAbstract="YES"><attribute name="createdAt" attributeType="Date"/></entity>
      <entity name="Note" representedClassName="\(noteClass)" parentEntity="Base">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="seconds" attributeType="Date" usesScalarValueType="YES"/>
        <attribute name="rating" attributeType="Integer 16" usesScalarValueType="YES"/>
        <relationship name="category" maxCount="1" destinationEntity="Category" inverseName="notes" inverseEntity="Category"/>
      </entity>
      <entity name="Category" representedClassName="\(categoryClass)">
        <attribute name="name" attributeType="String"/>
        <relationship name="notes" toMany="YES" destinationEntity="Note" inverseName="category" inverseEntity="Note"/>
      </entity>
    </model>
    """
  }

  private static let category = "class Category: NSManagedObject { @NSManaged var name: String? }"

  private func warnings(_ source: String, _ model: String = Self.model()) throws -> [String] {
    let text = "import CoreData\nimport Foundation\n\(source)\n\(Self.category)"
    let compilation = try Compilation(["Note.swift": text], models: ["Notes": model])
    #expect(compilation.errors.isEmpty, "\(compilation.errors)")
    return compilation.warnings.filter { !$0.message.contains("inverse") }.map(\.description)
  }

  @Test("a property that the model lacks is warned of at its place, with the near miss or with all names")
  func missing() throws {
    let found = try warnings(
      "class Note: NSManagedObject {\n  @NSManaged var titel: String?\n}\nextension Note { @NSManaged var colour: String? }"
    )
    #expect(
      found == [
        "Note.swift:4:18: warning: the entity Note has no property 'titel'; correct the name to \"title\"",
        "Note.swift:6:33: warning: the entity Note has no property 'colour'; the properties of Note are: category, "
          + "createdAt, rating, seconds, title",
      ]
    )
  }

  @Test("a type of another kind is warned of, with the type to declare")
  func type() throws {
    let found = try warnings(
      """
      class Note: NSManagedObject {
        @NSManaged var title: Date?
        @NSManaged var rating: String?
        @NSManaged var createdAt: Date?
      }
      extension Category { @NSManaged var notes: String? }
      """
    )
    #expect(found.count == 3)
    #expect(
      found.first?.hasPrefix(
        "Note.swift:4:18: warning: 'title' has the type Date?, and the model has a string"
      ) == true
    )
    #expect(found.first?.contains("declare it as String?") == true)
    #expect(found.contains { $0.contains("'rating' has the type String?, and the model has a number") })
    #expect(
      found.contains { $0.contains("'notes' has the type String?, and the model has a to-many relationship") }
    )
  }

  @Test("matching properties, inherited ones, and types of the target cause no warning")
  func fitting() throws {
    let found = try warnings(
      """
      enum Title: String { case one }
      class Note: NSManagedObject {
        @NSManaged var title: String?
        @NSManaged var rating: Int16
        @NSManaged var seconds: TimeInterval
        @NSManaged var createdAt: Date?
        @NSManaged var category: Category?
      }
      extension Category { @NSManaged var notes: Set<Note> }
      class Other: NSManagedObject { @NSManaged var anything: String? }
      """
    )
    #expect(found.isEmpty, "\(found)")
  }

  @Test("a primitive accessor of a property of the model causes no warning, and a misspelt one does")
  func primitives() throws {
    let found = try warnings(
      """
      class Note: NSManagedObject {
        @NSManaged private var primitiveTitle: String?
        @NSManaged private var primitiveRating: NSNumber?
        @NSManaged private var primitiveTitel: String?
      }
      """
    )
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("Note.swift:6:26: warning: the entity Note has no property 'primitiveTitel'")
        == true
    )
  }

  @Test("a class that the model names and no source declares causes a warning with a similar name")
  func missingClass() throws {
    let found = try warnings("class Note: NSManagedObject {}", Self.model(categoryClass: "Categori"))
    let warning = try #require(found.first { $0.contains("Categori,") })
    #expect(warning.contains("contents:10: warning: entity Category has the class Categori"), "\(warning)")
    #expect(warning.contains("correct the class to \"Category\""), "\(warning)")
  }

  @Test("a misspelt class gets its near miss among the classes that are declared")
  func nearClass() throws {
    let found = try warnings(
      "class Note: NSManagedObject {}",
      Self.model(noteClass: "Notes", categoryClass: "Note")
    )
    #expect(
      found.contains { $0.contains("has the class Notes") && $0.contains("correct the class to \"Note\"") },
      "\(found)"
    )
  }

  #if !canImport(ObjectiveC)
    @Test("imports of SwiftUI and Combine name the command that ports them, unless they have a condition")
    func imports() throws {
      let found = try warnings(
        """
        import SwiftUI
        internal import Combine
        #if canImport(SwiftUI)
        import SwiftUI
        #endif
        class Note: NSManagedObject {}
        """
      )
      #expect(found.map { $0.prefix(25) } == ["Note.swift:3:1: warning: ", "Note.swift:4:10: warning:"])
      #expect(found.allSatisfy { $0.contains("run `perennial port Sources`") })
    }
  #endif
}
