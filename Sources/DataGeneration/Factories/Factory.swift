public import CoreData
public import Foundation

/// Makes objects for tests: with plausible values that fulfil the model's rules, and with those that a test is about.
///
/// ```swift
/// let notes = Factory<Note>().with(\.title) { "Note \($0)" }
/// let pinned = notes.with(\.isPinned, true).with(\.author, Factory<Author>())
/// let made = try pinned.create(3, in: context)
/// print(made.map(\.title))  // ["Note 1", "Note 2", "Note 3"]
/// ```
///
/// Each attribute gets a value as `DataGenerator` makes them, from its type, its validation rules, its name and hints
/// in its user info. A Boolean attribute keeps the default value that it has in the model, because the test should
/// state an unusual value. The values of an object fit together: an e-mail address follows the name, and an end comes
/// after a beginning. Objects that a relationship requires are created, too.
///
/// A factory is a value, from which `with` derives another one. States are factories that are derived from others, as
/// `pinned` is here; a property in an extension of `Factory<Note>` gives one a name.
///
/// Values follow from the seed and from the object's number. The number counts the objects of the
/// entity in the context and starts with those that its store already has. A test with a store of
/// its own therefore creates the same objects each time, whichever tests run concurrently.
public struct Factory<Object: NSManagedObject>: Sendable {
  /// A change of a generated object, by its number from 1.
  private typealias Change = @Sendable (_ object: Object, _ number: Int, _ maker: ObjectMaker) throws -> Void

  private let entity: String?
  private let settings: FactorySettings
  private var changes: [Change] = []

  /// Creates a factory.
  /// - Parameters:
  ///   - entity: The name of the entity; nil for that of the class.
  ///   - language: The language that names of persons are of; nil for many languages.
  ///   - seed: The number that values follow from.
  public init(_ entity: String? = nil, language: NameLanguage? = nil, seed: UInt64 = 0) {
    self.entity = entity
    settings = FactorySettings(language: language, seed: seed)
  }

  private func adding(_ change: @escaping Change) -> Self {
    var factory = self
    factory.changes.append(change)
    return factory
  }

  /// Adds a change that takes random numbers of its own.
  private func adding(
    random change: @escaping @Sendable (_ object: Object, _ random: inout RandomNumbers) -> Void
  ) -> Self {
    let place = changes.count
    return adding { object, number, maker in
      var random = maker.random(for: number, at: place)
      change(object, &random)
    }
  }

  // MARK: - Values

  /// Gives a property a value.
  public func with<Value: Sendable>(
    _ property: ReferenceWritableKeyPath<Object, Value> & Sendable,
    _ value: Value
  ) -> Self {
    adding { object, _, _ in object[keyPath: property] = value }
  }

  /// Gives a property a value for each object, by its number from 1.
  ///
  /// ```swift
  /// let notes = Factory<Note>().with(\.title) { "Note \($0)" }
  /// print(try notes.create(2, in: context).map(\.title))  // ["Note 1", "Note 2"]
  /// ```
  public func with<Value>(
    _ property: ReferenceWritableKeyPath<Object, Value> & Sendable,
    _ value: @escaping @Sendable (_ number: Int) -> Value
  ) -> Self {
    adding { object, number, _ in object[keyPath: property] = value(number) }
  }

  /// Sets a property to whole numbers of a range.
  public func with<Value: FixedWidthInteger & Sendable>(
    _ property: ReferenceWritableKeyPath<Object, Value> & Sendable,
    in range: ClosedRange<Value>
  ) -> Self {
    adding { object, random in
      var source = RandomNumberSource(numbers: random)
      object[keyPath: property] = Value.random(in: range, using: &source)
    }
  }

  /// Gives a property numbers of a range, with two decimal places at most where the range allows it.
  public func with<Value: BinaryFloatingPoint & Sendable>(
    _ property: ReferenceWritableKeyPath<Object, Value> & Sendable,
    in range: ClosedRange<Value>
  ) -> Self {
    adding { object, random in
      let share = Value(random.unit())
      let between = range.lowerBound * (1 - share) + range.upperBound * share
      let value = min(max(between, range.lowerBound), range.upperBound)
      let rounded = (value * 100).rounded() / 100
      object[keyPath: property] = range.contains(rounded) ? rounded : value
    }
  }

  /// Gives a property decimal numbers of a range, such as prices, with two decimal places at most where
  /// the range allows it.
  public func with(
    _ property: ReferenceWritableKeyPath<Object, Decimal> & Sendable,
    in range: ClosedRange<Decimal>
  ) -> Self {
    adding { object, random in object[keyPath: property] = random.decimal(in: range) }
  }

  /// Gives a property decimal numbers of a range, such as prices, with two decimal places at most where
  /// the range allows it.
  public func with(
    _ property: ReferenceWritableKeyPath<Object, Decimal?> & Sendable,
    in range: ClosedRange<Decimal>
  ) -> Self {
    adding { object, random in object[keyPath: property] = random.decimal(in: range) }
  }

  /// Gives a property decimal numbers of a range, such as prices, with two decimal places at most where
  /// the range allows it.
  public func with(
    _ property: ReferenceWritableKeyPath<Object, NSDecimalNumber?> & Sendable,
    in range: ClosedRange<Decimal>
  ) -> Self {
    adding { object, random in
      object[keyPath: property] = NSDecimalNumber(decimal: random.decimal(in: range))
    }
  }

  /// Changes objects in any other way, each with its number from 1.
  public func with(_ change: @escaping @Sendable (_ object: Object, _ number: Int) throws -> Void) -> Self {
    adding { object, number, _ in try change(object, number) }
  }

  // MARK: - Related objects

  /// Sets a to-one relationship to an object of another factory.
  public func with<Related>(
    _ relationship: ReferenceWritableKeyPath<Object, Related> & Sendable,
    _ factory: Factory<Related>
  ) -> Self {
    adding { object, _, maker in object[keyPath: relationship] = try factory.make(by: maker) }
  }

  /// Sets a to-one relationship to an object of another factory.
  public func with<Related>(
    _ relationship: ReferenceWritableKeyPath<Object, Related?> & Sendable,
    _ factory: Factory<Related>
  ) -> Self {
    adding { object, _, maker in object[keyPath: relationship] = try factory.make(by: maker) }
  }

  /// Sets a to-many relationship to a number of objects of another factory.
  public func with<Related>(
    _ relationship: ReferenceWritableKeyPath<Object, Set<Related>> & Sendable,
    _ count: Int,
    of factory: Factory<Related>
  ) -> Self {
    adding { object, _, maker in object[keyPath: relationship] = Set(try factory.make(count, by: maker)) }
  }

  /// Sets a to-many relationship to a number of objects of another factory.
  public func with<Related>(
    _ relationship: ReferenceWritableKeyPath<Object, Set<Related>?> & Sendable,
    _ count: Int,
    of factory: Factory<Related>
  ) -> Self {
    adding { object, _, maker in object[keyPath: relationship] = Set(try factory.make(count, by: maker)) }
  }

  /// Sets a to-many relationship to a number of objects of another factory.
  public func with<Related>(
    _ relationship: ReferenceWritableKeyPath<Object, NSSet?> & Sendable,
    _ count: Int,
    of factory: Factory<Related>
  ) -> Self {
    adding { object, _, maker in
      object[keyPath: relationship] = NSSet(array: try factory.make(count, by: maker))
    }
  }

  /// Sets an ordered to-many relationship to a number of objects of another factory.
  public func with<Related>(
    _ relationship: ReferenceWritableKeyPath<Object, NSOrderedSet?> & Sendable,
    _ count: Int,
    of factory: Factory<Related>
  ) -> Self {
    adding { object, _, maker in
      object[keyPath: relationship] = NSOrderedSet(array: try factory.make(count, by: maker))
    }
  }

  // MARK: - Making objects

  /// Makes objects in a context, which is not saved. Called on the context's queue.
  ///
  /// ```swift
  /// let ines = try Factory<Author>().with(\.name, "Ines").create(in: context)
  /// let notes = try Factory<Note>().create(2, in: context) { note, _ in note.author = ines }
  /// print(notes.map { $0.author?.name ?? "" })  // ["Ines", "Ines"]
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of objects; related ones are not counted.
  ///   - context: The context. Its store has to be open.
  ///   - change: Changes each object as the last, by its number from 1: the place for objects that are there already.
  /// - Throws: A `GenerationError` for an entity or a value that cannot be generated, Core Data's error for an invalid
  ///   object, and errors of `change`; the context then keeps none of the objects.
  @discardableResult
  public func create(
    _ count: Int,
    in context: NSManagedObjectContext,
    _ change: (_ object: Object, _ number: Int) throws -> Void = { _, _ in }
  ) throws -> [Object] {
    let maker = try ObjectMaker(context)
    do {
      let objects = try make(count, by: maker, change)
      try maker.makeRequired()
      try maker.validate()
      return objects
    } catch {
      maker.removeAll()
      throw error
    }
  }

  /// Makes an object in a context, which is not saved. Called on the context's queue.
  ///
  /// - Parameters:
  ///   - context: The context. Its store has to be open.
  ///   - change: Changes the object as the last, by its number from 1.
  /// - Throws: The errors of ``create(_:in:_:)``.
  @discardableResult
  public func create(
    in context: NSManagedObjectContext,
    _ change: (_ object: Object, _ number: Int) throws -> Void = { _, _ in }
  ) throws -> Object {
    let objects = try create(1, in: context, change)
    return objects[0]
  }

  private func make(
    _ count: Int,
    by maker: ObjectMaker,
    _ change: (Object, Int) throws -> Void = { _, _ in }
  ) throws -> [Object] {
    var objects: [Object] = []
    for _ in 0..<max(0, count) { objects.append(try make(by: maker, change)) }
    return objects
  }

  fileprivate func make(
    by maker: ObjectMaker,
    _ change: (Object, Int) throws -> Void = { _, _ in }
  ) throws -> Object {
    let entity = try maker.entity(named: entity, of: Object.self)
    var made: Object?
    try maker.make(entity, settings: settings) { object, number in
      guard let object = object as? Object else {
        throw GenerationError(
          place: entity.name ?? "",
          problem:
            "its objects are of the class \(type(of: object)), and the factory makes those of \(Object.self)",
          remedy: "make a Factory<\(type(of: object))>, or a Factory<NSManagedObject> of the entity's name"
        )
      }
      made = object
      for step in changes { try step(object, number, maker) }
      try change(object, number)
    }
    guard let made else {
      throw GenerationError(place: entity.name ?? "", problem: "no object was made", remedy: "report this")
    }
    return made
  }
}

extension RandomNumbers {
  /// The next decimal number of a range, with two decimal places at most where the range allows it.
  fileprivate func decimal(in range: ClosedRange<Decimal>) -> Decimal {
    var numbers = self
    let share = Decimal(numbers.next(below: 1_000_001)) / 1_000_000
    let between = range.lowerBound + (range.upperBound - range.lowerBound) * share
    var value = min(max(between, range.lowerBound), range.upperBound)
    var rounded = Decimal()
    NSDecimalRound(&rounded, &value, 2, .plain)
    return range.contains(rounded) ? rounded : value
  }
}

/// The generator's random numbers for the functions of the standard library.
private struct RandomNumberSource: RandomNumberGenerator {
  var numbers: RandomNumbers

  mutating func next() -> UInt64 { numbers.next() }
}

/// The settings that determine the values of a factory's objects.
struct FactorySettings: Hashable, Sendable {
  let language: NameLanguage?
  let seed: UInt64
}
