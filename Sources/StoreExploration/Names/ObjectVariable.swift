package import CoreData
package import Foundation
import Predicates

/// Represents objects in the text of a predicate: `category == $Category_p12` means the object whose URI ends
/// in `Category/p12`.
///
/// The format language cannot spell an object, but people want to share predicates as text. A variable can
/// represent the object, and every parser of the format language accepts it.
package enum ObjectVariable {
  /// The variable of an object, with its dollar sign; `nil` if the object is not saved, or its URI has
  /// characters that a variable cannot have.
  package static func text(of id: NSManagedObjectID) -> String? {
    guard !id.isTemporaryID, let entity = id.entity.name else { return nil }
    let key = id.uriRepresentation().lastPathComponent
    let isPlain = (entity + key).unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) || scalar == "_"
    }
    return isPlain ? "$\(entity)_\(key)" : nil
  }

  /// The ID of the object that a variable represents. The stores need not have the object. `nil` if the name
  /// does not represent an object.
  ///
  /// - Parameter name: the name of the variable, without its dollar sign.
  package static func objectID(_ name: String, in coordinator: NSPersistentStoreCoordinator)
    -> NSManagedObjectID?
  {
    guard let (entity, key) = parts(name, in: coordinator.managedObjectModel) else { return nil }
    for store in coordinator.persistentStores {
      guard let identifier = store.identifier,
        let url = URL(string: "x-coredata://\(identifier)/\(entity)/\(key)"),
        let id = coordinator.managedObjectID(forURIRepresentation: url)
      else { continue }
      return id
    }
    return nil
  }

  /// The entity of the object that a variable represents; `nil` if the name does not represent an object.
  static func entity(_ name: String, in model: NSManagedObjectModel) -> NSEntityDescription? {
    parts(name, in: model).flatMap { model.entitiesByName[$0.entity] }
  }

  private static func parts(_ name: String, in model: NSManagedObjectModel) -> (entity: String, key: String)? {
    guard let mark = name.lastIndex(of: "_") else { return nil }
    let (entity, key) = (String(name[..<mark]), String(name[name.index(after: mark)...]))
    guard !key.isEmpty, model.entitiesByName[entity] != nil else { return nil }
    return (entity, key)
  }
}

/// Reads the texts of predicates that people write, or that pages build from facets.
package enum ExplorationPredicate {
  /// Reads a predicate for the objects of an entity.
  ///
  /// - Parameter text: the text. Variables may represent objects. A text that is compared with a date attribute
  ///   may be a date, as in `createdAt > "2024-10-01"`.
  /// - Returns: `nil` if the text is empty or only white space, which selects all objects.
  /// - Throws: an `ExplorationFailure` with the problem that `PredicateAssistant` finds.
  package static func read(
    _ text: String,
    entity: String,
    in coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPredicate? {
    if text.allSatisfy(\.isWhitespace) { return nil }
    let described = try StoreReading(coordinator: coordinator).entity(entity)
    let predicate: NSPredicate
    switch TypedPredicate(text, entity: described) {
    case .right(let read): predicate = read
    case .wrong(let problem):
      throw ExplorationFailure(
        code: .wrongPredicate,
        problem: "\(problem.message), at position \(problem.range.lowerBound + 1) of the predicate",
        remedy: problem.remedy
      )
    }
    let variables = variableNames(in: text).compactMap { name in
      ObjectVariable.objectID(name, in: coordinator).map { (name, $0 as Any) }
    }
    if variables.isEmpty { return predicate }
    return predicate.withSubstitutionVariables(Dictionary(variables, uniquingKeysWith: { $1 }))
  }

  private static func variableNames(in text: String) -> Set<String> {
    var names: Set<String> = []
    var lexer = FormatLexer(text)
    while let token = try? lexer.next(), token.kind != .end {
      if case .variable(let name) = token.kind { names.insert(name) }
    }
    return names
  }

  /// The text of a predicate that is true if both predicates are true.
  package static func both(_ one: String, _ other: String) -> String {
    let texts = [one, other].filter { !$0.allSatisfy(\.isWhitespace) }
    return texts.count < 2 ? texts.first ?? "" : texts.map { "(\($0))" }.joined(separator: " AND ")
  }
}
