import CRuntime
import Synchronization

/// The classes of the running program by their names, in every module and at every level of nesting.
///
/// `NSClassFromString` finds classes at the top of a module when the module is named. Models mostly do not name it,
/// since on Apple's platforms a class has a name in the Objective-C runtime that stands alone.
enum LoadedClasses {
  private struct Index {
    /// The images that it was made from: a program may load more of them.
    var imageCount: Int
    var classes: [String: [ContextDescriptor]]
  }

  private static let index = Mutex<Index?>(nil)
  private static let moduleNames = Mutex<(imageCount: Int, names: Set<String>)?>(nil)

  /// The classes under another of a name: of the class alone, or with the types around it and the module in front.
  ///
  /// The classes with the least nesting come first, sorted by the module's name.
  static func classes<Superclass: AnyObject>(
    under superclass: Superclass.Type,
    named name: String
  ) -> [LoadedClass<Superclass>] {
    let names = components(of: name)
    guard let last = names.last else { return [] }
    return descriptors(named: last).map { (path: $0.path, descriptor: $0) }
      .filter { $0.path.suffix(names.count) == names[...] }
      .sorted { ($0.path.count, $0.path.joined()) < ($1.path.count, $1.path.joined()) }
      .compactMap { path, descriptor in
        (descriptor.type as? Superclass.Type).map { LoadedClass(type: $0, path: path) }
      }
  }

  /// The names of the modules that the program has types of.
  static func modules() -> Set<String> {
    let images = images()
    return moduleNames.withLock { known in
      if let known, known.imageCount == images.count { return known.names }
      let names = modules(in: images)
      known = (images.count, names)
      return names
    }
  }

  /// All subclasses of a class with the given name, in any module, in the order of the modules.
  static func subclasses<Superclass: AnyObject>(
    of superclass: Superclass.Type,
    named name: String
  ) -> [Superclass.Type] {
    descriptors(named: name).sorted { $0.path.lexicographicallyPrecedes($1.path) }
      .compactMap { $0.type as? Superclass.Type }
  }

  /// The names in a name, without what stands there for the file of a private class.
  private static func components(of name: String) -> [String] {
    name.split(separator: ".").filter { !$0.hasPrefix("(unknown context") }.map(String.init)
  }

  private static func descriptors(named name: String) -> [ContextDescriptor] {
    let images = images()
    return index.withLock { index in
      if let index, index.imageCount == images.count { return index.classes[name] ?? [] }
      let new = Index(imageCount: images.count, classes: classes(in: images))
      index = new
      return new.classes[name] ?? []
    }
  }

  private static func classes(in images: [UnsafeRawBufferPointer]) -> [String: [ContextDescriptor]] {
    var classes: [String: [ContextDescriptor]] = [:]
    for records in images {
      forEachDescriptor(in: records) { descriptor in
        guard descriptor.isPlainClass, let name = descriptor.name else { return }
        classes[name, default: []].append(descriptor)
      }
    }
    return classes
  }

  private static func modules(in images: [UnsafeRawBufferPointer]) -> Set<String> {
    var modules: Set<ContextDescriptor> = []
    for records in images {
      forEachDescriptor(in: records) { modules.insert($0.outermost) }
    }
    return Set(modules.compactMap(\.name))
  }

  private static func forEachDescriptor(in records: UnsafeRawBufferPointer, _ body: (ContextDescriptor) -> Void) {
    let size = MemoryLayout<Int32>.size
    guard let start = records.baseAddress else { return }
    for offset in stride(from: 0, through: records.count - size, by: size) {
      if let descriptor = ContextDescriptor(record: start + offset) { body(descriptor) }
    }
  }

  /// The records of the types of each image.
  private static func images() -> [UnsafeRawBufferPointer] {
    var images: [UnsafeRawBufferPointer] = []
    withUnsafeMutablePointer(to: &images) { images in
      swift_enumerateAllMetadataSections(
        { sections, images in
          let section = sections.pointee.typeMetadata
          images?.assumingMemoryBound(to: [UnsafeRawBufferPointer].self).pointee
            .append(UnsafeRawBufferPointer(start: section.start, count: section.length))
          return true
        },
        images
      )
    }
    return images
  }
}

/// A class that a name leads to.
struct LoadedClass<Superclass: AnyObject> {
  let type: Superclass.Type
  /// The names from the module to the class.
  let path: [String]
}

/// The record that a compiled program has of a declaration: its name, what it is in, and for a class how to get at it.
///
/// The layout is that of `docs/ABI/TypeMetadata.rst` of the Swift compiler, where the binary interface is stable or
/// must stay so for programs that reflect. It is part of the program's image, which no one changes.
// It points into the program's image, which is immutable and stays loaded until the process ends.
struct ContextDescriptor: Hashable, @unchecked Sendable {
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

  private init(_ address: UnsafeRawPointer) { self.address = address }

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

  /// The names from the module to the declaration; a type that is extended in another module is not among them.
  var path: [String] {
    var names: [String] = []
    var current: ContextDescriptor? = self
    while let descriptor = current {
      if let name = descriptor.name { names.append(name) }
      current = descriptor.parent
    }
    return names.reversed()
  }

  /// The module that the declaration is in; the declaration itself where it is in none.
  var outermost: ContextDescriptor {
    var current = self
    while let parent = current.parent { current = parent }
    return current
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
