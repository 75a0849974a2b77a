import CoreData
import Foundation
import Testing

@Suite("Numbers that are not finite")
struct NotANumberTests {
  /// Notes that require a ratio, a share and a date.
  private func stack(_ kind: StoreKind) throws -> Stack {
    let model = TestModel.make()
    for name in ["ratio", "share", "createdAt"] {
      model.entitiesByName["Note"]?.attributesByName[name]?.isOptional = false
    }
    return try Stack(kind, model: model)
  }

  private static var valid: [String: Any] {
    ["title": "a", "ratio": 1.5, "share": Float(0.5), "createdAt": Date(timeIntervalSinceReferenceDate: 1)]
  }

  private static var wrong: [(key: String, value: Any)] {
    [("ratio", Double.nan), ("share", Float.nan), ("createdAt", Date(timeIntervalSinceReferenceDate: .nan))]
  }

  @Test("NaN does not satisfy a required number or date", arguments: StoreKind.allCases)
  func required(_ kind: StoreKind) throws {
    for (key, value) in Self.wrong {
      let stack = try stack(kind)
      let note = Note(context: stack.context)
      for (key, value) in Self.valid { note.setValue(value, forKey: key) }
      note.setValue(value, forKey: key)
      let error = try #require(throws: NSError.self) { try stack.save() }
      #expect(error.code == NSValidationMissingMandatoryPropertyError, "\(key)")
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
      #expect(error.localizedDescription.contains("NaN"))
      note.setValue(Self.valid[key], forKey: key)
      try stack.save()
      // The validation covers updates too.
      note.setValue(value, forKey: key)
      #expect(throws: NSError.self, "\(key)") { try stack.save() }
    }
  }

  @Test("a batch insertion takes no NaN for a required number or date", arguments: StoreKind.takingBatches)
  func batch(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    for (key, value) in Self.wrong {
      let object = Self.valid.merging([key: value]) { $1 }
      let request = NSBatchInsertRequest(entityName: "Note", objects: [object])
      let error = try #require(throws: NSError.self) { try stack.context.execute(request) }
      #expect(error.code == NSValidationMissingMandatoryPropertyError, "\(key)")
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
    }
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }

  @Test(
    "an optional number keeps infinity, and NaN or no value in its place",
    arguments: StoreKind.storesAndChildren
  )
  func optional(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for (title, ratio) in [("least", -Double.infinity), ("greatest", .infinity), ("none", .nan)] {
      stack.note(title).setValue(ratio, forKey: "ratio")
    }
    try stack.save()
    let context = stack.newContext()
    let found = try stack.fetch(Note.self, sort: [.byTitle], in: context).map {
      $0.value(forKey: "ratio") as? Double
    }
    #expect(found[0] == .infinity)
    #expect(found[1] == -.infinity)
    #expect(found[2]?.isNaN != false)
    #expect(try stack.fetch(Note.self, "ratio > 1e300", in: context).map(\.title) == ["greatest"])
    #expect(try stack.fetch(Note.self, "ratio <= 0 OR ratio > 0", in: context).count == 2)
  }
}
