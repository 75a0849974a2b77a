import SourcePorting
import Testing

@Suite("Overrides in extensions")
struct OverrideTests {
  @Test("are listed, and those of classes are not")
  func listed() {
    let text = """
      class Note: NSManagedObject {
        override func didSave() {}
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
        "5:10: an override cannot be in an extension without Objective-C; move it into the class"
      ]
    )
    #expect(port(text).text == text)
  }
}
