import CRuntime
import Synchronization

/// The classes of the running program by their names, in whatever module and however deep they are
/// declared.
///
/// `NSClassFromString` finds classes at the top of a module when the module is named. Models mostly
/// do not name it, since on Apple's platforms a class has a name in the Objective-C runtime that
/// stands alone.
enum LoadedClasses {
  private struct Index {
    /// The images that it was made from: a program may load more of them.
    var imageCount: Int
    var classes: [String: [ContextDescriptor]]
  }

  private static let index = Mutex<Index?>(nil)

  /// The class under another of a name: of the class alone, or with the types around it and the
  /// module in front.
  ///
  /// Of several classes with the name it is the one that is nested least, and then the first by its
  /// module's name.
  static func subclass<Superclass: AnyObject>(
    of superclass: Superclass.Type,
    named name: String
  ) -> Superclass.Type? {
    let names = components(of: name)
    guard let last = names.last else { return nil }
    let candidates = descriptors(named: last).map { (path: $0.path, descriptor: $0) }
      .filter { $0.path.suffix(names.count) == names[...] }
      .sorted { ($0.path.count, $0.path.joined()) < ($1.path.count, $1.path.joined()) }
    return candidates.lazy.compactMap { $0.descriptor.type as? Superclass.Type }.first
  }

  /// All classes under another of a name, in whatever modules, in the order of these.
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
      let size = MemoryLayout<Int32>.size
      for offset in stride(from: 0, through: records.count - size, by: size) {
        guard let start = records.baseAddress, let descriptor = ContextDescriptor(record: start + offset),
          descriptor.isPlainClass, let name = descriptor.name
        else { continue }
        classes[name, default: []].append(descriptor)
      }
    }
    return classes
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
