import Foundation
import Predicates

/// Checks of a mapping that a migration would fail for.
struct MappingCheck {
  /// The names of all entity mappings.
  let mappings: Set<String>
  let destination: ModelHierarchy

  /// - Throws: `ModelFileError` with the property that is wrong and the remedy.
  func check(_ mapping: MappingDocument.EntityMapping, file: String?) throws(ModelFileError) {
    let place = "mapping \(mapping.name)"
    func failure(_ line: SourceLine, element: String, problem: String) -> ModelFileError {
      ModelFileError(.corrupt, file: file, line: line.number, element: element, problem: problem)
    }
    if let text = mapping.sourceExpression, let problem = problem(of: text) {
      throw failure(mapping.line, element: "\(place), source expression", problem: problem)
    }
    let entity = mapping.destinationEntity.flatMap { destination.entities[$0] }
    let properties = entity.map { destination.properties(of: $0) } ?? []
    for (property, isAttribute) in mapping.attributes.map({ ($0, true) })
      + mapping.relationships.map({ ($0, false) })
    {
      // Without an expression the mapping does nothing, and the property is unchanged.
      guard let text = property.valueExpression else { continue }
      let element = "\(place), property \(property.name)"
      if let problem = problem(of: text) { throw failure(property.line, element: element, problem: problem) }
      let found = properties.first { $0.name == property.name }
      guard found?.isAttribute != isAttribute, let name = entity?.name else { continue }
      throw failure(
        property.line,
        element: element,
        problem:
          "the entity \(name) of the destination has no \(isAttribute ? "attribute" : "relationship") of this name; "
          + "take the mapping of it out, or refresh the models in Xcode"
      )
    }
  }

  private func problem(of text: String) -> String? {
    do throws(PredicateFormatError) {
      return try problem(of: Predicates.NSExpression(parsing: text))
    } catch {
      return "\"\(text)\" is not an expression: \(error)"
    }
  }

  /// A message about a mapping that does not exist, or about a text that should be the predicate of
  /// a request and is not.
  private func problem(of expression: Predicates.NSExpression) -> String? {
    switch expression.node {
    case .function(let name, let operand?, let arguments):
      if case .variable("manager") = operand.node, arguments.count == 2 {
        switch (name, arguments[0].node, arguments[1].node) {
        case ("destinationInstancesForEntityMappingNamed:sourceInstances:", .constant(let mapping as String), _),
          ("sourceInstancesForEntityMappingNamed:destinationInstances:", .constant(let mapping as String), _):
          if !mappings.contains(mapping) {
            return "the mapping model has no mapping named \(mapping); there are: "
              + mappings.sorted(by: BinaryOrder.isLess).joined(separator: ", ")
          }
        case ("fetchRequestForSourceEntityNamed:predicateString:", _, .constant(let predicate as String)):
          do throws(PredicateFormatError) {
            _ = try NSPredicate(parsing: predicate)
          } catch {
            return "the predicate of its objects cannot be read: \(error)"
          }
        default: break
        }
      }
      return problem(of: operand) ?? arguments.lazy.compactMap { problem(of: $0) }.first
    case .function(_, nil, let arguments), .aggregate(let arguments):
      return arguments.lazy.compactMap { problem(of: $0) }.first
    case .fetch(let request, let context, _): return problem(of: request) ?? problem(of: context)
    default: return nil
    }
  }
}

extension ModelHierarchy.Property {
  /// True for an attribute, false for a relationship; `nil` for a fetched property, which no mapping sets.
  fileprivate var isAttribute: Bool? {
    switch kind {
    case .attribute: true
    case .relationship: false
    case .fetched: nil
    }
  }
}
