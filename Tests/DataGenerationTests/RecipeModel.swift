import CoreData
import Foundation
import TestModels

/// Recipes with steps, an author and tags, as classes for typed key paths.
enum RecipeModel {
  static let shared = model()

  static func model(_ configure: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let recipe = makeEntity(
      "Recipe",
      Recipe.self,
      [
        makeAttribute("title", optional: false),
        makeAttribute("summary"),
        makeAttribute("isVegan", .booleanAttributeType, optional: false, default: false),
        makeAttribute("minutes", .integer16AttributeType, optional: false, default: 0),
        makeAttribute("price", .decimalAttributeType),
        makeAttribute("rating", .doubleAttributeType, optional: false, default: 0),
        makeAttribute("startsAt", .dateAttributeType),
        makeAttribute("endsAt", .dateAttributeType),
        makeAttribute("photo", .binaryDataAttributeType),
        makeAttribute("token", .UUIDAttributeType),
        makeAttribute("page", .URIAttributeType),
      ]
    )
    let step = makeEntity(
      "Step",
      Step.self,
      [makeAttribute("text", optional: false), makeAttribute("position", .integer16AttributeType)]
    )
    let customer = makeEntity(
      "Customer",
      Customer.self,
      [
        makeAttribute("firstName", optional: false), makeAttribute("lastName", optional: false),
        makeAttribute("email", optional: false),
      ]
    )
    customer.uniquenessConstraints = [["email"]]
    relate(recipe, "steps", isToMany: true, isOrdered: true, step, "recipe", isToMany: false)
    relate(recipe, "author", isToMany: false, customer, "recipes", isToMany: true)
    step.relationshipsByName["recipe"]?.isOptional = false
    return makeModel([recipe, step, customer], configure)
  }
}

final class Recipe: NSManagedObject {
  var title: String {
    get { managedValue("title") }
    set { setManagedValue(newValue, "title") }
  }
  var isVegan: Bool {
    get { managedValue("isVegan") }
    set { setManagedValue(newValue, "isVegan") }
  }
  var minutes: Int16 {
    get { managedValue("minutes") }
    set { setManagedValue(newValue, "minutes") }
  }
  var rating: Double {
    get { managedValue("rating") }
    set { setManagedValue(newValue, "rating") }
  }
  var price: NSDecimalNumber? {
    get { value(forKey: "price") as? NSDecimalNumber }
    set { setValue(newValue, forKey: "price") }
  }
  var startsAt: Date? {
    get { managedValue("startsAt") }
    set { setManagedValue(newValue, "startsAt") }
  }
  var endsAt: Date? {
    get { managedValue("endsAt") }
    set { setManagedValue(newValue, "endsAt") }
  }
  var author: Customer? {
    get { managedValue("author") }
    set { setManagedValue(newValue, "author") }
  }
  var steps: NSOrderedSet? {
    get { value(forKey: "steps") as? NSOrderedSet }
    set { setValue(newValue, forKey: "steps") }
  }
}

final class Step: NSManagedObject {
  var text: String {
    get { managedValue("text") }
    set { setManagedValue(newValue, "text") }
  }
  var recipe: Recipe? {
    get { managedValue("recipe") }
    set { setManagedValue(newValue, "recipe") }
  }
}

final class Customer: NSManagedObject {
  var firstName: String {
    get { managedValue("firstName") }
    set { setManagedValue(newValue, "firstName") }
  }
  var lastName: String {
    get { managedValue("lastName") }
    set { setManagedValue(newValue, "lastName") }
  }
  var email: String {
    get { managedValue("email") }
    set { setManagedValue(newValue, "email") }
  }
  var recipes: Set<Recipe> {
    get { managedValue("recipes") }
    set { setManagedValue(newValue, "recipes") }
  }
}
