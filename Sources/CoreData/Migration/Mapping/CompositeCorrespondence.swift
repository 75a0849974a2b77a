import Foundation
import ModelFormats

/// The elements of a composite attribute that have been there in an older version of it, and the names that they had.
struct CompositeCorrespondence {
  /// An element that is not a composite itself, with its former element; `nil` for a new element.
  let leaves: [(element: CompositeElement, former: CompositeElement?)]

  /// Matches elements as attributes are matched.
  init(from former: NSCompositeAttributeDescription, to attribute: NSCompositeAttributeDescription) {
    let there = Dictionary(former.leaves.map { ($0.path, $0) }) { first, _ in first }
    leaves = Self.paths(from: former, to: attribute).map { pair in
      (pair.element, pair.former.flatMap { there[$0] })
    }
  }

  /// The value as the newer version has it: elements that are gone are left out, and new ones have their defaults.
  func value(_ former: [String: Any]?) -> [String: Any]? {
    let former = CompositeValue(former ?? [:])
    var value = CompositeValue([:])
    for (element, place) in leaves {
      let attribute = element.attribute
      let found =
        place.map { former[$0.path.joined(separator: ".")] }
        ?? AttributeValue.value(AttributeValue.defaultValue(of: attribute), as: attribute.attributeType)
      if let found { value[element.path.joined(separator: ".")] = found }
    }
    return value.values.isEmpty ? nil : value.values
  }

  private static func paths(
    from former: NSCompositeAttributeDescription,
    to attribute: NSCompositeAttributeDescription
  ) -> [(element: CompositeElement, former: [String]?)] {
    let names = VersionedName.formerNames(
      of: attribute.elements.map { VersionedName($0.name, identifier: $0.explicitRenamingIdentifier) },
      in: former.elements.map { VersionedName($0.name, identifier: $0.explicitRenamingIdentifier) }
    )
    return attribute.elements.flatMap { element -> [(element: CompositeElement, former: [String]?)] in
      let match = former.elements.first { $0.name == names[element.name] }
      guard let composite = element as? NSCompositeAttributeDescription else {
        let isLeaf = !(match is NSCompositeAttributeDescription)
        return [
          (CompositeElement(path: [element.name], attribute: element), isLeaf ? match.map { [$0.name] } : nil)
        ]
      }
      guard let inner = match as? NSCompositeAttributeDescription else {
        return composite.leaves.map { (CompositeElement(path: [element.name] + $0.path, attribute: $0.attribute), nil) }
      }
      return paths(from: inner, to: composite).map { pair in
        (
          CompositeElement(path: [element.name] + pair.element.path, attribute: pair.element.attribute),
          pair.former.map { [inner.name] + $0 }
        )
      }
    }
  }
}
