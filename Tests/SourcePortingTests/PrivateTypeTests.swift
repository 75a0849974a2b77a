import SourcePorting
import Testing

@Suite("Private types of managed properties")
struct PrivateTypeTests {
  private static let note =
    "private class Note: NSManagedObject {\n  @NSManaged var kind: Kind?\n  var place: Place?\n}\n"

  @Test("the module sees them", arguments: ["private", "fileprivate"])
  func opened(word: String) {
    let source = Self.note + "\(word) enum Kind: Int { case a }\n\(word) struct Place {}\n"
    #expect(port(source).text == Self.note + "enum Kind: Int { case a }\n\(word) struct Place {}\n")
    #expect(port(source, with: "let kinds = 1").leftovers.isEmpty)
  }

  @Test("an attribute for Objective-C in front of them goes into its condition")
  func attribute() {
    let ported = port(Self.note + "@objc private enum Kind: Int { case a }\n").text
    #expect(
      ported == Self.note + "#if canImport(ObjectiveC)\n@objc\n#endif\nenum Kind: Int { case a }\n"
    )
    #expect(!port(ported).isChanged)
  }

  @Test("a private type whose name other files have is listed, because it could have another meaning there")
  func mentioned() {
    let source = Self.note + "private enum Kind: Int { case a }\n"
    let ported = port(source, with: "import Kit\nlet kind: Kind? = nil\n")
    #expect(ported.text == source)
    #expect(ported.leftovers.map(\.line) == [5])
  }
}
