import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Value transformers")
struct ValueTransformerTests {
  @Test("transformers are found under their registered names until they are removed")
  func registering() {
    let name = NSValueTransformerName("ValueTransformerTests.Reversing")
    #expect(ValueTransformer(forName: name) == nil)
    let transformer = ReversingTransformer()
    ValueTransformer.setValueTransformer(transformer, forName: name)
    #expect(ValueTransformer(forName: name) === transformer)
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
    #expect(!ValueTransformer.valueTransformerNames().contains(name))
  }

  @Test("Foundation's are there")
  func builtIn() {
    #expect(
      ValueTransformer(forName: .negateBooleanTransformerName)?.transformedValue(true) as? Bool == false
    )
    #expect(
      ValueTransformer(forName: .negateBooleanTransformerName)?.reverseTransformedValue(false) as? Bool
        == true
    )
    #expect(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool == true)
    #expect(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(1) as? Bool == false)
    #expect(ValueTransformer(forName: .isNotNilTransformerName)?.transformedValue(1) as? Bool == true)
    #expect(
      ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
        is NSSecureUnarchiveFromDataTransformer
    )
  }

  @Test("unarchiving transformers make objects from data, and data from objects")
  func archives() throws {
    let transformer = NSSecureUnarchiveFromDataTransformer()
    let data = try #require(transformer.reverseTransformedValue(["a", "b"]) as? Data)
    #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
    #expect(transformer.transformedValue("no data") == nil)
    #expect(transformer.transformedValue(nil) == nil)
    #expect(transformer.reverseTransformedValue(nil) == nil)
  }

  @Test("unarchiving transformers refuse classes that are not allowed, both ways")
  func allowedClasses() throws {
    let plain = NSSecureUnarchiveFromDataTransformer()
    let colors = ColorTransformer()
    let color = Color(name: "red")
    #expect(plain.reverseTransformedValue(color) == nil)
    let data = try #require(colors.reverseTransformedValue(color) as? Data)
    #expect(plain.transformedValue(data) == nil)
    let nested = try NSKeyedArchiver.archivedData(withRootObject: ["a": [color]], requiringSecureCoding: true)
    #expect(plain.transformedValue(nested) == nil)
    #expect((colors.transformedValue(data) as? Color)?.name == "red")
    #expect(colors.reverseTransformedValue("text") == nil)
  }
}

@Suite("Attributes with transformers", .serialized)
struct TransformableAttributeTests {
  /// The stores that store transformed values. The tests' incremental store keeps the objects themselves.
  private static let transforming = StoreKind.allCases.filter { $0 != .incremental }

  /// A model with an entity that has a transformable attribute for each kind of transformer.
  static let model: NSManagedObjectModel = {
    ValueTransformer.setValueTransformer(ReversingTransformer(), forName: NSValueTransformerName("Reversing"))
    ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("Colors"))
    ValueTransformer.setValueTransformer(BrokenTransformer(), forName: NSValueTransformerName("Broken"))
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.properties = [
      "plain": nil, "reversed": "Reversing", "color": "Colors", "broken": "Broken", "lost": "Lost",
    ]
    .map { name, transformer in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .transformableAttributeType
      attribute.valueTransformerName = transformer
      attribute.isOptional = true
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  private func thing(_ key: String, _ value: Any?, in stack: Stack) -> NSManagedObject {
    let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
    thing.setValue(value, forKey: key)
    return thing
  }

  private func saved(_ key: String, in stack: Stack) throws -> Any? {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    let context = stack.newContext()
    return try #require(try context.fetch(request).first).value(forKey: key)
  }

  @Test("transformed values are read back as they were saved", arguments: StoreKind.allCases)
  func roundTrip(kind: StoreKind) throws {
    let stack = try Stack(kind, model: Self.model)
    let object = thing("plain", ["a": [1, 2]], in: stack)
    object.setValue("text", forKey: "reversed")
    object.setValue(Color(name: "red"), forKey: "color")
    try stack.save()
    #expect(try saved("plain", in: stack) as? [String: [Int]] == ["a": [1, 2]])
    #expect(try saved("reversed", in: stack) as? String == "text")
    #expect((try saved("color", in: stack) as? Color)?.name == "red")
    object.setValue(nil, forKey: "reversed")
    try stack.save()
    #expect(try saved("reversed", in: stack) == nil)
  }

  @Test("transformed values are kept as they were when they were saved", arguments: Self.transforming)
  func copies(kind: StoreKind) throws {
    let stack = try Stack(kind, model: Self.model)
    let color = Color(name: "red")
    let object = thing("color", color, in: stack)
    try stack.save()
    color.name = "blue"
    withExtendedLifetime(object) {}
    #expect((try saved("color", in: stack) as? Color)?.name == "red")
  }

  @Test(
    "attributes are transformed when they are saved, and transformed back when they are fetched",
    arguments: Self.transforming.filter { $0 != .xml && $0 != .binary }
  )
  func directions(kind: StoreKind) throws {
    let stack = try Stack(kind, model: Self.model)
    ReversingTransformer.calls.withLock { $0 = [] }
    _ = thing("reversed", "text", in: stack)
    try stack.save()
    #expect(ReversingTransformer.calls.withLock { $0.first } == "transformed text")
    _ = try saved("reversed", in: stack)
    #expect(ReversingTransformer.calls.withLock { $0.last } == "reversed txet")
  }

  @Test(
    "a value that cannot be transformed fails the save, and nothing is saved",
    arguments: Self.transforming,
    [
      ("broken", "the transformer Broken makes an object of the class String of it"),
      ("lost", "under the name Lost"),
    ]
  )
  func failures(kind: StoreKind, failure: (key: String, words: String)) throws {
    let stack = try Stack(kind, model: Self.model)
    _ = thing(failure.key, "text", in: stack)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(
      error?.localizedDescription.contains("Thing.\(failure.key)") == true,
      "\(String(describing: error))"
    )
    #expect(error?.localizedDescription.contains(failure.words) == true, "\(String(describing: error))")
    #expect(try stack.newContext().count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")) == 0)
  }

  @Test("an attribute of an unregistered transformer takes data", arguments: StoreKind.allCases)
  func unknown(kind: StoreKind) throws {
    let stack = try Stack(kind, model: Self.model)
    _ = thing("lost", Data([1, 2]), in: stack)
    try stack.save()
    #expect(try saved("lost", in: stack) as? Data == Data([1, 2]))
  }
}
