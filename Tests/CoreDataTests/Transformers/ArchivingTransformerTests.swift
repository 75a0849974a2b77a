import CoreData
import Foundation
import ModelFormats
import TestModels
import Testing

/// Stores texts as their bytes.
private final class StampTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(decoding: $0, as: UTF8.self) }
  }
}

@Suite("Names of transformers")
struct ArchivingTransformerTests {
  private static func model(_ transformers: [String]) -> NSManagedObjectModel {
    let attributes = transformers.enumerated().map { index, transformer in
      let attribute = makeAttribute("value\(index)", .transformableAttributeType)
      attribute.valueTransformerName = transformer
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [makeEntity("Thing", NSManagedObject.self, attributes)]
    return model
  }

  @Test("an attribute may name the transformer of archives in each way", arguments: StoreKind.allCases)
  func archives(_ kind: StoreKind) throws {
    let names = ArchivingTransformers.names.sorted()
    let stack = try Stack(kind, model: Self.model(names))
    let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
    for index in names.indices { thing.setValue(["a", "\(index)"], forKey: "value\(index)") }
    try stack.save()
    let context = stack.newContext()
    let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    for (index, name) in names.enumerated() {
      let values = found.map { $0.value(forKey: "value\(index)") as? [String] }
      #expect(values == [["a", "\(index)"]], "\(name)")
    }
  }

  @Test("the transformer of archives is found by each name", arguments: ArchivingTransformers.names.sorted())
  func lookup(_ name: String) {
    let found = ValueTransformer(forName: NSValueTransformerName(name))
    // An attribute may have an empty transformer name, but no transformer has one.
    #expect((found is NSSecureUnarchiveFromDataTransformer) == !name.isEmpty)
  }

  @Test("a registered transformer is found by the name of its class, and by its own name first")
  func classes() throws {
    let (own, other) = (StampTransformer(), ReversingTransformer())
    let name = NSValueTransformerName("ArchivingTransformerTests.Stamps")
    let className = NSValueTransformerName("StampTransformer")
    let fullName = NSValueTransformerName(String(reflecting: StampTransformer.self))
    #expect(ValueTransformer(forName: className) == nil)
    ValueTransformer.setValueTransformer(own, forName: name)
    #expect(ValueTransformer(forName: className) === own)
    #expect(ValueTransformer(forName: fullName) === own)

    let stack = try Stack(.sqlite, model: Self.model([className.rawValue]))
    let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
    thing.setValue("text", forKey: "value0")
    try stack.save()
    let context = stack.newContext()
    let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    #expect(found.map { $0.value(forKey: "value0") as? String } == ["text"])

    ValueTransformer.setValueTransformer(other, forName: className)
    #expect(ValueTransformer(forName: className) === other)
    for name in [name, className] { ValueTransformer.setValueTransformer(nil, forName: name) }
    #expect(ValueTransformer(forName: className) == nil)
  }
}
