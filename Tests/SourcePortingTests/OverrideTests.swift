import SourcePorting
import Testing

@Suite("Overrides in extensions")
struct OverrideTests {
  @Test("are moved into the class with their comments, and what is in them is ported")
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
    "are listed where the class is elsewhere or the extension has conditions, and those of classes are not"
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
}
