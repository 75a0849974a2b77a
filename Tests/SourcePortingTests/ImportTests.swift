import SourcePorting
import Testing

@Suite("Imports and names")
struct ImportTests {
  @Test("imports of parts of Core Data become one import of the module")
  func parts() {
    #expect(port("import CoreData.NSManagedObject\n").text == "import CoreData\n")
    #expect(
      port("public import class CoreData.NSManagedObject // why\n").text == "public import CoreData // why\n"
    )
    #expect(
      port(
        "import class CoreData.NSManagedObject\nimport Foundation\nimport class CoreData.NSEntityDescription\n"
      ).text
        == "import CoreData\nimport Foundation\n"
    )
    #expect(
      port("import CoreData\nimport struct Foundation.Date\n").text
        == "import CoreData\nimport struct Foundation.Date\n"
    )
  }

  @Test("frameworks of Apple's platforms are listed with what to do, unless a condition is around them")
  func frameworks() {
    let found = leftovers(
      "import Foundation\nimport os.log\nimport Combine\n#if canImport(SwiftUI)\nimport SwiftUI\n#endif\n"
    )
    #expect(
      found == [
        "2:1: os.log is not there; use swift-log, or wrap the import and what needs it in #if canImport(os)",
        """
        3:1: Combine is not there; use @Observable of Observation, asynchronous sequences or OpenCombine, or wrap the \
        import and what needs it in #if canImport(Combine)
        """,
      ]
    )
  }

  @Test(
    "a file that uses a name of CoreData's here gets its import after the other imports",
    arguments: [
      "autoreleasepool { f() }", "let a = NSPredicate(format: \"a == 1\")", "var a: NSExpression",
      "class A: ValueTransformer {}", "let a = NSSortDescriptor(key: nil, ascending: true)",
    ]
  )
  func missing(code: String) {
    #expect(
      port("import Foundation // all\nimport Kit\n\n\(code)\n").text
        == "import Foundation // all\nimport Kit\nimport CoreData\n\n\(code)\n"
    )
    #expect(port("// A\n\(code)\n").text == "// A\nimport CoreData\n\(code)\n")
    #expect(port("import CoreData\n\(code)\n").text == "import CoreData\n\(code)\n")
  }

  @Test(
    "a file that has Core Data's names from another import, or from none, imports CoreData",
    arguments: [
      "extension NSManagedObjectContext {}", "let a: NSFetchRequest<Note>",
      "let a = NSPersistentContainer(name: b)",
      "f(.NSManagedObjectContextDidSave)", "let a = NSMergeByPropertyObjectTrumpMergePolicy",
    ]
  )
  func coreDataNames(code: String) {
    let ported = SourcePorter(sources: [(path: "A.swift", text: "import Foundation\n\n\(code)\n")]).port()[0]
    #expect(ported.text == "import Foundation\nimport CoreData\n\n\(code)\n")
    #expect(ported.rewrites.count == 1)
    let bare = SourcePorter(sources: [(path: "A.swift", text: "// A\n\(code)\n")]).port()[0]
    #expect(bare.text == "// A\nimport CoreData\n\(code)\n")
  }

  @Test(
    "names that only look like Core Data's need no import",
    arguments: [
      "let a: NSPersistentDocument", "class NSManagedObjectList {}",
      "extension Note { @NSManaged var title: String? }",
      "let a = \"NSManagedObject\"", "let a: NSAttributedString",
    ]
  )
  func otherNames(code: String) {
    let text = "import AppKit\n\(code)\n"
    #expect(SourcePorter(sources: [(path: "A.swift", text: text)]).port()[0].text == text)
  }

  @Test("a function autoreleasepool of the module's own needs no import")
  func ownFunction() {
    let own = "#if !canImport(ObjectiveC)\nfunc autoreleasepool<T>(_ body: () -> T) -> T { body() }\n#endif"
    #expect(port("autoreleasepool {}", with: own).text == "autoreleasepool {}")
  }

  @Test("Foundation's prefix is removed from names that are CoreData's here")
  func qualified() {
    let text =
      "import CoreData\nFoundation.ValueTransformer.valueTransformerNames()\nlet a: Foundation.NSExpression\nlet b: Foundation.Date\n"
    #expect(
      port(text).text
        == "import CoreData\nValueTransformer.valueTransformerNames()\nlet a: NSExpression\nlet b: Foundation.Date\n"
    )
  }

  @Test("names that Foundation does not have here are listed; members of the same name are not")
  func names() {
    let found = leftovers("let a = x / arc4random()\nlet b: Selector\nlet c = Kit.Selector()\n")
    #expect(found.map { String($0.prefix(5)) } == ["1:13:", "2:8: "])
    #expect(found[0].hasSuffix("use random(in:)"))
  }

  @Test("units of time are numbers of their type, unless the sources have constants of these names")
  func units() {
    let text = "let a = x / Double(NSEC_PER_SEC)\nlet b = Kit.NSEC_PER_SEC\n"
    let ported = port(text)
    #expect(ported.text == "let a = x / Double(UInt64(1_000_000_000))\nlet b = Kit.NSEC_PER_SEC\n")
    #expect(ported.leftovers.isEmpty)
    #expect(port(ported.text).text == ported.text)
    let own = "let x = 2 * NSEC_PER_SEC\nlet NSEC_PER_SEC: UInt64 = 1_000_000_000\n"
    #expect(port(own).text == own)
  }

  @Test("a file whose parsing takes too long is left as it is, and listed")
  func slow() throws {
    let text = "class A {\n" + String(repeating: "<a>", count: 60) + "\n}\n"
    let ported = SourcePorter(sources: [(path: "A.swift", text: text)], longestParse: .zero).port()
    #expect(ported.map(\.text) == [text])
    #expect(ported.first?.leftovers.first?.reason.contains("does not parse within") == true)
    #expect(ported.first?.rewrites.isEmpty == true)
  }

  @Test(
    "a file with brackets that the parser would exhaust the stack for is left as it is",
    arguments: ["(", "[", "{"]
  )
  func deep(_ bracket: String) {
    let text = "class A {\n  @" + String(repeating: bracket, count: 20_000) + "\n}\n"
    let ported = SourcePorter(sources: [(path: "A.swift", text: text)]).port()
    #expect(ported.map(\.text) == [text])
    #expect(ported.first?.leftovers.first?.reason.contains("nested") == true)
  }

  @Test("a file that does not parse is left unchanged, and listed with the position")
  func broken() {
    let text = "@objc class A {\n  func f( {}\n}\n"
    #expect(port(text).text == text)
    #expect(leftovers(text).count == 1)
    #expect(leftovers(text)[0].contains("2:"))
  }
}
