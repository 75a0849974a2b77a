import Foundation
import SourcePorting
import Testing

@Suite("Overrides in extensions")
struct OverrideTests {
  @Test("overrides in extensions move into the class with their comments, and are ported")
  func moved() {
    let ported = port(
      """
      class Note: NSManagedObject {
        override func didSave() {}
      }
      class Tag: NSManagedObject {}

      public extension Note {
        func first() {}
        // Before a save.
        @objc override func willSave() {
          print(#keyPath(title))  // its title
        }

        override func didTurnIntoFault() {}  // behind
        func last() {}
      }
      extension Tag { override func awakeFromInsert() {} }
      """
    )
    #expect(
      ported.text == """
        class Note: NSManagedObject {
          override func didSave() {}

          // Before a save.
          #if canImport(ObjectiveC)
          @objc
          #endif
          public override func willSave() {
            print(("title", \\Note.title).0)  // its title
          }

          public override func didTurnIntoFault() {}  // behind
        }
        class Tag: NSManagedObject {

         override func awakeFromInsert() {} 
        }

        public extension Note {
          func first() {}
          func last() {}
        }
        extension Tag {}
        """
    )
    #expect(ported.leftovers.isEmpty)
    #expect(port(ported.text).text == ported.text)
  }

  @Test(
    "overrides are listed if the class is elsewhere or the extension has conditions; those of classes are not"
  )
  func listed() {
    let reason = "an override cannot be in an extension without Objective-C; move it into the class"
    let text = """
      class Outer { class Note: NSManagedObject {} }
      class Tag: NSManagedObject {}
      @available(macOS 14, *) extension Tag {
        override func didSave() {}
      }
      extension Tag {
        #if DEBUG
        override func willSave() {}
        #endif
      }
      extension Note {
        public override func willSave() {}
        final class Inner: Note {
          override func didSave() {}
        }
      }
      #if canImport(ObjectiveC)
      extension Note {
        override func awakeFromInsert() {}
      }
      #endif
      """
    #expect(
      leftovers(text) == [
        "4:3: \(reason)", "8:3: \(reason)", "12:10: \(reason)",
      ]
    )
    #expect(port(text).text == text)
  }

  /// The reason that is reported for an override in an extension of a class, with a model that has an entity Note.
  private func reason(extending name: String, representedClass: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appendingPathComponent("Notes.xcdatamodeld/Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let contents = """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Item" representedClassName="Item" isAbstract="YES" codeGenerationType="class"/>
        <entity name="Note" representedClassName="\(representedClass)" parentEntity="Item" codeGenerationType="class"/>
      </model>
      """
    try Data(contents.utf8).write(to: model.appendingPathComponent("contents"))
    let text = "import CoreData\nextension \(name) {\n  override func willSave() {}\n}\n"
    let porter = SourcePorter(sources: [("A.swift", text)], models: SourceTree.models(in: [folder.path]))
    let found = porter.port()[0].leftovers
    #expect(found.map(\.line) == [3])
    return found.first?.reason ?? ""
  }

  @Test("an override in an extension of a generated class names the remedy and the class to write")
  func generated() throws {
    let opening = "an override cannot be in an extension without Objective-C; "
    let choice = "choose \"Category/Extension\" as the code generation of its entity, and write"
    var found = try reason(extending: "Note", representedClass: "Note")
    #expect(
      found == opening + "the class Note is generated from its model: " + choice
        + " public class Note: Item (with @objc(Note) on Apple's platforms) with the override in it"
    )
    found = try reason(extending: "Note", representedClass: ".Note")
    #expect(found.hasSuffix("\(choice) public class Note: Item with the override in it"))
    found = try reason(extending: "Tag", representedClass: "Note")
    #expect(found.hasPrefix(opening + "move it into the class; if Tag is generated from a model, " + choice))
    found = try reason(extending: "NSManagedObject", representedClass: "Note")
    #expect(found == opening + "move it into the class")
  }
}
