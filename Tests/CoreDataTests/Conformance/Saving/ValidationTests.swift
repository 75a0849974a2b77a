import CoreData
import Foundation
import Testing

@Suite("Validation on save")
struct ValidationTests {
  private func account(_ stack: Stack, _ owner: String? = "Ann") -> Account {
    let account = Account(context: stack.context)
    account.owner = owner
    return account
  }

  /// The error of a save. It uses a second account, because the relationship `friends` requires one if it is not empty.
  private func failure(_ stack: Stack) throws -> NSError {
    try #require(#expect(throws: NSError.self) { try stack.context.save() })
  }

  @Test("a missing required value refuses the save, with object and key", arguments: StoreKind.allCases)
  func required(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = Note(context: stack.context)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
    #expect(error?.userInfo[NSValidationObjectErrorKey] as? Note === note)
    #expect(stack.context.hasChanges)
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
    note.title = "now"
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).count == 1)
  }

  @Test("failures of several objects come in one error", arguments: StoreKind.allCases)
  func several(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    _ = Note(context: stack.context)
    _ = Note(context: stack.context)
    let error = try failure(stack)
    #expect(error.code == NSValidationMultipleErrorsError)
    let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(details.map(\.code) == Array(repeating: NSValidationMissingMandatoryPropertyError, count: 2))
  }

  @Test("failures of several properties come in one error, each with its key", arguments: StoreKind.allCases)
  func severalProperties(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack, nil)
    account.setValue("x", forKey: "code")
    let error = try failure(stack)
    #expect(error.code == NSValidationMultipleErrorsError)
    let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
    let keys = details.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }.sorted()
    #expect(keys == ["code", "code", "owner"])
    #expect(details.allSatisfy { $0.userInfo[NSValidationObjectErrorKey] as? Account === account })
  }

  @Test("an update is validated too", arguments: StoreKind.allCases)
  func update(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    note.title = nil
    #expect(throws: NSError.self) { try stack.save() }
    stack.context.rollback()
    #expect(note.title == "one")
  }

  @Test("a value that breaks a predicate is named with the predicate", arguments: StoreKind.allCases)
  func predicate(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    account.setValue("A", forKey: "code")
    let error = try failure(stack)
    #expect(error.code == NSManagedObjectValidationError)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "code")
    #expect(error.userInfo[NSValidationValueErrorKey] as? String == "A")
    let predicate = try #require(error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate)
    #expect(predicate.printedFormat == "length >= 2")
    #expect(error.localizedDescription.contains("it is too short"))
  }

  @Test("each broken predicate of one value has its error", arguments: StoreKind.allCases)
  func predicates(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    account(stack).setValue("a", forKey: "code")
    let error = try failure(stack)
    let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(details.map(\.code) == Array(repeating: NSManagedObjectValidationError, count: 2))
  }

  @Test("a missing optional value breaks no predicate", arguments: StoreKind.allCases)
  func optional(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = account(stack)
    try stack.save()
  }

  @Test("validateValue that a class overrides is asked by the save", arguments: StoreKind.allCases)
  func overridden(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    account.balance = 13
    let error = try failure(stack)
    #expect(error.code == NSManagedObjectValidationError)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "balance")
    account.balance = 14
    try stack.save()
  }

  @Test("validateValue that a class overrides is asked for updates", arguments: StoreKind.allCases)
  func overriddenForUpdate(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    try stack.save()
    account.balance = 13
    #expect(try failure(stack).userInfo[NSValidationKeyErrorKey] as? String == "balance")
  }

  @Test("a value that validateValue puts in another's place is saved", arguments: StoreKind.allCases)
  func replaced(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack, "  Ann ")
    try stack.save()
    #expect(account.owner == "Ann")
    #expect(!account.hasChanges)
    #expect(try stack.fetch(Account.self, in: stack.newContext()).first?.owner == "Ann")
  }

  @Test("validateValue can be asked for a value that the object does not have", arguments: StoreKind.allCases)
  func asked(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    var value: AnyObject? = "abc" as AnyObject
    #expect(throws: NSError.self) { try account.validateValue(&value, forKey: "code") }
    value = "ABC" as AnyObject
    try account.validateValue(&value, forKey: "code")
    value = nil
    try account.validateValue(&value, forKey: "code")
    let error = #expect(throws: NSError.self) { try account.validateValue(&value, forKey: "owner") }
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(account.value(forKey: "code") == nil)
  }

  @Test(
    "validateForInsert checks new objects, and validateForUpdate changed ones",
    arguments: StoreKind.allCases
  )
  func insertAndUpdate(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    account.balance = -1
    #expect(try failure(stack).localizedDescription == "insert: too low")
    account.balance = 1
    try stack.save()
    account.balance = -1
    #expect(try failure(stack).localizedDescription == "update: too low")
  }

  @Test("validateForDelete refuses a deletion", arguments: StoreKind.allCases)
  func delete(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    try stack.save()
    account.isLocked = true
    stack.context.delete(account)
    #expect(try failure(stack).localizedDescription == "locked")
    #expect(account.isDeleted)
    account.isLocked = false
    try stack.save()
    #expect(try stack.fetch(Account.self, in: stack.newContext()).isEmpty)
  }

  @Test("a deleted object is not validated for its values", arguments: StoreKind.allCases)
  func deletedValues(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    try stack.save()
    account.owner = nil
    stack.context.delete(account)
    try stack.save()
  }

  @Test("an object that is inserted and deleted is not validated", arguments: StoreKind.allCases)
  func neverSaved(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack, nil)
    _ = self.account(stack)
    stack.context.delete(account)
    try stack.save()
  }

  @Test("a relationship with too many objects is refused", arguments: StoreKind.allCases)
  func tooMany(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    let friends = ["a", "b", "c"].map { self.account(stack, $0) }
    account.setValue(NSSet(array: friends), forKey: "friends")
    let error = try failure(stack)
    #expect(error.code == NSValidationRelationshipExceedsMaximumCountError)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "friends")
    #expect((error.userInfo[NSValidationValueErrorKey] as? NSSet)?.count == 3)
    account.setValue(NSSet(array: Array(friends.prefix(2))), forKey: "friends")
    try stack.save()
  }

  @Test("an empty optional relationship may have a minimum", arguments: StoreKind.allCases)
  func emptyOptional(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    #expect((account.value(forKey: "friends") as? NSSet)?.count == 0)
    try stack.save()
  }

  @Test("the deny rule refuses a deletion while there are destinations", arguments: StoreKind.allCases)
  func deny(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    let page = Page(context: stack.context)
    page.note = note
    try stack.save()
    stack.context.delete(note)
    let error = try failure(stack)
    #expect(error.code == NSValidationRelationshipDeniedDeleteError)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "pages")
    #expect(error.userInfo[NSValidationObjectErrorKey] as? Note === note)
    stack.context.delete(page)
    try stack.save()
  }

  @Test("one invalid object prevents the whole save", arguments: StoreKind.allCases)
  func allOrNothing(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = account(stack)
    let wrong = account(stack, nil)
    _ = try failure(stack)
    #expect(try stack.fetch(Account.self, in: stack.newContext()).isEmpty)
    #expect(stack.context.insertedObjects.count == 2)
    stack.context.delete(wrong)
    try stack.save()
    #expect(try stack.fetch(Account.self, in: stack.newContext()).count == 1)
  }

  @Test("values are not validated when they are set", arguments: StoreKind.allCases)
  func notWhenSet(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    account.balance = 13
    account.setValue("a", forKey: "code")
    #expect(account.balance == 13)
  }

  @Test("validateForInsert and validateForUpdate can be called by a program", arguments: StoreKind.allCases)
  func called(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack, nil)
    #expect(throws: NSError.self) { try account.validateForInsert() }
    account.owner = "x"
    try account.validateForInsert()
    try account.validateForUpdate()
    try account.validateForDelete()
  }

  @Test("CocoaError gives object, key, value and predicate by their names", arguments: StoreKind.allCases)
  func cocoaError(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let account = account(stack)
    account.setValue("A", forKey: "code")
    let error = try #require(#expect(throws: CocoaError.self) { try stack.context.save() })
    #expect(error.code == .managedObjectValidation)
    #expect(error.validationObject as? Account === account)
    #expect(error.validationKey == "code")
    #expect(error.validationValue as? String == "A")
    #expect(error.validationPredicate != nil)
  }

  @Test("a required relationship without a minimum may be empty", arguments: StoreKind.allCases)
  func noMinimum(_ kind: StoreKind) throws {
    let model = TestModel.make()
    let tags = try #require(model.entitiesByName["Note"]?.relationshipsByName["tags"])
    (tags.isOptional, tags.minCount) = (false, 0)
    let stack = try Stack(kind, model: model)
    stack.note("one")
    try stack.save()
  }
}
