import CoreData
import Foundation

/// The rules by which a factory makes the values of an entity's objects.
struct ObjectPlan {
  /// The possible numbers of objects with unique values; the largest one that the attributes allow is used.
  private static let counts: [UInt64] = [10_000, 1000, 100, 10, 1]

  private let name: String
  private var attributes: [(description: NSAttributeDescription, plan: AttributePlan)] = []
  private let names: PersonAttributes
  private let dates: DateOrder
  /// Nil if no values have to be unique.
  private let most: UInt64?

  init(entity: NSEntityDescription, settings: FactorySettings) throws(GenerationError) {
    name = entity.name ?? ""
    let seed = settings.seed
    let unique = try Self.unique(entity)
    most = unique.names.isEmpty ? nil : unique.count
    for (_, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) {
      guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription),
        !Self.keepsDefault(attribute)
      else { continue }
      let isUnique = unique.names.contains(attribute.name)
      let plan = try AttributePlan(
        attribute,
        of: entity,
        distinct: unique.count,
        isUnique: isUnique,
        // Values of factories with several seeds are in one context.
        seed: isUnique ? 0 : seed,
        isAlwaysGiven: true
      )
      if let plan { attributes.append((attribute, plan)) }
    }
    let made = attributes.map { $0.description }
    names = try PersonAttributes(attributes: made, of: entity, unique: unique.names, settings: settings)
    dates = DateOrder(made, seed: seed)
  }

  /// A test gets an unusual value by a state of the factory.
  private static func keepsDefault(_ attribute: NSAttributeDescription) -> Bool {
    attribute.attributeType == .booleanAttributeType && attribute.defaultValue != nil
  }

  /// The attributes whose values have to differ, and how many of them there are.
  private static func unique(_ entity: NSEntityDescription) throws(GenerationError)
    -> (names: Set<String>, count: UInt64)
  {
    var failure: GenerationError?
    for count in counts {
      do throws(GenerationError) {
        let unique = try UniqueAttributes(of: entity, count: count) { attribute throws(GenerationError) in
          try AttributeDomain(attribute, entity: entity.name ?? "").values(distinct: count)?.size ?? 0
        }
        return (unique.names, count)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return ([], 0)
  }

  /// The values of an object by its number, from 0, as its attributes take them.
  func values(_ number: UInt64) throws(GenerationError) -> [String: Any] {
    if let most, number >= most {
      throw GenerationError(
        place: name,
        problem: "a factory has values for \(most) objects that have to differ, and no more",
        remedy: "make fewer objects in one context, or make data with a DataGenerator"
      )
    }
    var values: [String: Any] = [:]
    for (attribute, plan) in attributes {
      values[attribute.name] = try plan.value(number)?.objectValue(for: attribute)
    }
    return values
  }

  /// Makes values consistent: generated values are adapted to the values that were given.
  /// - Parameters:
  ///   - number: The object's number, from 0.
  ///   - values: The generated values. The default values that the object still has are treated as generated.
  ///   - claim: Reserves a text of an attribute for the object, and returns false if another object
  ///     in the context has it.
  func makeConsistent(
    _ object: NSManagedObject,
    number: UInt64,
    made values: [String: Any],
    claim: (_ attribute: String, _ text: String) -> Bool
  ) {
    func isMade(_ name: String) -> Bool {
      switch values[name] {
      case let text as String: object.value(forKey: name) as? String == text
      case let date as Date: object.value(forKey: name) as? Date == date
      default: false
      }
    }
    names.write(to: object, number: number, isMade: isMade, claim: claim)
    dates.write(to: object, number: number, isMade: isMade)
  }
}

extension NSAttributeDescription {
  /// Returns true when the validation rules allow a value.
  func allows(_ value: Any) -> Bool { validationPredicates.allSatisfy { $0.evaluate(with: value) } }
}
