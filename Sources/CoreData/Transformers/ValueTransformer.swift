public import Foundation
import ModelFormats
import Synchronization

/// Makes one value of another, and perhaps the first of the second.
///
/// An instance registered under a name is what a transformable attribute with that
/// ``NSAttributeDescription/valueTransformerName`` is stored by. Apple's documentation of `ValueTransformer`.
///
/// ```swift
/// final class PathTransformer: ValueTransformer {
///   override class func transformedValueClass() -> AnyClass { NSData.self }
///
///   override func transformedValue(_ value: Any?) -> Any? {
///     (value as? [String]).map { Data($0.joined(separator: "/").utf8) }
///   }
///
///   override func reverseTransformedValue(_ value: Any?) -> Any? {
///     (value as? Data).map { String(decoding: $0, as: UTF8.self).components(separatedBy: "/") }
///   }
/// }
/// ```
open class ValueTransformer: NSObject {
  public override init() { super.init() }

  /// The class of what ``transformedValue(_:)`` comes back with; subclasses say which.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Returns true when ``reverseTransformedValue(_:)`` can be called; `true` unless overridden.
  open class func allowsReverseTransformation() -> Bool { true }

  /// Returns the transformed value: the value itself unless overridden.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Returns the original of a transformed value: the result of ``transformedValue(_:)``, unless overridden.
  ///
  /// The transformer must allow the reverse transformation.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    precondition(
      Swift.type(of: self).allowsReverseTransformation(),
      "\(Swift.type(of: self)) allows no reverse transformation: ask allowsReverseTransformation() first."
    )
    return transformedValue(value)
  }

  // MARK: - Registering

  /// Registers a transformer, which replaces another one with the same name; `nil` removes the registration.
  ///
  /// Transformers are called on the queues of the contexts that save and fetch.
  public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    registry.set(transformer, name: name)
  }

  /// The names under which transformers are registered.
  public class func valueTransformerNames() -> [NSValueTransformerName] { registry.names }

  fileprivate static let registry = Registry()
}

/// Lets ``ValueTransformer/init(forName:)`` come back with the registered instance.
public protocol RegisteredValueTransformer {}

extension ValueTransformer: RegisteredValueTransformer {}

extension RegisteredValueTransformer where Self: ValueTransformer {
  /// The transformer that is registered under a name, or else the one of a class of that name, with
  /// or without its module, that is registered under another name.
  ///
  /// The transformer of archives is found by each name that a model may give it.
  ///
  /// Apple's framework also creates an instance of a class with that name. Here, transformers have
  /// to be registered, because a class that is only known at run time cannot be instantiated.
  public init?(forName name: NSValueTransformerName) {
    guard let transformer = ValueTransformer.registry.transformer(name) as? Self else { return nil }
    self = transformer
  }
}

/// The transformers, by their names.
private final class Registry: Sendable {
  /// Transformers are shared by all threads, as on Apple's platforms.
  // The registry's lock protects it; transformers themselves are safe on any thread, as Apple demands of them.
  private struct Shared: @unchecked Sendable {
    private(set) var transformers: [NSValueTransformerName: ValueTransformer] = [
      .negateBooleanTransformerName: NegateBooleanTransformer(),
      .isNilTransformerName: IsNilTransformer(isInverted: false),
      .isNotNilTransformerName: IsNilTransformer(isInverted: true),
      .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
    ]
    /// The transformers by the names of their classes, with and without the module.
    private var transformersOfClasses: [String: ValueTransformer] = [:]

    init() { findClasses() }

    mutating func set(_ transformer: ValueTransformer?, name: NSValueTransformerName) {
      transformers[name] = transformer
      findClasses()
    }

    func transformer(_ name: NSValueTransformerName) -> ValueTransformer? {
      if let known = transformers[name] ?? transformersOfClasses[name.rawValue] { return known }
      // A model names the transformer of archives in several ways. An empty name means no transformer.
      guard !name.rawValue.isEmpty, ArchivingTransformers.names.contains(name.rawValue) else { return nil }
      return transformers[.secureUnarchiveFromDataTransformerName]
    }

    /// Of several transformers of a class, the one whose name is the first in order is found.
    private mutating func findClasses() {
      transformersOfClasses = [:]
      for (_, transformer) in transformers.sorted(by: { $0.key.rawValue > $1.key.rawValue }) {
        let type = Swift.type(of: transformer)
        for name in [String(describing: type), String(reflecting: type)] { transformersOfClasses[name] = transformer }
      }
    }
  }

  private let shared = Mutex(Shared())

  var names: [NSValueTransformerName] {
    shared.withLock { $0.transformers.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  func set(_ transformer: ValueTransformer?, name: NSValueTransformerName) {
    let unchecked = Unchecked(transformer: transformer)
    shared.withLock { $0.set(unchecked.transformer, name: name) }
  }

  func transformer(_ name: NSValueTransformerName) -> ValueTransformer? {
    shared.withLock { Unchecked(transformer: $0.transformer(name)) }.transformer
  }

  // Carries a transformer, which is safe on any thread, across the registry's lock.
  private struct Unchecked: @unchecked Sendable {
    let transformer: ValueTransformer?
  }
}

/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  /// Makes the name of a transformer.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a Boolean of its opposite.
  public static let negateBooleanTransformerName = Self("NSNegateBoolean")
  /// Says whether a value is `nil`.
  public static let isNilTransformerName = Self("NSIsNil")
  /// Says whether a value is there.
  public static let isNotNilTransformerName = Self("NSIsNotNil")
  /// Makes objects of archives that were made with secure coding.
  public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}

/// `NSNegateBoolean`: the opposite of a Boolean.
final class NegateBooleanTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: !((value as? Bool) ?? false)) }
}

/// `NSIsNil` and `NSIsNotNil`: true when there is no value, and when there is one.
final class IsNilTransformer: ValueTransformer {
  private let isInverted: Bool

  init(isInverted: Bool) {
    self.isInverted = isInverted
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override class func allowsReverseTransformation() -> Bool { false }

  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: (value == nil || value is NSNull) != isInverted)
  }
}

/// Makes objects of archives that were made with secure coding, and archives of objects.
///
/// The transformer of transformable attributes that name no transformer, and the superclass of those for an
/// application's own classes, which override ``allowedTopLevelClasses``. Stores call such transformers in the reverse
/// direction of all others: the store keeps the result of ``reverseTransformedValue(_:)``. Apple's documentation of
/// `NSSecureUnarchiveFromDataTransformer`.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes whose objects an archive may hold: Foundation's collections, strings, numbers,
  /// dates, data, URLs, UUIDs and null, unless overridden.
  open class var allowedTopLevelClasses: [AnyClass] { SecureArchive.plainClasses }

  /// The object in an archive; `nil` when the value is not data, or is an archive of another class.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    return try? SecureArchive.object(in: data, classes: classes)
  }

  /// An archive of an object; `nil` when the object is of no class that is allowed.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    return try? SecureArchive.data(of: value, classes: classes)
  }

  private var classes: [AnyClass] { Swift.type(of: self).allowedTopLevelClasses }
}
