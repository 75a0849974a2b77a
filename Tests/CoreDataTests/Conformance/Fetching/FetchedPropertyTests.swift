import CoreData
import Foundation
import Testing

@Suite("A fetched property")
struct FetchedPropertyTests {
  private static let model: NSManagedObjectModel = {
    func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    let city = NSEntityDescription()
    city.name = "City"
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "City")
    request.predicate = NSPredicate(format: "country == $FETCH_SOURCE.country AND SELF != $FETCH_SOURCE")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let neighbours = NSFetchedPropertyDescription()
    neighbours.name = "neighbours"
    neighbours.fetchRequest = request
    city.properties = [
      attribute("name", .stringAttributeType), attribute("country", .stringAttributeType), neighbours,
    ]
    let model = NSManagedObjectModel()
    model.entities = [city]
    model.setFetchRequestTemplate(request, forName: "neighbours")
    let named = NSFetchRequest<any NSFetchRequestResult>(entityName: "City")
    named.predicate = NSPredicate(format: "name BEGINSWITH $start AND country IN $countries")
    model.setFetchRequestTemplate(named, forName: "named")
    return model
  }()

  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind, model: Self.model)
    for (name, country) in [("Rom", "I"), ("Bari", "I"), ("Oslo", "N"), ("Pisa", "I")] {
      let city = NSEntityDescription.insertNewObject(forEntityName: "City", into: stack.context)
      city.setValue(name, forKey: "name")
      city.setValue(country, forKey: "country")
    }
    try stack.save()
    return stack
  }

  private func names(_ objects: Any?) -> [String] {
    (objects as? [NSManagedObject] ?? []).compactMap { $0.value(forKey: "name") as? String }
  }

  @Test(
    "a fetched property uses the values of its object, and is cached until the object is refreshed",
    arguments: StoreKind.allCases
  )
  func fetchSource(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = NSFetchRequest<NSManagedObject>(entityName: "City")
    request.predicate = NSPredicate(format: "name == 'Bari'")
    let city = try #require(try stack.context.fetch(request).first)
    #expect(names(city.value(forKey: "neighbours")) == ["Pisa", "Rom"])
    let new = NSEntityDescription.insertNewObject(forEntityName: "City", into: stack.context)
    new.setValue("Alba", forKey: "name")
    new.setValue("I", forKey: "country")
    #expect(names(city.value(forKey: "neighbours")) == ["Pisa", "Rom"])
    stack.context.refresh(city, mergeChanges: false)
    #expect(names(city.value(forKey: "neighbours")) == ["Alba", "Pisa", "Rom"])
  }

  @Test("fetched properties and templates substitute variables", arguments: StoreKind.allCases)
  func templates(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = try #require(
      Self.model.fetchRequestFromTemplate(
        withName: "named",
        substitutionVariables: ["start": "P", "countries": ["I", "N"]]
      )
    )
    #expect(names(try stack.context.fetch(request)) == ["Pisa"])
  }

  @Test("a fetched property can refer to changed user info", arguments: StoreKind.allCases)
  func userInfo(_ kind: StoreKind) throws {
    let city = NSEntityDescription()
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = city
    request.predicate = NSPredicate(format: "name BEGINSWITH $FETCHED_PROPERTY.userInfo.start")
    let others = NSFetchedPropertyDescription()
    others.name = "others"
    others.fetchRequest = request
    others.userInfo?["start"] = "P"
    city.name = "City"
    city.properties = [name, others]
    let model = NSManagedObjectModel()
    model.entities = [city]
    let stack = try Stack(kind, model: model)
    let cities = ["Pisa", "Rom"].map { name in
      let city = NSEntityDescription.insertNewObject(forEntityName: "City", into: stack.context)
      city.setValue(name, forKey: "name")
      return city
    }
    try stack.save()
    #expect(names(cities[0].value(forKey: "others")) == ["Pisa"])
    others.userInfo?["start"] = "R"
    #expect(names(cities[0].value(forKey: "others")) == ["Rom"])
  }
}
