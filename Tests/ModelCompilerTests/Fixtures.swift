import Foundation

@testable import ModelCompiler

/// The Swift sources that the tests compile.
enum Fixtures {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Fixtures"
  )

  static func sources(of module: String) throws -> [URL] {
    let folder = folder.appendingPathComponent(module)
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted {
      $0.path < $1.path
    }
  }

  /// Declares properties of every toolchain type that accessors support, alone and in the generic types of the
  /// standard library.
  static func knownTypes() -> String {
    var lines = ["import CoreData", "class KnownTypesHolder: NSManagedObject {"]
    for (index, path) in KnownTypes.paths.enumerated() {
      guard case .nominal(let type)? = KnownTypes.entry(path), type.kind != .protocol, !type.isGeneric,
        type.module != "CoreData", !unavailable.contains(path)
      else { continue }
      let forms = [path, "\(path)?", "[\(path)]", "[String: \(path)?]", "(\(path), Date)?"]
      lines.append("  @NSManaged var p\(index): \(path)?")
      lines.append("  @NSManaged var \(type.name)Value\(index): \(forms[index % forms.count])")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  /// Types that symbols may name and sources may not.
  private static let unavailable: Set = ["UnboundedRange_"]
}
