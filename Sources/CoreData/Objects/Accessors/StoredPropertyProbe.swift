import Foundation

/// Finds the name of a stored property that a key path leads to, in a class of objects that is not final.
///
/// The standard library knows the names of stored properties only where no subclass can override them. Here a value is
/// written through the key path into an object made for it; the property that has the value then is the one.
struct StoredPropertyProbe {
  let object: NSManagedObject

  /// The name; `nil` for a key path that cannot be written, or that leads to no stored property of
  /// the object itself or to one of a type that no value is known of.
  func name(of keyPath: AnyKeyPath) -> String? {
    guard let type = type(of: keyPath).valueType as? any ProbedValue.Type else { return nil }
    return name(of: keyPath, type: type)
  }

  private func name<Value: ProbedValue>(of keyPath: AnyKeyPath, type: Value.Type) -> String? {
    guard let value = object[keyPath: keyPath] as? Value,
      let probe = Value.probes.first(where: { $0 != value })
    else { return nil }
    let candidates = names(of: value)
    guard !candidates.isEmpty, let root = Swift.type(of: keyPath).rootType as? NSManagedObject.Type,
      write(probe, keyPath: keyPath, root: root)
    else { return nil }
    let written = names(of: probe).filter(candidates.contains)
    return written.count == 1 ? written.first : nil
  }

  /// The stored properties that have a value.
  private func names<Value: ProbedValue>(of value: Value) -> [String] {
    var names: [String] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror, current.subjectType != NSManagedObject.self {
      names += current.children.filter { $0.value as? Value == value }.compactMap(\.label)
      mirror = current.superclassMirror
    }
    return names.filter { !$0.contains("$") }
  }

  /// Writes through a key path, and returns true when it can be written.
  private func write<Value>(_ value: Value, keyPath: AnyKeyPath, root: Any.Type) -> Bool {
    func write<Root>(_: Root.Type) -> Bool {
      guard let writable = keyPath as? ReferenceWritableKeyPath<Root, Value>, let object = object as? Root
      else { return false }
      object[keyPath: writable] = value
      return true
    }
    return _openExistential(root, do: write)
  }
}

/// A type of which two values are known that differ.
private protocol ProbedValue: Equatable {
  static var probes: [Self] { get }
}

extension String: ProbedValue {
  fileprivate static var probes: [String] { ["a probe", "another probe"] }
}
extension Bool: ProbedValue {
  fileprivate static var probes: [Bool] { [true, false] }
}
extension Date: ProbedValue {
  fileprivate static var probes: [Date] { [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)] }
}
extension Data: ProbedValue {
  fileprivate static var probes: [Data] { [Data([1]), Data([2])] }
}
extension UUID: ProbedValue {
  fileprivate static var probes: [UUID] { [UUID(), UUID()] }
}
extension URL: ProbedValue {
  fileprivate static var probes: [URL] { [URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b")] }
}
extension ProbedValue where Self: ExpressibleByIntegerLiteral {
  fileprivate static var probes: [Self] { [1, 2] }
}
extension Int: ProbedValue {}
extension Int16: ProbedValue {}
extension Int32: ProbedValue {}
extension Int64: ProbedValue {}
extension Double: ProbedValue {}
extension Float: ProbedValue {}
extension Decimal: ProbedValue {}
extension Optional: ProbedValue where Wrapped: ProbedValue {
  fileprivate static var probes: [Wrapped?] { Wrapped.probes }
}
