import Testing

@testable import ModelCompiler

@Suite("Members that key-value coding finds by name")
struct KeyedMembersTests {
  /// The generated lines about members of the class `Note`.
  private func lines(_ members: String, before heading: String = "") throws -> [String] {
    try Self.lines(of: Compilation("\(heading) class Note: NSManagedObject {\n\(members)\n}"))
  }

  private static func lines(of compilation: Compilation) throws -> [String] {
    try allLines(of: compilation).filter { line in
      !["list.addClass(", "list.addName("].contains { line.hasPrefix($0) }
    }
  }

  private static func allLines(of compilation: Compilation) throws -> [String] {
    #expect(compilation.errors.isEmpty)
    return compilation.text.split(separator: "\n").filter {
      $0.hasPrefix("    list.") || $0.hasPrefix("    unsafe list.") || $0.hasPrefix("#if !")
    }
    .map { $0.trimmingPrefix { $0 == " " } }.map(String.init).filter { $0 != "#if !canImport(ObjectiveC)" }
  }

  /// The generated lines about classes and key paths.
  private static func facts(_ source: String, dependencies: [String: [String: String]] = [:]) throws
    -> [String]
  {
    try allLines(of: Compilation(source, dependencies: dependencies)).filter { line in
      ["list.addClass(", "list.addName("].contains { line.hasPrefix($0) }
    }
  }

  @Test("key paths of otherwise unnamed properties get names, including those that begin at a subclass")
  func names() throws {
    #expect(
      try Self.facts(
        """
        class Note: NSManagedObject {
          @NSManaged var title: String?
          @NSManaged var primitiveTitle: String?
          @NSManaged private var rank: Int32
          @Wrapped var state: Int
          var draft = 1, word = "a"
          private let secret = 1
          var initial: String { "a" }
        }
        extension Note { @NSManaged var size: Int64 }
        @MainActor extension Note { @NSManaged var place: Int64 }
        class Memo: Note { override var title: String? { get { nil } set {} } }
        private class Hidden: Note {}
        """
      ) == [
        #"list.addName("title", of: \Note.title)"#, #"list.addName("draft", of: \Note.draft)"#,
        #"list.addName("word", of: \Note.word)"#, #"list.addName("size", of: \Note.size)"#,
        "list.addClass(Note.self, checksValues: false) { Note(entity: $0, insertInto: $1) }",
        "list.addClass(Memo.self, checksValues: false) { Memo(entity: $0, insertInto: $1) }",
        #"list.addName("draft", of: \Memo.draft)"#, #"list.addName("word", of: \Memo.word)"#,
        #"list.addName("initial", of: \Memo.initial)"#, #"list.addName("size", of: \Memo.size)"#,
      ]
    )
  }

  @Test("a class that overrides validation is listed as validating")
  func checkedValues() throws {
    let method =
      "func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {}"
    #expect(
      try Self.facts(
        """
        class Note: NSManagedObject { override \(method) }
        class Memo: Note {}
        class Line: NSManagedObject {
          #if DEBUG
            override \(method)
          #endif
        }
        """
      ).map { $0.prefix { $0 != ")" } } == [
        "list.addClass(Note.self, checksValues: true", "list.addClass(Memo.self, checksValues: false",
        "list.addClass(Line.self, checksValues: true",
      ]
    )
  }

  @Test("a class whose initialisers may inspect their arguments is created without the list")
  func initializers() throws {
    let facts = try Self.facts(
      """
      import Kit
      class Own: NSManagedObject {
        override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
          super.init(entity: entity, insertInto: context)
        }
      }
      class Below: Own {}
      class Convenient: NSManagedObject { convenience init(title: String) { self.init() } }
      @Macro class Unknown: NSManagedObject {}
      class Expanded: NSManagedObject { #members() }
      class FromKit: Base {}
      class FromOther: Initialised {}
      """,
      dependencies: [
        "Kit": [
          "Kit.swift": """
          import CoreData
          open class Base: NSManagedObject {}
          open class Initialised: NSManagedObject { public init(title: String) {} }
          """
        ]
      ]
    )
    #expect(
      facts == [
        "list.addClass(Own.self, checksValues: false)", "list.addClass(Below.self, checksValues: false)",
        "list.addClass(Convenient.self, checksValues: false) { Convenient(entity: $0, insertInto: $1) }",
        "list.addClass(Unknown.self, checksValues: true)", "list.addClass(Expanded.self, checksValues: true)",
        "list.addClass(FromKit.self, checksValues: false) { FromKit(entity: $0, insertInto: $1) }",
        "list.addClass(FromOther.self, checksValues: false)",
      ]
    )
  }

  @Test("members that may belong to an actor have no key paths in the list")
  func isolated() throws {
    let facts = try Self.facts(
      """
      @MainActor class Shown: NSManagedObject { @NSManaged var one: String? }
      extension Shown { @NSManaged var two: String? }
      class Below: Shown { @NSManaged var three: String? }
      """
    )
    #expect(
      facts == [
        "list.addClass(Shown.self, checksValues: true)", "list.addClass(Below.self, checksValues: false)",
      ]
    )
  }

  @Test(
    "a computed property that no attribute shows is left out where an actor may isolate its class, and validation stays"
  )
  func isolatedComputedProperties() throws {
    let lines = try Self.lines(
      of: Compilation(
        """
        @MainActor class Shown: NSManagedObject {
          @NSManaged var count: Int32
          var isEmpty: Bool { count == 0 }
          #if canImport(ObjectiveC)
            @objc
          #endif
          var isFull: Bool { count > 9 }
          func validateCount(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        }
        class Below: Shown { var isLow: Bool { count < 3 } }
        """
      )
    )
    #expect(
      lines == [
        #"list.addScalar("count", of: Shown.self)"#, #"list.add("isFull", reading: \Shown.isFull)"#,
        #"unsafe list.addValidation("Count") { (object: Shown) in unsafe object.validateCount }"#,
      ]
    )
  }

  @Test("a deprecated class is named by a list that is deprecated itself")
  func deprecatedClass() throws {
    let compilation = try Compilation([
      "Old.swift": "import CoreData\n@available(*, deprecated) class Old: NSManagedObject {}"
    ])
    #expect(compilation.errors.isEmpty)
    #expect(compilation.text.contains("  @available(*, deprecated)\n  override class func declare("))
  }

  @Test("generated classes are listed with the properties of their entities")
  func generatedClasses() throws {
    let model = """
      <model><entity name="Tag" representedClassName=".Tag" codeGenerationType="class">\
      <attribute name="name" attributeType="String"/>\
      <relationship name="notes" toMany="YES" destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/></entity>\
      <entity name="Mark" representedClassName=".Mark" parentEntity="Tag" codeGenerationType="class"/></model>
      """
    let compilation = try Compilation(["Other.swift": "import CoreData"], models: ["App": model])
    #expect(
      try Self.allLines(of: compilation) == [
        #"list.addName("name", of: \Tag.name)"#, #"list.addName("notes", of: \Tag.notes)"#,
        "list.addClass(Tag.self, checksValues: false) { Tag(entity: $0, insertInto: $1) }",
        "list.addClass(Mark.self, checksValues: false) { Mark(entity: $0, insertInto: $1) }",
        #"list.addName("name", of: \Mark.name)"#, #"list.addName("notes", of: \Mark.notes)"#,
      ]
    )
  }

  @Test("a computed property is found, and one visible to Objective-C precedes the model's")
  func computed() throws {
    #expect(
      try lines(
        """
        var initial: String { "a" }
        #if canImport(ObjectiveC)
          @objc
        #endif
        var title: String { get { "a" } set {} }
        #if canImport(ObjectiveC)
          @objc(name)
        #endif
        private(set) var label: String { get { "a" } set {} }
        """
      ) == [
        #"list.add("initial", reading: \Note.initial, isShown: false)"#,
        #"list.add("title", \Note.title)"#,
        #"list.add("name", reading: \Note.label)"#,
      ]
    )
  }

  @Test("stored properties are listed if they are visible to Objective-C")
  func stored() throws {
    let heading = "#if canImport(ObjectiveC)\n@objcMembers\n#endif\n"
    let members = """
      var count = 0
      let limit = 3
      var checked = false { didSet {} }
      """
    #expect(try lines(members).isEmpty)
    #expect(
      try lines(members, before: heading) == [
        #"list.add("count", \Note.count)"#, #"list.add("limit", reading: \Note.limit)"#,
        #"list.add("checked", \Note.checked)"#,
      ]
    )
  }

  @Test("@objc of a class shows none of its members, and that of an extension shows them")
  func objectiveCOfTypes() throws {
    let objectiveC = "#if canImport(ObjectiveC)\n@objc(Note)\n#endif\n"
    let members = "var count = 0\nvar title: String { get { \"a\" } set {} }\n@Wrapped var state: Int?"
    #expect(
      try lines(members, before: objectiveC) == [#"list.add("title", \Note.title, isShown: false)"#]
    )
    #expect(
      try Self.lines(
        of: Compilation(
          """
          class Note: NSManagedObject {}
          #if canImport(ObjectiveC)
          @objc
          #endif
          extension Note { var title: String { get { "a" } set {} } }
          """
        )
      ) == [#"list.add("title", \Note.title)"#]
    )
  }

  @Test("members that other files cannot see or read, hidden ones and those of unknown kinds are left out")
  func leftOut() throws {
    #expect(
      try lines(
        """
        private var one: Int { 1 }
        fileprivate var two: Int { 1 }
        static var three: Int { 1 }
        class var four: Int { 1 }
        var five: Int { get throws { 1 } }
        var six: Int { get async { 1 } }
        @nonobjc var seven: Int { 1 }
        @MainActor var eight: Int { 1 }
        @Wrapped var nine: Int
        @available(*, unavailable) var ten: Int { 1 }
        func eleven() -> Int { 1 }
        @NSManaged var twelve: String?
        """
      ).isEmpty
    )
    #expect(try Self.lines(of: Compilation("class Plain { var one: Int { 1 } }")).isEmpty)
    #expect(
      try Self.lines(of: Compilation("private class Note: NSManagedObject { var one: Int { 1 } }")).isEmpty
    )
    #expect(try Self.lines(of: Compilation("class Note<T>: NSManagedObject { var one: Int { 1 } }")).isEmpty)
    #expect(
      try Self.lines(of: Compilation("struct S { var one: Int { 1 } }\nextension Int { var two: Int { 1 } }"))
        .isEmpty
    )
  }

  @Test("an override of a property comes before the model's")
  func overrides() throws {
    #expect(
      try Self.lines(
        of: Compilation(
          """
          class Note: NSManagedObject { @NSManaged var title: String? }
          class Memo: Note { override var title: String? { get { "a" } set {} } }
          """
        )
      ) == [#"list.add("title", \Memo.title)"#]
    )
  }

  @Test("validation methods, dependencies of keys, and visible methods with a result are found")
  func methods() throws {
    #expect(
      try lines(
        """
        func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        func validateForInsert() throws {}
        class func keyPathsForValuesAffectingInitial() -> Set<String> { ["title"] }
        #if canImport(ObjectiveC)
          @objc
        #endif
        func fullName() -> String { "a" }
        #if canImport(ObjectiveC)
          @objc(validateISBN:error:)
        #endif
        func check(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        """
      ) == [
        #"unsafe list.addValidation("Title") { (object: Note) in unsafe object.validateTitle }"#,
        #"list.addKeyPaths("Initial", of: Note.self) { Note.keyPathsForValuesAffectingInitial() }"#,
        #"list.add("fullName", calling: { (object: Note) in object.fullName() })"#,
        #"unsafe list.addValidation("ISBN") { (object: Note) in unsafe object.check }"#,
      ]
    )
  }

  @Test("@NSManaged properties whose types have no nil are listed")
  func scalars() throws {
    #expect(
      try lines("@NSManaged var count: Int32\n@NSManaged var number: NSNumber?") == [
        #"list.addScalar("count", of: Note.self)"#
      ]
    )
  }

  @Test("extensions are read in files without @NSManaged, of generated classes and of other modules' too")
  func extensions() throws {
    let compilation = try Compilation(
      [
        "Note.swift": "import CoreData\nimport Kit\nclass Note: Base { @NSManaged var title: String? }",
        "Note+Text.swift": "extension Note { var initial: String { \"a\" } }",
        "Base+Text.swift": "import Kit\nextension Kit.Base { var note: String { \"a\" } }",
        "Other.swift":
          "extension String { var initial: String { \"a\" } }\nclass Leaf: Note { var leaf: Int { 1 } }",
      ],
      dependencies: ["Kit": ["Base.swift": "import CoreData\nopen class Base: NSManagedObject {}"]]
    )
    #expect(
      try Self.lines(of: compilation) == [
        #"list.add("note", reading: \Base.note, isShown: false)"#,
        #"list.add("initial", reading: \Note.initial, isShown: false)"#,
        #"list.add("leaf", reading: \Leaf.leaf, isShown: false)"#,
      ]
    )
  }

  @Test("conditions are repeated, and deprecated members cause no warning")
  func conditions() throws {
    let compilation = try Compilation(
      """
      class Note: NSManagedObject {
        #if DEBUG
          var one: Int { 1 }
        #endif
        @available(*, deprecated) var two: Int { 1 }
      }
      """
    )
    #expect(
      compilation.text.contains(
        """
          @available(*, deprecated)
          override class func declare(in list: CoreData.KeyedMemberList) {
        #if DEBUG
            list.add("one", reading: \\Note.one, isShown: false)
        #endif
            list.add("two", reading: \\Note.two, isShown: false)
            list.addClass(Note.self, checksValues: false) { Note(entity: $0, insertInto: $1) }
          }
        """
      )
    )
  }
}
