public import Foundation
import Synchronization

/// Makes one value of another, and perhaps the first of the second.
///
/// An instance registered under a name is what a transformable attribute with that
/// ``NSAttributeDescription/valueTransformerName`` is stored by. Apple's documentation of
/// `ValueTransformer`.
open class ValueTransformer: NSObject {
  public override init() { super.init() }

  /// The class of what ``transformedValue(_:)`` comes back with; subclasses say which.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Returns true when ``reverseTransformedValue(_:)`` can be called; `true` unless overridden.
  open class func allowsReverseTransformation() -> Bool { true }

  /// Returns the value that the transformer makes of another: the value itself unless overridden.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// The value of which the given one was made: what ``transformedValue(_:)`` makes of it, unless
  /// overridden.
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

  /// Registers a transformer, in place of another of that name; `nil` takes the name away.
  ///
  /// Transformers are called on the queues of the contexts that save and fetch.
  public class func setValueTransformer(
    _ transformer: ValueTransformer?,
    forName name: NSValueTransformerName
  ) {
    registry.set(transformer, name)
  }

  /// The names under which transformers are registered.
  public class func valueTransformerNames() -> [NSValueTransformerName] { registry.names }

  fileprivate static let registry = Registry()
}

/// Lets ``ValueTransformer/init(forName:)`` come back with the registered instance.
public protocol RegisteredValueTransformer {}

extension ValueTransformer: RegisteredValueTransformer {}

extension RegisteredValueTransformer where Self: ValueTransformer {
  /// The transformer that is registered under a name.
  ///
  /// Apple's framework also makes one of a class of that name; here transformers have to be
  /// registered, since nothing can be made of a class that is only known at run time.
  public init?(forName name: NSValueTransformerName) {
    guard let transformer = ValueTransformer.registry.transformer(name) as? Self else { return nil }
    self = transformer
  }
}

/// The transformers, by their names.
private final class Registry: Sendable {
  /// Transformers are shared by all threads, as on Apple's platforms.
  // Behind the registry's lock; transformers themselves are safe on any thread, as Apple demands of
  // them.
  private struct Shared: @unchecked Sendable {
    var transformers: [NSValueTransformerName: ValueTransformer] = [
      .negateBooleanTransformerName: NegateBooleanTransformer(),
      .isNilTransformerName: IsNilTransformer(isInverted: false),
      .isNotNilTransformerName: IsNilTransformer(isInverted: true),
      .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
    ]
  }

  private let shared = Mutex(Shared())

  var names: [NSValueTransformerName] {
    shared.withLock { $0.transformers.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  func set(_ transformer: ValueTransformer?, _ name: NSValueTransformerName) {
    let unchecked = Unchecked(transformer: transformer)
    shared.withLock { $0.transformers[name] = unchecked.transformer }
  }

  func transformer(_ name: NSValueTransformerName) -> ValueTransformer? {
    shared.withLock { Unchecked(transformer: $0.transformers[name]) }.transformer
  }

  // Carries a transformer, which is safe on any thread, across the registry's lock.
  private struct Unchecked: @unchecked Sendable {
    let transformer: ValueTransformer?
  }
}
