import Testing

@testable import ModelCompiler

@Suite("Properties without generated accessors")
struct DiagnosticTests {
  @Test("a type that is declared nowhere is named at the property, with what to write instead")
  func unknownType() throws {
    let errors = try Compilation("class Note: NSManagedObject {\n  @NSManaged var colour: UIColor?\n}").errors
    #expect(
      errors.map(\.description) == [
        """
        Note.swift:3:18: error: the accessors of 'colour' cannot be generated: no type 'UIColor' is declared in the \
        sources of this target, of the targets that it depends on, or in Foundation; write instead: \
        var colour: UIColor? { get { value(forKey: "colour") as? UIColor } \
        set { setValue(newValue, forKey: "colour") } }
        """
      ]
    )
  }

  @Test("a type of a module without sources is an error that names the module")
  func opaqueModule() throws {
    let errors = try Compilation(
      "import CThings\nclass Note: NSManagedObject {\n  @NSManaged var thing: CThings.Thing\n}"
    ).errors
    #expect(errors.count == 1)
    #expect(errors[0].line == 4)
    #expect(errors[0].message.contains("the sources of module 'CThings' are not available"))
    #expect(errors[0].message.contains(#"get { value(forKey: "thing") as! CThings.Thing }"#))
  }

  @Test("function types are not supported as attribute types")
  func functionType() throws {
    let errors = try Compilation("class Note: NSManagedObject {\n  @NSManaged var f: (() -> Void)?\n}").errors
    #expect(errors.count == 1)
    #expect(
      errors[0].message.contains("'() -> Void' is not a type that an attribute or a relationship can have")
    )
  }

  @Test("generic classes, and classes in generic types, are refused at each property")
  func genericClass() throws {
    let errors = try Compilation(
      """
      class Note<Value>: NSManagedObject {
        @NSManaged var one: String?
        @NSManaged var two: String?
      }
      struct Box<Content> { class Inner: NSManagedObject { @NSManaged var three: Content } }
      """
    ).errors
    #expect(errors.map(\.line) == [3, 4, 6])
    #expect(errors.allSatisfy { $0.message.hasPrefix("@NSManaged cannot be used in the generic class") })
  }

  @Test("classes in functions and closures are refused")
  func localClass() throws {
    let errors = try Compilation(
      """
      func make() {
        class Note: NSManagedObject { @NSManaged var title: String? }
      }
      let block = { class Tag: NSManagedObject { @NSManaged var title: String? } }
      """
    ).errors
    #expect(errors.map(\.line) == [3, 5])
    #expect(errors.allSatisfy { $0.message.contains("move the class out of it") })
  }

  @Test("classes that do not descend from NSManagedObject are refused")
  func otherClass() throws {
    let errors = try Compilation(
      """
      class Base {}
      class Note: Base { @NSManaged var title: String? }
      """
    ).errors
    #expect(errors.map(\.message) == ["the class 'Note' does not inherit from NSManagedObject"])
  }

  @Test("a class that descends from one of a module without sources is taken for a managed object")
  func unknownBase() throws {
    #expect(try Compilation("class Note: Remote { @NSManaged var title: String? }").errors.isEmpty)
  }

  @Test("types that are private to a file are refused if they cannot be replaced")
  func privateTypes() throws {
    let errors = try Compilation(
      """
      private enum Kind: Int16 { case one }
      private class Tag: NSManagedObject {}
      private class Plain {}
      class Note: NSManagedObject {
        @NSManaged private var kind: Kind
        @NSManaged private var tags: Set<Tag>
        @NSManaged private var tag: Tag?
        @NSManaged private var plain: [Plain]
      }
      """
    ).errors
    #expect(errors.map(\.line) == [6, 9])
    #expect(
      errors.first?.message == """
        the accessors of 'kind' cannot be generated: 'Kind' is private to its file, and accessors are generated in \
        another; declare it without 'private'
        """
    )
  }

  @Test("methods that mean nothing to Core Data are refused")
  func unknownMethod() throws {
    let errors = try Compilation(
      "class Note: NSManagedObject {\n  @NSManaged func paint(_ value: Note)\n}"
    ).errors
    #expect(errors.count == 1)
    #expect(errors[0].message.contains("Core Data has no accessor 'func paint(_ value: Note)'"))
  }

  @Test("a type alias that goes round in circles is an error")
  func circularAlias() throws {
    let errors = try Compilation(
      """
      typealias One = Two
      typealias Two = One
      class Note: NSManagedObject { @NSManaged var one: One }
      """
    ).errors
    #expect(errors.count == 1)
  }

  @Test("code that conditional compilation excludes has no diagnostics")
  func excludedMembers() throws {
    let compilation = try Compilation(
      """
      #if canImport(UIKit)
        import UIKit
        class Picture: NSManagedObject { @NSManaged var image: UIImage? }
      #endif
      #if os(iOS) || targetEnvironment(simulator)
        class Phone: NSManagedObject { @NSManaged var image: UIImage? }
      #elseif !os(macOS)
        class Other: NSManagedObject { @NSManaged var image: String? }
      #endif
      """
    )
    #expect(compilation.errors.isEmpty)
    #expect(compilation.symbols == ["$s3App5OtherC5imageSSSgvg", "$s3App5OtherC5imageSSSgvs"])
  }

  @Test("an override in an extension of a generated class names the code generation and the class to write")
  func overrideOfGeneratedClass() throws {
    let sources = [
      "Note.swift": """
      import CoreData
      extension Note {
        var initial: String { "a" }
        public override func awakeFromInsert() {}
        #if canImport(ObjectiveC)
          override func didSave() {}
        #endif
      }
      class Tag: Note {
        override func willSave() {}
      }
      """
    ]
    let compilation = try Compilation(
      sources,
      models: [
        "Notes": GeneratedFileTests.model(
          "",
          entity: #"name="Note" representedClassName="Note" codeGenerationType="class""#
        )
      ]
    )
    #expect(
      compilation.errors.map(\.description) == [
        """
        Note.swift:4:10: error: an override cannot be in an extension without Objective-C, and the class Note is \
        generated for entity Note; choose "Category/Extension" as the code generation of its entity, and write \
        public class Note: NSManagedObject (with @objc(Note) on Apple's platforms) with the override in it
        """
      ]
    )
  }
}
