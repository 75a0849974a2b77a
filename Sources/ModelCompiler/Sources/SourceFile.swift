import Foundation
import SwiftParser

/// A Swift source file of a module. It is parsed when its contents are first used.
final class SourceFile {
  /// An `import` of the file.
  struct Import {
    var module: String
    var access: AccessLevel?
    var isTestable = false
    var isExported = false
    var conditions: [String] = []
    var position: SourcePosition
  }

  /// The declarations and imports of the file.
  struct Contents {
    var imports: [Import] = []
    /// The types, type aliases and extensions at the top level.
    var declarations: [Declaration] = []
    /// Members with `@NSManaged` in functions and closures.
    var localManagedMembers: [SourcePosition] = []
    /// The attributes that do not compile without Objective-C.
    var objectiveCAttributes: [ObjectiveCAttribute] = []
  }

  let path: String
  /// True when the file consists of the declarations of classes that the build generates.
  let isGenerated: Bool
  /// True when the file was generated to be committed.
  let isCommitted: Bool
  unowned let module: SourceModule
  private var source: [UInt8]?

  /// The names that the file may declare.
  let declaredNames: Set<String>
  /// The names that the file may extend.
  let extendedNames: Set<String>
  /// The names of the possible superclasses of the file's classes.
  let superclasses: [String: String]
  /// The number of times that `@NSManaged` occurs anywhere in the file.
  let managedCount: Int
  /// The names of this package's classes in the file that Foundation declares as well.
  let ambiguousNames: Set<String>
  /// True when something in the file may conform to `Identifiable`.
  let mentionsIdentifiable: Bool
  /// True when the file may have an attribute that does not compile without Objective-C.
  let mentionsObjectiveC: Bool
  /// The access levels before the imports, by module.
  let importWords: [String: Set<String>]

  convenience init(path: String, module: SourceModule) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CompilationError(file: path, message: "the file cannot be read")
    }
    self.init(path: path, source: Array(data), module: module)
  }

  /// - Parameter isGenerated: whether the build generates the file's classes.
  init(path: String, source bytes: [UInt8], module: SourceModule, isGenerated: Bool = false) {
    self.isGenerated = isGenerated
    isCommitted = GeneratedPurpose.isCommitted(bytes)
    let scanner = NameScanner(bytes)
    self.path = path
    self.module = module
    source = bytes
    declaredNames = scanner.names
    extendedNames = scanner.extendedNames
    superclasses = scanner.superclasses
    managedCount = scanner.managedCount
    ambiguousNames = scanner.ambiguousNames
    mentionsIdentifiable = scanner.mentionsIdentifiable
    mentionsObjectiveC = scanner.mentionsObjectiveC
    importWords = scanner.importWords
  }

  private(set) lazy var contents: Contents = {
    let bytes = source ?? []
    source = nil
    let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
    var collector = DeclarationCollector(file: self, lines: LineTable(bytes))
    return collector.collect(tree)
  }()

  /// The text that identifies the file in the symbols of its private declarations.
  private(set) lazy var discriminator = FileDiscriminator.make(module: module.name, file: path)
}

/// Converts offsets in the bytes of a file into lines and columns.
package struct LineTable {
  private let lineStarts: [Int]

  package init(_ source: [UInt8]) {
    var starts = [0]
    source.withUnsafeBufferPointer { bytes in
      for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  package func position(of offset: Int) -> SourcePosition {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: offset - lineStarts[low] + 1)
  }
}
