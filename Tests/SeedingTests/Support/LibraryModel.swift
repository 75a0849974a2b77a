import CoreData

extension TestModel {
  /// Author (`name`), Book (`title` and `author` by a header), Card (`suit` and `value` by a constraint), Shelf (`name`,
  /// with its books in order), Person with Employee and Customer, and Remark, which has no natural key.
  static func library(_ configure: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel
  {
    let author = entity("Author", attribute("name", .stringAttributeType, isOptional: false))
    let book = entity(
      "Book",
      attribute("title", .stringAttributeType),
      attribute("pageCount", .integer32AttributeType),
      attribute("publishedAt", .dateAttributeType)
    )
    let card = entity(
      "Card",
      attribute("suit", .stringAttributeType),
      attribute("value", .integer16AttributeType),
      attribute("note", .stringAttributeType)
    )
    card.uniquenessConstraints = [["suit", "value"]]
    let shelf = entity("Shelf", attribute("name", .stringAttributeType))
    let remark = entity("Remark", attribute("text", .stringAttributeType))
    let person = entity("Person", attribute("name", .stringAttributeType))
    person.isAbstract = true
    let employee = entity("Employee", attribute("salary", .integer32AttributeType))
    let customer = entity("Customer", attribute("number", .integer32AttributeType))
    person.subentities = [employee, customer]
    relate(book, "author", isToMany: false, author, "books", isToMany: true)
    relate(shelf, "books", isToMany: true, isOrdered: true, book, "shelf", isToMany: false)
    relate(shelf, "cards", isToMany: true, card, "shelf", isToMany: false)
    relate(remark, "book", isToMany: false, book, "remarks", isToMany: true)
    relate(remark, "answers", isToMany: true, remark, "question", isToMany: false)
    relate(book, "owner", isToMany: false, person, "books", isToMany: true)
    return model([author, book, card, shelf, remark, person, employee, customer], configure)
  }
}
