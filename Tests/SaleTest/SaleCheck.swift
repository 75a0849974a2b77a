import CoreData
import Foundation

/// Compares the store after a sale with the acknowledged orders, and with the history that each process has read.
struct SaleCheck {
  let store: SaleStore
  let processes: Int
  let folder: URL

  func run() throws {
    let acknowledged = try (1...processes).flatMap { try lines("orders-\($0)") }
    let context = store.newContext(author: "check")
    try context.performAndWait {
      try checkOrders(acknowledged, in: context)
      try checkSeats(in: context)
      try checkStock(in: context)
    }
    try checkHistory()
    print("nothing was sold twice of \(acknowledged.count) orders, and nothing was lost")
  }

  private func lines(_ name: String) throws -> [String] {
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  /// Checks that the store has every acknowledged order once, and no other order.
  private func checkOrders(_ acknowledged: [String], in context: NSManagedObjectContext) throws {
    let numbers = try rows("Order", ["number"], in: context).compactMap { $0["number"] as? String }
    let (expected, found) = (acknowledged.sorted(), numbers.sorted())
    guard expected == found else {
      let (lost, foreign) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
      throw SaleFailure(
        "\(expected.count) orders were acknowledged and \(found.count) found; lost \(lost), not acknowledged \(foreign)"
      )
    }
  }

  /// Checks that each order has a seat, and that each seat has one order.
  private func checkSeats(in context: NSManagedObjectContext) throws {
    let tickets = try rows("Ticket", ["seat", "order"], in: context)
    let orders = try rows("Order", ["number"], in: context)
    let seats = Set(tickets.compactMap { $0["seat"] as? Int })
    guard seats.count == tickets.count else {
      throw SaleFailure("\(tickets.count) tickets are for \(seats.count) seats")
    }
    guard
      tickets.compactMap({ $0["order"] as? String }).sorted()
        == orders.compactMap({ $0["number"] as? String }).sorted()
    else { throw SaleFailure("the tickets are not those of the orders") }
  }

  /// Checks that the stock of each product is the first stock plus the deliveries minus the orders.
  private func checkStock(in context: NSManagedObjectContext) throws {
    var expected: [String: Int] = [:]
    for number in 0..<SaleStore.productCount { expected[SaleStore.sku(number)] = SaleStore.firstStock }
    for (entity, sign) in [("Delivery", 1), ("Order", -1)] {
      for row in try rows(entity, ["sku", "quantity"], in: context) {
        guard let sku = row["sku"] as? String, let quantity = row["quantity"] as? Int else { continue }
        expected[sku, default: 0] += sign * quantity
      }
    }
    for row in try rows("Product", ["sku", "stock"], in: context) {
      guard let sku = row["sku"] as? String, let stock = row["stock"] as? Int else { continue }
      guard stock == expected[sku], stock >= 0 else {
        throw SaleFailure("\(stock) of \(sku) are left, and \(expected[sku] ?? 0) should be")
      }
    }
  }

  /// Checks that all processes have read the same transactions in the same order and without a gap, and that reading the
  /// history now yields the same.
  private func checkHistory() throws {
    let reader = HistoryReader(store)
    guard try reader.readsClosing() else { throw SaleFailure("the history does not end with the closing") }
    let numbers = reader.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    guard let first = numbers.first, numbers == Array(first..<first + numbers.count) else {
      throw SaleFailure("the numbers of the transactions have gaps, or are not in order")
    }
    for process in 1...processes {
      let read = try lines("history-\(process)")
      guard read != reader.lines else { continue }
      let place = zip(read, reader.lines).prefix { $0 == $1 }.count
      throw SaleFailure(
        """
        process \(process) has read \(read.count) of \(reader.lines.count) transactions, and otherwise from \(place) on:
        \(read.dropFirst(place).prefix(3).joined(separator: "\n"))
        and not
        \(reader.lines.dropFirst(place).prefix(3).joined(separator: "\n"))
        """
      )
    }
    print("\(processes) processes have read the same \(numbers.count) transactions")
  }

  private func rows(
    _ entity: String,
    _ columns: [String],
    in context: NSManagedObjectContext
  ) throws -> [NSDictionary] {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = columns
    return try context.fetch(request)
  }
}
