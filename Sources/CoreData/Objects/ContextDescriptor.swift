/// The record that a compiled program has of a declaration: its name, what it is in, and for a
/// class how to get at it.
///
/// The layout is that of `docs/ABI/TypeMetadata.rst` of the Swift compiler, where the binary
/// interface is stable or must stay so for programs that reflect. It is part of the program's
/// image, which no one changes.
// It points into the program's image, which nobody changes and which is there until the end.
struct ContextDescriptor: @unchecked Sendable {
  private let address: UnsafeRawPointer

  private enum Kind: UInt32 {
    case module = 0
    case `extension` = 1
    case anonymous = 2
    case `class` = 16
    case structure = 17
    case enumeration = 18
  }

  private enum Offset {
    static let parent = 4
    static let name = 8
    static let accessFunction = 12
  }

  private init(_ address: UnsafeRawPointer) {
    self.address = address
  }

  /// The declaration that a record of an image refers to: directly, or through a pointer.
  init?(record: UnsafeRawPointer) {
    let reference = record.load(as: Int32.self)
    let target = record + Int(reference & ~3)
    switch reference & 3 {
    case 0: self.init(target)
    case 1:
      guard let address = target.load(as: UnsafeRawPointer?.self) else { return nil }
      self.init(address)
    default: return nil
    }
  }

  private var flags: UInt32 { address.load(as: UInt32.self) }
  private var kind: Kind? { Kind(rawValue: flags & 0x1f) }
  private var isGeneric: Bool { flags & 0x80 != 0 }

  /// True when the declaration is a class of which objects can be made without generic arguments.
  var isPlainClass: Bool { kind == .class && !isGeneric }

  /// The name; `nil` for extensions and for what has none.
  var name: String? {
    switch kind {
    case .module, .class, .structure, .enumeration:
      String(cString: Self.target(of: address + Offset.name).assumingMemoryBound(to: CChar.self))
    default: nil
    }
  }

  /// The names from the module to the declaration; a type that is extended in another module is not
  /// among them.
  var path: [String] {
    var names: [String] = []
    var current: ContextDescriptor? = self
    while let descriptor = current {
      if let name = descriptor.name { names.append(name) }
      current = descriptor.parent
    }
    return names.reversed()
  }

  /// The class itself; only for plain classes.
  var type: Any.Type {
    typealias AccessFunction = @convention(c) (Int) -> UnsafeRawPointer
    let function = unsafeBitCast(Self.target(of: address + Offset.accessFunction), to: AccessFunction.self)
    // A request of 0 is for the whole metadata, however long that takes.
    return unsafeBitCast(function(0), to: Any.Type.self)
  }

  /// The declaration or the module that this declaration is in; `nil` where it is in none.
  private var parent: ContextDescriptor? {
    let reference = address + Offset.parent
    let offset = reference.load(as: Int32.self)
    if offset == 0 { return nil }
    if offset & 1 == 0 { return ContextDescriptor(reference + Int(offset)) }
    return (reference + Int(offset & ~1)).load(as: UnsafeRawPointer?.self).map(ContextDescriptor.init)
  }

  /// The address that a reference leads to, which is relative to the reference's own place.
  private static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer {
    reference + Int(reference.load(as: Int32.self))
  }
}
