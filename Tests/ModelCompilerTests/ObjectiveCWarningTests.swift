#if !canImport(ObjectiveC)
  import Testing

  @testable import ModelCompiler

  @Suite("Warnings about attributes that need Objective-C")
  struct ObjectiveCWarningTests {
    private static let model = GeneratedFileTests.model(
      #"<attribute name="title" optional="YES" attributeType="String"/>"#
    )

    /// The warnings about the class of an entity Note, whose source begins at line 1 of Note.swift.
    private func warnings(_ source: String) throws -> [String] {
      let compilation = try Compilation(
        ["Note.swift": source + "\nimport CoreData\n"],
        models: ["Notes": Self.model]
      )
      #expect(compilation.errors.isEmpty, "\(compilation.errors)")
      return compilation.warnings.map(\.description)
    }

    private static let one = """
      needs Objective-C and does not compile on this platform; run `perennial port Sources`, or write \
      #if canImport(ObjectiveC) around the attribute
      """

    @Test(
      "@objc on a class, on a dynamic property and on an extension, and @objcMembers are warned of at their place",
      arguments: [
        ("@objc(Note) public class Note: NSManagedObject {}", "1:1", "@objc(Note)"),
        ("@objcMembers class Note: NSManagedObject {}", "1:1", "@objcMembers"),
        ("class Note: NSManagedObject {\n  @objc dynamic var draft = false\n}", "2:3", "@objc"),
        ("class Note: NSManagedObject {}\n@objc extension Note {}", "2:1", "@objc"),
        (
          "class Note: NSManagedObject {\n  @NSManaged @objc(addTagsObject:) func addToTags(_ value: Note)\n}",
          "2:14",
          "@objc(addTagsObject:)"
        ),
        ("class Note: NSManagedObject {\n  func run() { @objc class Local {} }\n}", "2:16", "@objc"),
      ]
    )
    func alone(source: String, place: String, attribute: String) throws {
      #expect(try warnings(source) == ["Note.swift:\(place): warning: \(attribute) \(Self.one)"])
    }

    @Test("several attributes of a file cause one warning, which counts them")
    func several() throws {
      let two = try warnings("@objc(Note)\n@objcMembers\nclass Note: NSManagedObject {}")
      #expect(two.count == 1)
      #expect(
        two.first?.hasPrefix(
          "Note.swift:1:1: warning: @objc(Note) and another attribute of this file need Objective-C and do not compile"
        ) == true
      )
      let three = try warnings(
        "@objc(Note) class Note: NSManagedObject {\n  @objc var one: Int { 1 }\n  @objc var two: Int { 2 }\n}"
      )
      #expect(three.count == 1)
      #expect(
        three.first?.contains("@objc(Note) and 2 more attributes of this file need Objective-C") == true
      )
      #expect(three.first?.hasSuffix("#if canImport(ObjectiveC) around each attribute") == true)
    }

    @Test("an accessor's attribute gets the remedy that the porting command has for it")
    func accessor() throws {
      let found = try warnings(
        "class Note: NSManagedObject {\n  var isDone: Bool { @objc(done) get { true } }\n}"
      )
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("Note.swift:2:22: warning: @objc(done) needs Objective-C") == true)
      #expect(found.first?.contains("name the property with @objc, or write it twice") == true)
    }

    @Test(
      "an attribute that a condition excludes, or that the compiler accepts, causes no warning",
      arguments: [
        "#if canImport(ObjectiveC)\n@objc(Note)\n#endif\nclass Note: NSManagedObject {}",
        "#if os(macOS) || os(iOS)\n@objcMembers\n#endif\nclass Note: NSManagedObject {}",
        "#if APPLE\n@objc(Note)\n#endif\nclass Note: NSManagedObject {}",
        "#if canImport(UIKit)\n@objc(Note) class Note: NSManagedObject {}\n#else\nclass Note: NSManagedObject {}\n#endif",
        "class Note: NSManagedObject { @nonobjc func one() {}\n  @objc enum Kind: Int { case short } }",
        "// @objc(Note)\nclass Note: NSManagedObject { let text = \"@objc\" }",
      ]
    )
    func accepted(source: String) throws {
      #expect(try warnings(source).isEmpty)
    }

    @Test("the attribute of an #else branch that is compiled without Objective-C is warned of")
    func elseBranch() throws {
      let source = "#if canImport(ObjectiveC)\n#else\n@objc(Note)\n#endif\nclass Note: NSManagedObject {}"
      #expect(try warnings(source) == ["Note.swift:3:1: warning: @objc(Note) \(Self.one)"])
    }
  }
#endif
