import CoreData
import Foundation
import TestSupport

/// One of many threads that sell. It places orders against stock, orders a delivery when a product is sold out, and tries
/// another seat when another seller has taken one. It is used by one thread at a time.
final class Seller: @unchecked Sendable {
  /// The results so far.
  struct Figures {
    var orders: [String] = []
    var deliveries = 0
    var staleRows = 0
    var takenSeats = 0

    static func + (one: Figures, other: Figures) -> Figures {
      Figures(
        orders: one.orders + other.orders,
        deliveries: one.deliveries + other.deliveries,
        staleRows: one.staleRows + other.staleRows,
        takenSeats: one.takenSeats + other.takenSeats
      )
    }
  }

  /// The reason why an order failed that may succeed when it is tried again.
  private enum Refusal: Error {
    case soldOut
  }

  /// The range of the random seats, which begins at the number of orders that this thread has placed.
  private static let seatsAhead = 2_000

  private(set) var figures = Figures()
  private let store: SaleStore
  private let name: String
  private let isStopped: Flag
  private let context: NSManagedObjectContext
  private var random: SplitMix

  init(_ store: SaleStore, name: String, seed: UInt64, isStopped: Flag) {
    self.store = store
    self.name = name
    self.isStopped = isStopped
    context = store.newContext(author: name)
    random = SplitMix(seed: seed)
  }

  /// Sells until the flag is set.
  func sell() throws {
    while !isStopped.isSet {
      let order = NewOrder(
        number: "\(name)-\(figures.orders.count)",
        sku: SaleStore.sku(Int.random(in: 0..<SaleStore.productCount, using: &random)),
        quantity: Int.random(in: 1...3, using: &random)
      )
      // Two ways to place an order: a fetched object whose version is checked, and a statement inside a transaction.
      let way = Bool.random(using: &random) ? placeByObjects : placeByStatement
      if try place(order, by: way) { figures.orders.append(order.number) }
    }
  }

  private struct NewOrder {
    let number: String
    let sku: String
    let quantity: Int
  }

  /// - Returns: False if the flag was set before the order could be placed.
  private func place(_ order: NewOrder, by way: (NewOrder, Int) throws -> Void) throws -> Bool {
    while !isStopped.isSet {
      let seat = figures.orders.count + Int.random(in: 0..<Self.seatsAhead, using: &random)
      do {
        try way(order, seat)
        return true
      } catch Refusal.soldOut {
        try deliver(order.sku)
      } catch let error as NSError where error.code == NSManagedObjectMergeError {
        figures.staleRows += 1
      } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
        figures.takenSeats += 1
      }
    }
    return false
  }

  private func placeByObjects(_ order: NewOrder, seat: Int) throws {
    try inContext { context in
      let product = try Self.product(order.sku, in: context)
      let stock = product.value(forKey: "stock") as? Int ?? 0
      guard stock >= order.quantity else { throw Refusal.soldOut }
      product.setValue(stock - order.quantity, forKey: "stock")
      Self.insert(order, seat: seat, in: context)
      try context.save()
    }
  }

  private func placeByStatement(_ order: NewOrder, seat: Int) throws {
    try store.coordinator.performTransaction { [name] context in
      context.transactionAuthor = name
      let update = NSBatchUpdateRequest(entityName: "Product")
      update.predicate = NSPredicate(format: "sku == %@ AND stock >= %d", order.sku, order.quantity)
      update.propertiesToUpdate = ["stock": NSExpression(format: "stock - %d", order.quantity)]
      update.resultType = .updatedObjectsCountResultType
      let updated = try context.execute(update) as? NSBatchUpdateResult
      guard updated?.result as? Int == 1 else { throw Refusal.soldOut }
      Self.insert(order, seat: seat, in: context)
      try context.save()
    }
  }

  private static func insert(_ order: NewOrder, seat: Int, in context: NSManagedObjectContext) {
    let object = NSEntityDescription.insertNewObject(forEntityName: "Order", into: context)
    object.setValue(order.number, forKey: "number")
    object.setValue(order.sku, forKey: "sku")
    object.setValue(order.quantity, forKey: "quantity")
    let ticket = NSEntityDescription.insertNewObject(forEntityName: "Ticket", into: context)
    ticket.setValue(seat, forKey: "seat")
    ticket.setValue(order.number, forKey: "order")
  }

  /// Delivers a hundred more. After a conflict it does nothing, because another seller has changed the stock meanwhile.
  private func deliver(_ sku: String) throws {
    let number = "\(name)-\(figures.deliveries)"
    do {
      try inContext { context in
        let product = try Self.product(sku, in: context)
        product.setValue((product.value(forKey: "stock") as? Int ?? 0) + 100, forKey: "stock")
        let delivery = NSEntityDescription.insertNewObject(forEntityName: "Delivery", into: context)
        delivery.setValue(number, forKey: "number")
        delivery.setValue(sku, forKey: "sku")
        delivery.setValue(100, forKey: "quantity")
        try context.save()
      }
      figures.deliveries += 1
    } catch let error as NSError where error.code == NSManagedObjectMergeError {
      figures.staleRows += 1
    }
  }

  private static func product(_ sku: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
    request.predicate = NSPredicate(format: "sku == %@", sku)
    guard let product = try context.fetch(request).first else {
      throw SaleFailure("there is no product \(sku)")
    }
    return product
  }

  /// Runs work on the current state of the store, and then resets the context.
  private func inContext(_ work: @Sendable (NSManagedObjectContext) throws -> Void) throws {
    try context.performAndWait { [context] in
      defer { context.reset() }
      try work(context)
    }
  }
}
