import Foundation
import SourcePorting
import Testing

@Suite("Initialisers that instances are made by")
struct InheritedInitializerTests {
  private static let object = """
      override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
      }
    """

  @Test("a class of objects with an initialiser of its own overrides Core Data's")
  func objects() {
    let source = """
      class Note: NSManagedObject {
        var text = ""
        init(text: String) {
          super.init(entity: Note.entity(), insertInto: nil)
        }
      }
      class Subnote: Note {
        init(number: Int) { super.init(text: "\\(number)") }
      }

      """
    let ported = port(source)
    #expect(ported.text.components(separatedBy: Self.object).count == 3)
    #expect(ported.text.contains("insertInto: nil)\n  }\n\n" + Self.object + "\n}\nclass Subnote"))
    #expect(ported.leftovers.isEmpty)
    #expect(!port(ported.text).isChanged)
  }

  @Test("so does a class of stores, as public as the class")
  func stores() {
    let ported = port("public class Store: NSAtomicStore {\n    init(_ value: Bool) { fatalError() }\n}\n")
      .text
    #expect(
      ported.contains(
        "\n    public override init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName"
      )
    )
    #expect(
      ported.contains("\n        super.init(persistentStoreCoordinator: root, configurationName: name,")
    )
    #expect(!port(ported).isChanged)
  }

  @Test(
    "a class that inherits the initialiser anyway, or is not a Core Data class, is not changed",
    arguments: [
      "class Note: NSManagedObject { convenience init(text: String) { self.init() } }",
      "class Note: NSManagedObject { override init(entity e: NSEntityDescription, insertInto c: NSManagedObjectContext?) {} ; init() {} }",
      "class Note: NSObject { init(text: String) {} }", "class Note: NSManagedObject { var a = 1 }",
    ]
  )
  func unchanged(source: String) {
    #expect(!port(source).isChanged)
  }

  @Test(
    "a class with a property that has no value yet is listed",
    arguments: [("let", "Int"), ("var", "[Int]")]
  )
  func propertyWithoutValue(word: String, type: String) {
    let source = """
      class Note: NSManagedObject {
        @NSManaged var title: String
        var size: Int { 1 }
        var maybe: Int?
        \(word) pages: \(type)
        init(pages: \(type)) { self.pages = pages }
      }
      """
    let ported = port(source)
    #expect(ported.text == source)
    #expect(ported.leftovers.map(\.line) == [6])
    #expect(ported.leftovers.first?.reason.contains("pages") == true)
  }

  @Test("initialisers of migration policies are required, and there is one in each class that has its own")
  func policies() {
    let overriding = "class A: NSEntityMigrationPolicy {\n  public override init() { super.init() }\n}"
    #expect(
      port(overriding).text == overriding.replacing("public override", with: "required public override")
    )
    let other = port("class B: NSEntityMigrationPolicy {\n  init(name: String) { super.init() }\n}").text
    #expect(other.contains("  required override init() {\n    super.init()\n  }"))
    #expect(port(other).text == other)
    let none = "class C: NSEntityMigrationPolicy {\n  var count = 0\n}"
    #expect(port(none).text == none)
  }
}
