import CoreData

/// The model. It is read once, and two stores in one process share it.
enum OrderModel {
  static let shared: NSManagedObjectModel = {
    guard let url = Bundle.module.url(forResource: "Orders", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("the program was built without its model, Orders.xcdatamodeld") }
    return model
  }()
}
