import Foundation
import Testing

@testable import CoreData

@Suite("The time that a store waits")
struct StoreTimeoutTests {
  /// The timeout of a store, in seconds.
  private func wait(_ options: [AnyHashable: Any]) throws -> Double {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder, options: options)
    defer { try? store.close() }
    return try store.engine().connections.timeout
  }

  @Test("a store's timeout is that of its description, set or not")
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
    "a store's timeout is at most a day, and 0 for a negative number or NaN",
    arguments: [
      (0.25, 0.25), (0, 0), (-1, 0), (.nan, 0), (-.infinity, 0), (86_400, 86_400), (86_401, 86_400),
      (.infinity, 86_400), (1e300, 86_400),
    ] as [(Double, Double)]
  )
  func limits(_ option: Double, _ seconds: Double) {
    #expect(StoreTimeout.seconds(in: [NSPersistentStoreTimeoutOption: option]) == seconds)
    #expect(StoreTimeout.seconds(in: [NSPersistentStoreTimeoutOption: NSNumber(value: option)]) == seconds)
  }

  @Test("a store's timeout is the default if the option is not a number")
  func word() {
    #expect(StoreTimeout.seconds(in: [NSPersistentStoreTimeoutOption: "soon"]) == 60)
  }
}
