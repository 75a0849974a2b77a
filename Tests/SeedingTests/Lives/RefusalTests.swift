import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

/// A track whose class rejects some names with an error that does not name the object.
final class StrictTrack: NSManagedObject {
  override func validateForInsert() throws {
    try super.validateForInsert()
    try check()
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try check()
  }

  private func check() throws {
    guard let name = value(forKey: "text") as? String, name.hasPrefix("bad") else { return }
    throw NSError(
      domain: "Tracks",
      code: 7,
      userInfo: [NSLocalizedDescriptionKey: "\(name) is not text of a track"]
    )
  }
}

@Suite("Records whose objects Core Data refuses")
struct RefusalTests {
  /// A Slot has a second unique value in addition to its key; the class of Track has validation rules; a Tag cannot be
  /// deleted while it has items.
  private static func model() -> NSManagedObjectModel {
    let slot = makeEntity(
      "Slot",
      makeAttribute("code", .stringAttributeType, optional: false),
      makeAttribute("rank", .integer32AttributeType)
    )
    slot.uniquenessConstraints = [["code"], ["rank"]]
    let track = makeEntity(
      "Track",
      StrictTrack.self,
      [makeAttribute("name", .stringAttributeType), makeAttribute("text", .stringAttributeType)]
    )
    let tag = makeEntity("Tag", makeAttribute("name", .stringAttributeType))
    let item = makeEntity("Item", makeAttribute("name", .stringAttributeType))
    relate(tag, "items", isToMany: true, item, "tag", isToMany: false)
    tag.relationshipsByName["items"]?.deleteRule = .denyDeleteRule
    return makeModel([slot, track, tag, item]) { _ in }
  }

  private func slots(_ slots: KeyValuePairs<String, Int>) -> String {
    let records = slots.map { "\n{\"code\": \"\($0.key)\", \"rank\": \($0.value)}" }
    return "{\"slots\": [\(records.joined(separator: ","))]}"
  }

  @Test(
    "two records that violate a second uniqueness constraint are an error with both positions",
    arguments: SeedWay.allCases
  )
  func secondConstraint(way: SeedWay) throws {
    let store = try way.store(Self.model())
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["seed.json": slots(["a": 1, "b": 1])])
    }
    #expect(error?.code == .invalidObject)
    #expect(error?.position?.line == 3 && error?.position?.record == 2 && error?.position?.key == "rank")
    #expect(
      error?.problem
        == "seed.json:2: Slot record 1 has the rank 1 as well, and the model allows one Slot with it",
      "\(error?.description ?? "")"
    )
    #expect(try store.count("Slot") == 0)
  }

  @Test(
    "a record that violates a uniqueness constraint with an object of the store names that object",
    arguments: SeedWay.allCases
  )
  func constraintOfTheStore(way: SeedWay) throws {
    let store = try way.store(Self.model())
    try way.seed(store, ["a.json": slots(["a": 1])])
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["b.json": slots(["c": 2, "b": 1])]) }
    #expect(error?.position?.line == 3 && error?.position?.key == "rank", "\(error?.description ?? "")")
    #expect(error?.problem.hasPrefix("the Slot \"a\" of the store has the rank 1 as well") == true)
    #expect(error?.description.contains("mergePolicy") == false)
  }

  @Test(
    "of the records that violate a uniqueness constraint, skipping wrong records leaves out the later ones",
    arguments: SeedWay.allCases
  )
  func constraintLeftOut(way: SeedWay) throws {
    let store = try way.store(Self.model())
    try way.seed(store, ["a.json": slots(["a": 1])])
    let report = try way.seed(store, ["b.json": slots(["b": 2, "c": 2, "d": 1, "e": 3])]) {
      $0.onFailure = .skipRecord
    }
    #expect(report.total.created == 2 && report.total.failed == 2)
    #expect(report.failures.compactMap { $0.position?.line } == [3, 4])
    #expect(try store.lines("Slot", "code", "rank") == ["a|1", "b|2", "e|3"])
  }

  private let tracks = """
    {"tracks": [{"name": "1", "text": "good"},
     {"name": "2", "text": "bad one"},
     {"name": "3", "text": "bad two"}, {"name": "4", "text": "fine"}]}
    """

  @Test(
    "a class's own error without an object gets the position of the record",
    arguments: SeedWay.allCases
  )
  func ownValidation(way: SeedWay) throws {
    let store = try way.store(Self.model())
    let text =
      "{\"tracks\": [{\"name\": \"1\", \"text\": \"good\"},\n{\"name\": \"2\", \"text\": \"bad one\"}]}"
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": text]) }
    #expect(error?.code == .invalidObject)
    #expect(error?.position?.line == 2 && error?.position?.record == 2)
    #expect(error?.problem.contains("bad one is not text of a track") == true, "\(error?.description ?? "")")
    #expect(try store.count("Track") == 0)
  }

  @Test(
    "skipping wrong records leaves out records that their class rejects, for new and existing objects",
    arguments: SeedWay.allCases
  )
  func ownValidationLeftOut(way: SeedWay) throws {
    let store = try way.store(Self.model())
    try way.seed(store, ["first.json": "{\"tracks\": [{\"name\": \"2\", \"text\": \"before\"}]}"])
    let report = try way.seed(store, ["seed.json": tracks]) { $0.onFailure = .skipRecord }
    #expect(report.total.failed == 2 && report.total.created == 2)
    #expect(report.failures.compactMap { $0.position?.line } == [2, 3])
    #expect(try store.lines("Track", "name", "text") == ["1|good", "2|before", "4|fine"])
  }

  @Test(
    "an error about an object that cannot be deleted names it by the seed's terms",
    arguments: SeedWay.allCases
  )
  func denied(way: SeedWay) throws {
    let store = try way.store(Self.model())
    try way.seed(store, ["tags.json": "{\"tags\": [{\"name\": \"only\"}, {\"name\": \"other\"}]}"])
    try way.seed(store, ["items.json": "{\"items\": [{\"name\": \"i\", \"tag\": \"only\"}]}"])
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["tags.json": "{\"tags\": [{\"name\": \"other\"}]}"]) { $0.pruning = .own }
    }
    #expect(error?.code == .invalidObject)
    #expect(
      error?.problem
        == "the Tag \"only\" would be deleted, and the model denies that while items of it leads to objects",
      "\(error?.description ?? "")"
    )
    #expect(try store.lines("Item", "name", "tag.name") == ["i|only"])
  }
}
