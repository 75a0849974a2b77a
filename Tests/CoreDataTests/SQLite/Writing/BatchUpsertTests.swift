import CoreData
import Foundation
import Testing

@Suite("A batch insertion under a uniqueness constraint")
struct BatchUpsertTests {
  private static let model: NSManagedObjectModel = {
    func attribute(_ name: String, _ type: NSAttributeType, default value: Any? = nil)
      -> NSAttributeDescription
    {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.defaultValue = value
      return attribute
    }
    let photo = attribute("photo", .binaryDataAttributeType)
    photo.allowsExternalBinaryDataStorage = true
    let user = NSEntityDescription()
    user.name = "User"
    user.properties = [
      attribute("login", .stringAttributeType), attribute("visits", .integer64AttributeType, default: 1),
      attribute("city", .stringAttributeType), photo,
    ]
    user.uniquenessConstraints = [["login"]]
    let model = NSManagedObjectModel()
    model.entities = [user]
    return model
  }()

  /// Inserts a user with 7 visits, and then another one with the same login. Returns the resulting values.
  private func insert(_ policy: NSMergePolicy, _ values: [String: Any]) throws -> ([String: Any], Int?) {
    let stack = try Stack(.sqlite, model: Self.model)
    let first = NSBatchInsertRequest(
      entityName: "User",
      objects: [["login": "a", "visits": 7, "city": "Rome"]]
    )
    try stack.context.execute(first)
    stack.context.mergePolicy = policy
    let second = NSBatchInsertRequest(entityName: "User", objects: [values, ["login": "b"]])
    second.resultType = .count
    let result = try stack.context.execute(second) as? NSBatchInsertResult
    let request = NSFetchRequest<NSManagedObject>(entityName: "User")
    request.sortDescriptors = [NSSortDescriptor(key: "login", ascending: true)]
    let users = try stack.newContext().fetch(request)
    #expect(users.map { $0.value(forKey: "login") as? String } == ["a", "b"])
    return (users[0].committedValues(forKeys: ["visits", "city"]), result?.result as? Int)
  }

  @Test("a conflicting batch insertion with the error policy names entity and value, and inserts nothing")
  func error() throws {
    let stack = try Stack(.sqlite, model: Self.model)
    let request = NSBatchInsertRequest(entityName: "User", objects: [["login": "a"], ["login": "a"]])
    let error = try #require(throws: (any Error).self) { try stack.context.execute(request) } as NSError
    #expect(error.code == NSManagedObjectConstraintMergeError)
    #expect(error.localizedDescription.contains("User with login = a"))
    #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "User")) == 0)
  }

  @Test("a conflicting batch insertion with object trump sets the given values, and keeps the others")
  func objectTrump() throws {
    let (values, count) = try insert(.mergeByPropertyObjectTrump, ["login": "a", "city": "Oslo"])
    #expect(values["visits"] as? Int == 7)
    #expect(values["city"] as? String == "Oslo")
    #expect(count == 2)
  }

  @Test("a conflicting batch insertion with overwrite sets all values")
  func overwrite() throws {
    let (values, count) = try insert(.overwrite, ["login": "a"])
    #expect(values["visits"] as? Int == 1)
    #expect(values["city"] is NSNull)
    #expect(count == 2)
  }

  @Test(
    "a conflicting batch insertion with store trump keeps the stored values",
    arguments: [NSMergePolicyType.rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType]
  )
  func storeTrump(_ type: NSMergePolicyType) throws {
    let (values, count) = try insert(NSMergePolicy(merge: type), ["login": "a", "city": "Oslo"])
    #expect(values["visits"] as? Int == 7)
    #expect(values["city"] as? String == "Rome")
    #expect(count == 1)
  }

  @Test("a conflicting batch insertion increments the version, and removes replaced data files")
  func versionsAndFiles() throws {
    let stack = try Stack(.sqlite, model: Self.model)
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    func insert(_ data: Data) throws {
      try stack.context.execute(
        NSBatchInsertRequest(entityName: "User", objects: [["login": "a", "photo": data]])
      )
    }
    func files() -> Int {
      let folder = stack.folder.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
      return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
    try insert(Data(repeating: 1, count: 300_000))
    #expect(files() == 1)
    let stale = try #require(try stack.fetchUsers().first)
    #expect((stale.value(forKey: "photo") as? Data)?.count == 300_000)
    try insert(Data(repeating: 2, count: 400_000))
    #expect(files() == 1)
    stale.setValue("Bonn", forKey: "city")
    stack.context.mergePolicy = NSMergePolicy.error
    let error = #expect(throws: (any Error).self) { try stack.context.save() }
    #expect((error as? NSError)?.code == NSManagedObjectMergeError)
    let update = NSBatchUpdateRequest(entityName: "User")
    update.propertiesToUpdate = ["photo": Data([1])]
    try stack.context.execute(update)
    #expect(files() == 0)
    let user = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "User")).first
    #expect(user?.value(forKey: "photo") as? Data == Data([1]))
  }
}

extension Stack {
  fileprivate func fetchUsers() throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "User"))
  }
}
