import Foundation
import Testing

@testable import CoreData

@Suite("The time that a store waits")
struct StoreTimeoutTests {
  /// What a store waits, in seconds.
  private func wait(_ options: [AnyHashable: Any]) throws -> Double {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder, options: options)
    defer { try? store.close() }
    return try store.engine().connections.timeout
  }

  @Test("is what its description says, set or not")
  func description() throws {
    let description = NSPersistentStoreDescription()
    #expect(description.timeout == 60)
    #expect(description.options[NSPersistentStoreTimeoutOption] == nil)
    #expect(try wait(description.options) == 60)
    #expect(try wait([:]) == 60)
    description.timeout = 240
    #expect(description.timeout == 240)
    #expect(try wait(description.options) == 240)
  }

  @Test(
    "is a day at most, and nothing for what is negative or no number",
    arguments: [
      (0.25, 0.25), (0, 0), (-1, 0), (.nan, 0), (-.infinity, 0), (86_400, 86_400), (86_401, 86_400),
      (.infinity, 86_400), (1e300, 86_400),
    ] as [(Double, Double)]
  )
  func limits(_ option: Double, _ seconds: Double) {
    #expect(StoreTimeout.seconds(in: [NSPersistentStoreTimeoutOption: option]) == seconds)
    #expect(StoreTimeout.seconds(in: [NSPersistentStoreTimeoutOption: NSNumber(value: option)]) == seconds)
  }

  @Test("is the usual one for an option that is no number at all")
  func word() {
    #expect(StoreTimeout.seconds(in: [NSPersistentStoreTimeoutOption: "soon"]) == 60)
  }
}
