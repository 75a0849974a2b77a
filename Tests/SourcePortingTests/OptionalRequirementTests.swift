import SourcePorting
import Testing

@Suite("Optional requirements of protocols")
struct OptionalRequirementTests {
  @Test("optional requirements become requirements with an implementation, called without a question mark")
  func rewritten() {
    let text = """
      @objc public protocol ListDelegate: AnyObject {
        /// After a change.
        @objc optional func listDidChange(_ list: List, at index: Int)
        @objc(labelOf:)
        optional func label(of list: List) -> String?
        func list() -> List
      }
      final class List {
        weak var delegate: ListDelegate?
        func change() {
          delegate?.listDidChange?(self, at: 1)
        }
        var title: String? { delegate?.label?(of: self) ?? nil }
        func other() { delegate?.handler?(1) }
      }

      """
    let ported = port(text)
    #expect(
      ported.text == """
        #if canImport(ObjectiveC)
        @objc
        #endif
        public protocol ListDelegate: AnyObject {
          /// After a change.
          #if canImport(ObjectiveC)
          @objc optional func listDidChange(_ list: List, at index: Int)
          #else
          func listDidChange(_ list: List, at index: Int)
          #endif
          #if canImport(ObjectiveC)
          @objc(labelOf:)
          optional func label(of list: List) -> String?
          #else
          func label(of list: List) -> String?
          #endif
          func list() -> List
        }

        #if !canImport(ObjectiveC)
        extension ListDelegate {
          public func listDidChange(_ list: List, at index: Int) {}
          public func label(of list: List) -> String? { nil }
        }
        #endif
        final class List {
          weak var delegate: ListDelegate?
          func change() {
            #if canImport(ObjectiveC)
            delegate?.listDidChange?(self, at: 1)
            #else
            delegate?.listDidChange(self, at: 1)
            #endif
          }
          var title: String? {
          #if canImport(ObjectiveC)
          delegate?.label?(of: self) ?? nil
          #else
          delegate?.label(of: self) ?? nil
          #endif
          }
          func other() { delegate?.handler?(1) }
        }

        """
    )
    #expect(ported.leftovers.isEmpty)
    #expect(port(ported.text).text == ported.text)
  }

  @Test("calls in other files lose the question mark too, but not those of closures with the same name")
  func otherFiles() {
    let declaration = "@objc protocol A { @objc optional func f() }\n"
    #expect(port("func g(_ a: A) {\n  a.f?()\n}\n", with: declaration).text.contains("#else\n  a.f()\n"))
    let closure = "struct B {\n  var f: (() -> Void)?\n}\nfunc g(_ b: B) {\n  b.f?()\n}\n"
    #expect(port(closure, with: declaration).text == closure)
  }

  @Test(
    "optional properties and requirements that return a value are listed",
    arguments: ["func f() -> Int", "var f: Int { get }", "subscript(f: Int) -> String { get }"]
  )
  func listed(requirement: String) {
    let found = leftovers("@objc protocol A: AnyObject {\n  @objc optional \(requirement)\n}")
    #expect(found.count == 1)
    #expect(found[0].contains(": optional requirements need Objective-C; make it a requirement"))
    #expect(!port("@objc protocol A {\n  @objc optional \(requirement)\n}").text.contains("#else"))
  }
}
