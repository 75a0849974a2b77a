import Testing

@testable import ModelCompiler

@Suite("Names of to-many accessors")
struct ToManyMethodTests {
  struct Example: CustomTestStringConvertible {
    var name: String
    var labels: [String?]
    var kinds: [ToManyMethod.ParameterKind]
    var selector: String?
    var operation: ToManyMethod.Operation
    var key = "tags"

    var testDescription: String { selector ?? "\(name)(\(labels.map { "\($0 ?? "_"):" }.joined()))" }
  }

  static let examples: [Example] = [
    Example(name: "addToTags", labels: [nil], kinds: [.object], operation: .add),
    Example(name: "addToTags", labels: [nil], kinds: [.collection], operation: .addAll),
    Example(name: "removeFromTags", labels: [nil], kinds: [.object], operation: .remove),
    Example(name: "removeFromTags", labels: [nil], kinds: [.collection], operation: .removeAll),
    Example(name: "insertIntoTags", labels: [nil, "at"], kinds: [.object, .index], operation: .insert),
    Example(
      name: "insertIntoTags",
      labels: [nil, "at"],
      kinds: [.collection, .indexes],
      operation: .insertAll
    ),
    Example(name: "removeFromTags", labels: ["at"], kinds: [.index], operation: .removeAt),
    Example(name: "removeFromTags", labels: ["at"], kinds: [.indexes], operation: .removeAllAt),
    Example(name: "replaceTags", labels: ["at", "with"], kinds: [.index, .object], operation: .replaceAt),
    Example(
      name: "replaceTags",
      labels: ["at", "with"],
      kinds: [.indexes, .collection],
      operation: .replaceAllAt
    ),
    Example(name: "addTagsObject", labels: [nil], kinds: [.object], operation: .add),
    Example(name: "removeTagsObject", labels: [nil], kinds: [.object], operation: .remove),
    Example(name: "addTags", labels: [nil], kinds: [.collection], operation: .addAll),
    Example(name: "removeTags", labels: [nil], kinds: [.collection], operation: .removeAll),
    Example(name: "intersectTags", labels: [nil], kinds: [.collection], operation: .intersect),
    Example(
      name: "insertObject",
      labels: [nil, "inTagsAtIndex"],
      kinds: [.object, .index],
      operation: .insert
    ),
    Example(name: "removeObjectFromTags", labels: ["at"], kinds: [.index], operation: .removeAt),
    Example(
      name: "replaceObject",
      labels: ["inTagsAt", "with"],
      kinds: [.index, .object],
      operation: .replaceAt
    ),
    Example(name: "addToToys", labels: [nil], kinds: [.object], operation: .add, key: "toys"),
    Example(name: "addToURLs", labels: [nil], kinds: [.object], operation: .add, key: "URLs"),
    Example(
      name: "join",
      labels: [nil],
      kinds: [.object],
      selector: "addTagsObject:",
      operation: .add
    ),
    Example(
      name: "leave",
      labels: [nil],
      kinds: [.collection],
      selector: "removeTags:",
      operation: .removeAll
    ),
    Example(
      name: "put",
      labels: [nil, "at"],
      kinds: [.object, .index],
      selector: "insertObject:inTagsAtIndex:",
      operation: .insert
    ),
    Example(
      name: "take",
      labels: ["at"],
      kinds: [.index],
      selector: "removeObjectFromTagsAtIndex:",
      operation: .removeAt
    ),
    Example(
      name: "swap",
      labels: ["at", "with"],
      kinds: [.indexes, .collection],
      selector: "replaceTagsAtIndexes:withTags:",
      operation: .replaceAllAt
    ),
    Example(
      name: "swap",
      labels: ["at", "with"],
      kinds: [.index, .object],
      selector: "replaceObjectInTagsAtIndex:withObject:",
      operation: .replaceAt
    ),
  ]

  @Test("a to-many accessor's name tells relationship and operation", arguments: examples)
  func operation(_ example: Example) {
    let method = ToManyMethod(
      name: example.name,
      labels: example.labels,
      kinds: example.kinds,
      selector: example.selector,
      keys: AccessorKeys(model: ["tags", "toys", "URLs"], sources: [])
    )
    #expect(method?.operation == example.operation)
    #expect(method?.key == example.key)
  }

  @Test("a relationship that is not known is named as its method spells it, with a small letter in front")
  func unknownKey() {
    let method = ToManyMethod(
      name: "addToSteps",
      labels: [nil],
      kinds: [.object],
      selector: nil,
      keys: AccessorKeys(model: [], sources: [])
    )
    #expect(method?.key == "steps")
  }

  @Test(
    "methods with other names or parameters are not to-many accessors",
    arguments: ["tags", "addto", "addTo", "replaceTags"]
  )
  func otherNames(_ name: String) {
    let keys = AccessorKeys(model: ["tags"], sources: [])
    #expect(ToManyMethod(name: name, labels: [nil], kinds: [.index], selector: nil, keys: keys) == nil)
    #expect(ToManyMethod(name: name, labels: [], kinds: [], selector: nil, keys: keys) == nil)
  }
}
