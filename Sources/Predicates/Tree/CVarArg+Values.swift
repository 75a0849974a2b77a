public import Foundation

// On Apple's platforms every object is a CVarArg, and code for Core Data passes its arguments so:
// NSPredicate(format: "id == %@", id as CVarArg). With these conformances the same source compiles
// here. The formats of predicates take the values without encoding them. Only String(format: "%@",
// …) requests the encoding, and then prints the description, as on Apple's platforms.

extension NSObject: @retroactive CVarArg {
  /// The object's address. It is not retained: the list of arguments holds the object until the
  /// call that they are given to has returned.
  public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension Date: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

extension UUID: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

extension URL: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

extension Data: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

extension Decimal: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

extension Array: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

extension Set: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

extension Dictionary: @retroactive CVarArg {
  /// The address of the description.
  public var _cVarArgEncoding: [Int] { encodedDescription(self) }
}

/// The address of a text that is never freed, because the callee does not say when it has read it.
private func encodedDescription(_ value: some CustomStringConvertible) -> [Int] {
  [Int(bitPattern: Unmanaged.passRetained(NSString(string: value.description)).toOpaque())]
}
