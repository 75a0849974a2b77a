import CoreData
import TestModels

extension TestModel {
  /// Author (`name`), Book (`title` and `author` by a header), Card (`suit` and `value` by a constraint), Shelf (`name`, with
  /// ordered books), Person with the subentities Employee and Customer, and Remark, which has no natural key.
  static func library(_ configure: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let author = makeEntity("Author", makeAttribute("name", .stringAttributeType, optional: false))
    let book = makeEntity(
      "Book",
      makeAttribute("title", .stringAttributeType),
      makeAttribute("pageCount", .integer32AttributeType),
      makeAttribute("publishedAt", .dateAttributeType)
    )
    let card = makeEntity(
      "Card",
      makeAttribute("suit", .stringAttributeType),
      makeAttribute("value", .integer16AttributeType),
      makeAttribute("note", .stringAttributeType)
    )
    card.uniquenessConstraints = [["suit", "value"]]
    let shelf = makeEntity("Shelf", makeAttribute("name", .stringAttributeType))
    let remark = makeEntity("Remark", makeAttribute("text", .stringAttributeType))
    let person = makeEntity("Person", makeAttribute("name", .stringAttributeType))
    person.isAbstract = true
    let employee = makeEntity("Employee", makeAttribute("salary", .integer32AttributeType))
    let customer = makeEntity("Customer", makeAttribute("number", .integer32AttributeType))
    person.subentities = [employee, customer]
    relate(book, "author", isToMany: false, author, "books", isToMany: true)
    relate(shelf, "books", isToMany: true, isOrdered: true, book, "shelf", isToMany: false)
    relate(shelf, "cards", isToMany: true, card, "shelf", isToMany: false)
    relate(remark, "book", isToMany: false, book, "remarks", isToMany: true)
    relate(remark, "answers", isToMany: true, remark, "question", isToMany: false)
    relate(book, "owner", isToMany: false, person, "books", isToMany: true)
    return makeModel([author, book, card, shelf, remark, person, employee, customer], configure)
  }
}
