import SourcePorting
import Testing

@Suite("Selectors of sort descriptors")
struct SortSelectorTests {
  @Test(
    "#selector of a comparison becomes its name, which stores fetch by",
    arguments: [
      ("#selector(NSString.caseInsensitiveCompare(_:))", "caseInsensitiveCompare:"),
      ("#selector(NSString.localizedStandardCompare)", "localizedStandardCompare:"),
      ("#selector(NSNumber.compare(_:))", "compare:"),
    ]
  )
  func named(selector: String, name: String) {
    let front = "import CoreData\nlet a = NSSortDescriptor(key: \"a\", ascending: true, selector: "
    let file = port("\(front)\(selector))")
    #expect(file.text == "\(front)NSSelectorFromString(\"\(name)\"))")
    #expect(file.leftovers.isEmpty)
    #expect(port(file.text).leftovers.isEmpty)
  }

  @Test(
    "selectors of known messages in expression format become their names",
    arguments: [
      ("NSManagedObject.value(forKey:)", "valueForKey:"),
      ("getter: NSMigrationManager.sourceContext", "sourceContext"),
      (
        "NSMigrationManager.destinationInstances(forEntityMappingName:sourceInstances:)",
        "destinationInstancesForEntityMappingNamed:sourceInstances:"
      ),
    ]
  )
  func messages(method: String, name: String) {
    let file = port(
      "import CoreData\nlet a = NSExpression(format: \"FUNCTION($a, \\\"\\(#selector(\(method)))\\\", 1)\")"
    )
    #expect(
      file.text == "import CoreData\nlet a = NSExpression(format: \"FUNCTION($a, \\\"\(name)\\\", 1)\")"
    )
    #expect(file.leftovers.isEmpty)
    #expect(!port(file.text).isChanged)
  }

  @Test("other selectors in texts are listed")
  func otherMessages() {
    for selector in ["#selector(A.b(_:))", "#selector(getter: A.b)", "#selector(setter: NSManagedObject.b)"] {
      let code = "let a = \"\\(\(selector))\""
      #expect(port(code).text == code)
      #expect(leftovers(code).count == 1)
    }
  }

  @Test("selector names in texts are used unchanged")
  func texts() {
    for code in [
      "import CoreData\nlet a = NSSortDescriptor(key: nil, ascending: true, selector: Selector((\"compare:\")))",
      "import CoreData\nlet a = NSSortDescriptor.init(key: nil, ascending: true, selector: NSSelectorFromString(name))",
    ] {
      #expect(port(code).text == code)
      #expect(leftovers(code).isEmpty)
    }
  }

  @Test("another method is listed with the existing comparisons, and other selectors as usual")
  func others() {
    let own = leftovers(
      "import CoreData\nlet a = NSSortDescriptor(key: nil, ascending: true, selector: #selector(A.order(_:)))"
    )
    #expect(own.count == 1)
    #expect(own.first?.contains("localizedStandardCompare") == true)
    #expect(
      leftovers("let a = Timer(target: self, selector: #selector(A.f))").first?.contains("pass a closure")
        == true
    )
    #expect(leftovers("f(selector: Selector(\"a\"))").count == 1)
  }
}
