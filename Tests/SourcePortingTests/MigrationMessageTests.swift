import SourcePorting
import Testing

@Suite("Methods that mapping models call")
struct MigrationMessageTests {
  @Test("methods that mapping models call are listed if the class does not answer messages, ported or not")
  func listed() {
    let text = """
      class Policy: NSEntityMigrationPolicy {
        @objc func title(_ name: String) -> String { name }
        @objc override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) {}
        func helper() {}
      }
      class Answering: Policy {
        @objc(titleFor:) func title(for name: String) -> String { name }
        override func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? { nil }
      }
      extension NSMigrationManager {
        @objc(requestNamed:) func request(named name: String) {}
      }
      class Other: NSObject { @objc func title() {} }
      """
    let ported = port(text)
    #expect(ported.leftovers.map(\.line) == [5, 23])
    #expect(ported.leftovers.allSatisfy { $0.reason.contains("override answer(_:_:)") })
    #expect(port(ported.text).leftovers == ported.leftovers)
  }
}
