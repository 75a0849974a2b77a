import CoreData

public class Author: NSManagedObject {
  public var titles: [String] {
    (books?.array as? [Book] ?? []).compactMap(\.title)
  }
}
