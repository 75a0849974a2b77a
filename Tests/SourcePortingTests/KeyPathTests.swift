import SourcePorting
import Testing

@Suite("#keyPath")
struct KeyPathTests {
  static let classes = """
    class Note: NSManagedObject {
      @NSManaged var title: String?
      @NSManaged var category: Category?
      @NSManaged var tags: Set<Tag>?
      @NSManaged var links: NSSet?
      @objc(isRead) @NSManaged var read: Bool
    }
    class Memo: Note {}
    class Category: NSManagedObject { @NSManaged var name: String }
    class Tag: NSManagedObject { @NSManaged var name: String }
    """

  @Test(
    "a key path becomes its text, with a Swift key path for each name",
    arguments: [
      ("#keyPath(Note.title)", "(\"title\", \\Note.title).0"),
      ("#keyPath(Note.category.name)", "(\"category.name\", \\Note.category, \\Category.name).0"),
      ("#keyPath(Memo.category.name)", "(\"category.name\", \\Memo.category, \\Category.name).0"),
      ("#keyPath(Note.tags.name)", "(\"tags.name\", \\Note.tags, \\Tag.name).0"),
      ("#keyPath(Kit.Note.title)", "(\"title\", \\Kit.Note.title).0"),
      ("#keyPath(Note.read)", "(\"isRead\", \\Note.read).0"),
      ("#keyPath(Note.`default`)", "(\"default\", \\Note.`default`).0"),
      ("\"\\(#keyPath(Note.title)) == 1\"", "\"\\((\"title\", \\Note.title).0) == 1\""),
    ]
  )
  func paths(written: String, expected: String) {
    let file = port("let a = \(written)", with: Self.classes)
    #expect(file.text == "let a = \(expected)")
    #expect(file.leftovers.isEmpty)
  }

  @Test("a path without a type begins with the type around it")
  func enclosing() {
    let text = "extension Outer.Note {\n  static let key = #keyPath(title)\n}"
    #expect(port(text).text.contains("= (\"title\", \\Outer.Note.title).0"))
  }

  @Test("a path that leads to a class of unknown properties is checked up to there, and listed")
  func unknown() {
    let file = port("let a = #keyPath(Note.links.name)", with: Self.classes)
    #expect(file.text == "let a = (\"links.name\", \\Note.links).0")
    #expect(
      file.leftovers.map(\.reason) == [
        """
        the key path is checked up to links only: the class of its values is not in these sources; add the rest if it \
        is a Swift class
        """
      ]
    )
  }

  @Test("a path that begins nowhere is listed")
  func nowhere() {
    #expect(port("let a = #keyPath(title)").text == "let a = #keyPath(title)")
    #expect(leftovers("let a = #keyPath(title)").map { $0.prefix(5) } == ["1:9: "])
  }

  @Test("selectors and key-value observing are listed")
  func selectors() {
    let found = leftovers(
      """
      let a = #selector(A.f)
      let b = object.observe(\\.title) { _, _ in }
      center.addObserver(self, forKeyPath: "a", options: [], context: nil)
      center.addObserver(forName: nil, object: nil, queue: nil) { _ in }
      var token: NSKeyValueObservation?
      """
    )
    #expect(found.map { String($0.prefix(5)) } == ["1:9: ", "2:16:", "3:8: ", "5:12:"])
  }
}
