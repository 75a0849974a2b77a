import CoreData
import DataGeneration
import Foundation
import TestModels
import Testing

extension Factory<Recipe> {
  fileprivate var vegan: Self { with(\.isVegan, true) }
}

@Suite("A factory for tests")
struct FactoryTests {
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext

  init() throws {
    coordinator = try Self.coordinator()
    context = Self.context(coordinator)
  }

  private static func coordinator(_ model: NSManagedObjectModel = RecipeModel.shared) throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    return coordinator
  }

  /// A context that only one thread at a time uses.
  private static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// The attribute values of objects, as text.
  private static func lines(_ objects: [NSManagedObject]) -> [String] {
    objects.map { object in
      object.entity.attributesByName.keys.sorted()
        .map { "\($0): \(object.value(forKey: $0).map { "\($0)" } ?? "-")" }.joined(separator: ", ")
    }
  }

  @Test("objects have values for all attributes, and can be saved")
  func values() throws {
    let recipes = try Factory<Recipe>().create(50, in: context)
    #expect(recipes.count == 50)
    for recipe in recipes {
      for name in recipe.entity.attributesByName.keys {
        #expect(recipe.value(forKey: name) != nil, "\(name)")
      }
      let price = (recipe.value(forKey: "price") as? NSDecimalNumber)?.doubleValue ?? 0
      #expect((1...500).contains(price))
    }
    #expect(Set(recipes.map(\.title)).count == 50)
    try context.save()
  }

  @Test("a Boolean attribute keeps its default value, and a state changes it")
  func states() throws {
    let recipes = Factory<Recipe>()
    let usual = try recipes.create(20, in: context)
    #expect(usual.allSatisfy { !$0.isVegan })
    let vegan = try recipes.vegan.create(3, in: context)
    #expect(vegan.map(\.isVegan) == [true, true, true])
    let quick = try recipes.vegan.with(\.minutes, 5).create(in: context)
    #expect(quick.isVegan && quick.minutes == 5)
  }

  @Test("a sequence counts objects from 1, over several calls")
  func sequence() throws {
    let recipes = Factory<Recipe>().with(\.title) { "Recipe \($0)" }
    let first = try recipes.create(2, in: context)
    let second = try recipes.vegan.create(1, in: context)
    #expect((first + second).map(\.title) == ["Recipe 1", "Recipe 2", "Recipe 3"])
  }

  @Test("numbers continue after those in the store")
  func numbers() throws {
    let recipes = Factory<Recipe>().with(\.title) { "Recipe \($0)" }
    try recipes.create(2, in: context)
    try context.save()
    let other = Self.context(coordinator)
    let third = try recipes.create(in: other)
    #expect(third.title == "Recipe 3")
  }

  @Test("numbers of a range are in it, and not all the same")
  func ranges() throws {
    let recipes = Factory<Recipe>().with(\.minutes, in: 5...20).with(\.rating, in: 1...5)
    let made = try recipes.create(100, in: context)
    #expect(made.allSatisfy { (5...20).contains($0.minutes) && (1...5).contains($0.rating) })
    #expect(Set(made.map(\.minutes)).count > 10 && Set(made.map(\.rating)).count > 50)
    let one = try Factory<Recipe>().with(\.minutes, in: 7...7).with(\.rating, in: 0.001...0.001).create(
      in: context
    )
    #expect(one.minutes == 7 && one.rating == 0.001)
  }

  @Test("prices of a range are in it, and have two decimal places")
  func prices() throws {
    let made = try Factory<Recipe>().with(\.price, in: 5...20).create(100, in: context)
    let prices = made.compactMap { $0.price?.decimalValue }
    #expect(prices.count == 100 && Set(prices).count > 50)
    for price in prices {
      let cents = price * 100
      #expect(
        price >= 5 && price <= 20 && "\(cents)" == "\(NSDecimalNumber(decimal: cents).intValue)",
        "\(price)"
      )
    }
    let exact = try #require(Decimal(string: "0.005"))
    let one = try Factory<Recipe>().with(\.price, in: exact...exact).create(in: context)
    #expect(one.price?.decimalValue == exact)
    try context.save()
  }

  @Test("related objects are made by their factories, to one and to many")
  func related() throws {
    let steps = Factory<Step>().with(\.text) { "Step \($0)" }
    let recipes = Factory<Recipe>().with(\.steps, 3, of: steps)
      .with(\.author, Factory<Customer>().with(\.firstName, "Ada"))
    let made = try recipes.create(2, in: context)
    let texts = made.map { ($0.steps?.array as? [Step])?.map(\.text) }
    #expect(texts == [["Step 1", "Step 2", "Step 3"], ["Step 4", "Step 5", "Step 6"]])
    #expect(made.map { $0.author?.firstName } == ["Ada", "Ada"])
    #expect(made[0].author != made[1].author)
    let customer = try Factory<Customer>().with(\.recipes, 4, of: Factory<Recipe>()).create(in: context)
    #expect(customer.recipes.count == 4 && customer.recipes.allSatisfy { $0.author == customer })
    try context.save()
  }

  @Test("objects that a relationship requires are made, once for both ends")
  func required() throws {
    let step = try Factory<Step>().create(in: context)
    #expect(step.recipe != nil && step.recipe?.steps?.count == 1)
    try context.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Recipe")
    #expect(try context.count(for: request) == 1)
  }

  @Test("existing objects are passed as the last change")
  func lastChange() throws {
    let recipe = try Factory<Recipe>().create(in: context)
    let steps = try Factory<Step>().create(2, in: context) { step, number in
      step.recipe = recipe
      step.text = "Stir \(number) times"
    }
    #expect(steps.map(\.text) == ["Stir 1 times", "Stir 2 times"])
    #expect(recipe.steps?.count == 2)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Recipe")
    #expect(try context.count(for: request) == 1)
  }

  @Test("the same calls make the same objects in another store, and another seed makes others")
  func determinism() throws {
    func made(_ seed: UInt64) throws -> [String] {
      let context = Self.context(try Self.coordinator())
      let customers = try Factory<Customer>(seed: seed).create(5, in: context)
      let recipes = try Factory<Recipe>(seed: seed).with(\.minutes, in: 1...90).create(5, in: context)
      return Self.lines(customers) + Self.lines(recipes)
    }
    let first = try made(1)
    let again = try made(1)
    let other = try made(2)
    #expect(first == again && first != other)
  }

  @Test("an e-mail address follows the name, made or given, and is another one for each object")
  func email() throws {
    let customers = try Factory<Customer>().create(300, in: context)
    for customer in customers {
      let name = "\(customer.firstName).\(customer.lastName)".lowercased()
      #expect(customer.email == "\(name)@example.com")
    }
    let given = try Factory<Customer>().with(\.firstName, "Zoë").with(\.lastName, "Ørsted").create(
      2,
      in: context
    )
    #expect(given.allSatisfy { $0.email.hasPrefix("zoe.orsted") && $0.email.hasSuffix("@example.com") })
    let own = try Factory<Customer>().with(\.email, "ada@example.org").create(in: context)
    #expect(own.email == "ada@example.org")
    #expect(Set((customers + given + [own]).map(\.email)).count == 303)
    try context.save()
  }

  @Test("a name without Latin letters has an address all the same")
  func foreignName() throws {
    let customers = Factory<Customer>().with(\.firstName, "Ада").with(\.lastName, "Лавлейс")
    let made = try customers.create(2, in: context)
    #expect(made.map(\.email) == ["person1@example.com", "person2@example.com"])
  }

  @Test("generated names fit the language; addresses use a to z", arguments: NameLanguage.allCases)
  func languages(_ language: NameLanguage) throws {
    let customers = try Factory<Customer>(language: language).create(500, in: context)
    #expect(Set(customers.map { "\($0.firstName) \($0.lastName)" }).count == 400)
    #expect(Set(customers.map(\.email)).count == 500)
    for customer in customers {
      #expect(customer.email.wholeMatch(of: /[a-z]+\.[a-z]+\d*@example\.com/) != nil, "\(customer.email)")
    }
    let others = try Factory<Customer>().create(400, in: context)
    #expect(Set((customers + others).map(\.email)).count == 900)
    try context.save()
  }

  @Test("factories with different seeds and languages make different values where they have to")
  func severalFactories() throws {
    var customers: [Customer] = []
    var recipes: [Recipe] = []
    for seed in UInt64(0)..<10 {
      customers += try Factory<Customer>(language: .english, seed: seed).create(60, in: context)
      customers += try Factory<Customer>(seed: seed).create(60, in: context)
    }
    for seed in UInt64(0)..<4 { recipes += try Factory<Recipe>(seed: seed).create(100, in: context) }
    #expect(Set(customers.map(\.email)).count == 1200 && Set(recipes.map(\.title)).count == 400)
    try context.save()
  }

  @Test("an end comes after a beginning, made or given")
  func dates() throws {
    for recipe in try Factory<Recipe>().create(200, in: context) {
      let start = try #require(recipe.startsAt)
      let end = try #require(recipe.endsAt)
      #expect(start < end)
    }
    let late = Date(timeIntervalSince1970: 4_000_000_000)
    let started = try Factory<Recipe>().with(\.startsAt, late).create(in: context)
    #expect(started.startsAt == late && started.endsAt.map { $0 > late } == true)
    let early = Date(timeIntervalSince1970: 0)
    let ended = try Factory<Recipe>().with(\.endsAt, early).create(in: context)
    #expect(ended.endsAt == early && ended.startsAt.map { $0 < early } == true)
    let both = try Factory<Recipe>().with(\.startsAt, late).with(\.endsAt, early).create(in: context)
    #expect(both.startsAt == late && both.endsAt == early)
  }

  @Test("an entity without a class is given by its name, and changed by key")
  func withoutClass() throws {
    let context = Self.context(try Self.coordinator(NoteModel.model()))
    let notes = Factory<NSManagedObject>("Note").with { note, number in
      note.setValue("Note \(number)", forKey: "title")
    }
    let made = try notes.create(2, in: context)
    #expect(made.map { $0.value(forKey: "title") as? String } == ["Note 1", "Note 2"])
    try context.save()
  }

  @Test("data that cannot be generated are one error with a remedy, and leave nothing in the context")
  func errors() throws {
    func error(_ work: () throws -> Void) -> String {
      do {
        try work()
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      error { try Factory<Recipe>("Recipy").create(in: context) }
        == "Recipy: the model has no such entity; name one of Customer, Recipe, Step"
    )
    #expect(
      error { try Factory<Recipe>("Step").create(in: context) }.contains("the factory makes those of Recipe")
    )
    #expect(
      error { try Factory<NSManagedObject>().create(in: context) }.contains(
        "no entity of the model has this class"
      )
    )
    let alone = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    #expect(error { try Factory<Recipe>().create(in: alone) }.contains("neither a coordinator nor a parent"))
    let invalid = Factory<Recipe>().with { recipe, _ in recipe.setValue(nil, forKey: "title") }
    #expect(error { try invalid.create(3, in: context) }.contains("title"))
    #expect(context.insertedObjects.isEmpty && !context.hasChanges)
  }

  @Test("objects that require each other without an end are an error")
  func endless() throws {
    let node = makeEntity("Node", makeAttribute("label"))
    let next = makeRelationship("next", to: node)
    next.isOptional = false
    node.properties.append(next)
    let context = Self.context(try Self.coordinator(makeModel([node])))
    let thrown = #expect(throws: GenerationError.self) {
      try Factory<NSManagedObject>("Node").create(in: context)
    }
    #expect(thrown?.place == "Node" && thrown?.problem.contains("require") == true)
    #expect(context.insertedObjects.isEmpty)
  }

  @Test("values that must be unique are, up to the number of possible values, which an error names")
  func exhausted() throws {
    let flag = makeEntity("Flag", makeAttribute("name", optional: false))
    flag.uniquenessConstraints = [["name"]]
    flag.attributesByName["name"]?.userInfo = [
      "generate.values": (1...12).map { "c\($0)" }.joined(separator: ",")
    ]
    let context = Self.context(try Self.coordinator(makeModel([flag])))
    let flags = Factory<NSManagedObject>("Flag")
    let made = try flags.create(10, in: context)
    #expect(Set(made.compactMap { $0.value(forKey: "name") as? String }).count == 10)
    let thrown = #expect(throws: GenerationError.self) { try flags.create(in: context) }
    #expect(thrown?.problem.contains("10 objects") == true)
  }
}
