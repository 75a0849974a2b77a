/// The arguments that the plugin passes to the tool.
package struct CommandArguments {
  /// The compilation that the arguments describe.
  package let compilation: ModelCompilation

  /// The usage message of the tool.
  package static let usage = """
    usage: ModelCompilerTool --module NAME --output FILE [--source FILE]… [--model MODEL OUTPUT]… [--mapping MAPPING OUTPUT]… \
    [--dependency NAME FOLDER]… [--folder FOLDER [--bundle BUILDS NAME] [--resource NAME]…]
    """

  /// - Throws: a message about a missing or unknown argument.
  package init(_ arguments: [String]) throws {
    var module: String?
    var output: String?
    var compilation = ModelCompilation(module: "", output: "")
    var folder = PluginFolder(path: "")
    var rest = arguments[...]
    func next(_ option: String) throws -> String {
      guard let value = rest.popFirst() else {
        throw CompilationError(file: option, message: "the argument is missing\n\(Self.usage)")
      }
      return value
    }
    while let option = rest.popFirst() {
      switch option {
      case "--module": module = try next(option)
      case "--output": output = try next(option)
      case "--source": compilation.sources.append(try next(option))
      case "--model": compilation.models.append(.init(source: try next(option), output: try next(option)))
      case "--mapping": compilation.mappings.append(.init(source: try next(option), output: try next(option)))
      case "--dependency": compilation.dependencies.append((module: try next(option), folder: try next(option)))
      case "--folder": folder.path = try next(option)
      case "--bundle": (folder.builds, folder.bundle) = (try next(option), try next(option))
      case "--resource": folder.resources.insert(try next(option))
      default: throw CompilationError(file: option, message: "there is no such option\n\(Self.usage)")
      }
    }
    guard let module, let output else {
      throw CompilationError(file: "ModelCompilerTool", message: "--module and --output are needed\n\(Self.usage)")
    }
    compilation.module = module
    compilation.output = output
    compilation.folder = folder.path.isEmpty ? nil : folder
    self.compilation = compilation
  }
}
