import SourcePorting
import Testing

@Suite("Attributes of Objective-C")
struct ObjectiveCAttributeTests {
  @Test("an attribute on its own line gets #if and #endif on lines of the same indentation")
  func ownLine() {
    let text = """
      /// A note.
      @objc(Note)
      public class Note: NSManagedObject {
        @objc
        // why
        public func read() {}
      }

      """
    let ported = """
      /// A note.
      #if canImport(ObjectiveC)
      @objc(Note)
      #endif
      public class Note: NSManagedObject {
        #if canImport(ObjectiveC)
        @objc
        #endif
        // why
        public func read() {}
      }

      """
    #expect(port(text).text == ported)
  }

  @Test("what stands on the attribute's line moves to lines of its own")
  func sharedLine() {
    #expect(
      port("class A {\n\t@discardableResult @objc   public func f() {}\n}").text == """
        class A {
        \t@discardableResult
        \t#if canImport(ObjectiveC)
        \t@objc
        \t#endif
        \tpublic func f() {}
        }
        """
    )
    #expect(
      port("class A { @objc func f() {} }").text == """
        class A {
        #if canImport(ObjectiveC)
        @objc
        #endif
        func f() {} }
        """
    )
  }

  @Test("adjacent attributes share one #if; a comment after them stays there")
  func groups() {
    #expect(
      port("@objc @objcMembers // both\n@MainActor class A {}").text == """
        #if canImport(ObjectiveC)
        @objc @objcMembers
        #endif // both
        @MainActor class A {}
        """
    )
  }

  @Test("lines that end as on Windows keep ending so")
  func windowsLines() {
    #expect(
      port("@objc\r\nclass A {}\r\n").text
        == "#if canImport(ObjectiveC)\r\n@objc\r\n#endif\r\nclass A {}\r\n"
    )
  }

  @Test("attributes in code for Apple's platforms, in text and in comments stay as they are")
  func untouched() {
    let text = """
      #if canImport(ObjectiveC)
      @objc
      #endif
      class A {
        // @objc
        let text = "@objc"
        #if os(Linux)
        func f() {}
        #else
        #if os(macOS) || os(iOS)
        @objc func f() {}
        #endif
        #endif
      }
      """
    #expect(port(text).text == text)
    #expect(port(text).leftovers.isEmpty)
  }

  @Test("an attribute under a condition of the user's own gets a condition inside")
  func ownCondition() {
    #expect(
      port("#if DEBUG\n@objc\nclass A {}\n#endif").text.contains(
        "#if DEBUG\n#if canImport(ObjectiveC)\n@objc\n#endif\n"
      )
    )
  }

  @Test("a member of an extension that subclasses override is listed")
  func overridable() {
    let text = """
      extension NSManagedObject {
        @objc open class var entityName: String { "" }
      }
      class A {
        @objc open func f() {}
      }
      """
    #expect(leftovers(text).map { $0.prefix(5) } == ["3:3: "])
  }

  @Test("an attribute of an accessor is listed")
  func accessors() {
    let text = "class A {\n  var a: Int {\n    @objc(getA) get { 1 }\n  }\n}"
    #expect(port(text).text == text)
    #expect(leftovers(text).map { $0.prefix(15) } == ["3:5: an accesso"])
  }

  @Test("attributes of user interfaces are listed")
  func interfaceBuilder() {
    let found = leftovers("class A {\n  @IBOutlet var a: B!\n  @IBAction func b(_ sender: Any) {}\n}")
    #expect(found.count == 2)
    #expect(found[0].hasPrefix("2:3: @IBOutlet is for user interfaces"))
    #expect(found[1].hasPrefix("3:3: @IBAction"))
  }

  @Test("a protocol stays one for classes")
  func protocols() {
    #expect(port("@objc\nprotocol A {}").text.hasSuffix("protocol A: AnyObject {}"))
    #expect(port("@objc\nprotocol A : B {}").text.hasSuffix("protocol A : AnyObject, B {}"))
    #expect(
      port("@objc\nprotocol A: NSObjectProtocol {}").text.hasSuffix("\nprotocol A: NSObjectProtocol {}")
    )
    #expect(port("protocol A {}").text == "protocol A {}")
  }
}
