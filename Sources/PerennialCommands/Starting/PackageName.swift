import ArgumentParser
import Texts

/// The name of a new package, and of its folder, module, model and program.
struct PackageName: ExpressibleByArgument, Equatable, CustomStringConvertible {
  let text: String

  var description: String { text }

  /// The longest name, in characters. The test module and other files have longer names derived from it.
  static let longest = 64

  init(argument: String) { text = argument }

  /// The reason that a package cannot have the name, with the remedy; `nil` for a valid name.
  var problem: String? {
    if text.count > Self.longest {
      return "the name has more than \(Self.longest) characters; give a shorter one"
    }
    guard text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
      return """
        "\(text.abbreviated)" is not a name of a Swift module; give one of letters, digits and underscores that \
        begins with a letter, such as Garden
        """
    }
    if Self.words.contains(text) { return "\"\(text)\" is a word of the language Swift; give another name" }
    if Self.types.contains(text) {
      return "\"\(text)\" is the name of a type in the new package; give another one, such as \(text)Book"
    }
    if Self.modules.contains(text) || text.lowercased() == "perennial" {
      return "\"\(text)\" is the name of a module that the new package is built with; give another name"
    }
    return nil
  }

  /// Swift's reserved words in declarations, statements and expressions.
  private static let words: Set = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
    "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while", "Type",
    "Protocol", "actor", "await", "async", "some", "any", "main",
  ]

  /// The types that every new package declares.
  private static let types: Set = ["Note", "Topic", "Notebook", "Program"]

  /// The targets of this package and of the packages that a new package resolves with it, and the toolchain's
  /// modules. Two targets of one name cannot be built together.
  private static let modules: Set = [
    "Browser", "CBrowserResources", "CDigests", "CLoadedLibraries", "CLookups", "CoreData",
    "CoreDataModelPlugin", "CoreDataPostgreSQL", "CoreDataServer", "CPostgreSQL", "CrashTest", "CRuntime",
    "CSystemSQLite", "CZlib", "DataGeneration", "Deflate", "Diagrams", "Digests", "Files", "HTTPTestClient",
    "ModelCompiler", "ModelCompilerTool", "ModelFormats", "MutantTest", "PerennialCommands", "PostgreSQLDriver",
    "Predicates", "PropertyLists", "RemoteSeeding", "SaleTest", "Seeding", "Semaphores", "SourcePorting",
    "SQLiteDriver", "StoreEditing", "StoreExploration", "TestModels", "TestSupport", "Texts",
    "InMemoryLogging", "Logging", "SwiftBasicFormat", "SwiftCompilerPlugin",
    "SwiftCompilerPluginMessageHandling", "SwiftDiagnostics", "SwiftIDEUtils", "SwiftIfConfig",
    "SwiftLexicalLookup", "SwiftLibraryPluginProvider", "SwiftOperators", "SwiftParser",
    "SwiftParserDiagnostics", "SwiftRefactor", "SwiftSyntax", "SwiftSyntaxBuilder",
    "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros", "SwiftWarningControl",
    "Builtin", "CoreFoundation", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking",
    "FoundationXML", "Glibc", "Observation", "PackageDescription", "Swift", "SwiftShims", "Synchronization",
    "Testing", "XCTest",
  ]
}
