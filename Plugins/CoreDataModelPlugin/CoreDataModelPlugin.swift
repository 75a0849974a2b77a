import Foundation
import PackagePlugin

/// Generates what a target with managed objects needs on platforms without Core Data: the accessors of `@NSManaged`, the
/// classes of its models, and the compiled models and mapping models as resources.
///
/// On Apple's platforms it does nothing: there the compiler, the framework and Xcode do it all.
@main
struct CoreDataModelPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    #if os(macOS)
      return []
    #else
      guard let target = target as? SwiftSourceModuleTarget else { return [] }
      return [try TargetFiles(target).command(context)]
    #endif
  }
}

/// The files of a target that the tool reads, and those that it writes.
private struct TargetFiles {
  private let target: SwiftSourceModuleTarget
  private let sources: [URL]
  private let models: [URL]
  private let mappings: [URL]
  private let dependencies: [SwiftSourceModuleTarget]

  init(_ target: SwiftSourceModuleTarget) {
    self.target = target
    sources = target.sourceFiles(withSuffix: ".swift").map(\.url)
    models = Self.models(of: target)
    mappings = target.sourceFiles.map(\.url).filter { $0.pathExtension == "xcmappingmodel" }
    dependencies = target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }.filter {
      !Self.ownModules.contains($0.moduleName)
    }
  }

  func command(_ context: PluginContext) throws -> Command {
    let folder = context.pluginWorkDirectoryURL
    let output = folder.appendingPathComponent("\(target.moduleName)+CoreDataModel.swift")
    var arguments = ["--module", target.moduleName, "--output", output.path]
    arguments += ["--folder", folder.path] + bundleArguments(context)
    var inputs = sources
    var outputs = [output]
    for source in sources { arguments += ["--source", source.path] }
    let compiled = models.map { ("--model", $0, "momd") } + mappings.map { ("--mapping", $0, "cdm") }
    for (option, model, suffix) in compiled {
      let file = folder.appendingPathComponent(Self.compiledName(of: model, suffix))
      arguments += [option, model.path, file.path]
      inputs += [model] + Self.files(below: model)
      // Of models with the same name the tool makes an error.
      if !outputs.contains(file) { outputs.append(file) }
    }
    for dependency in dependencies {
      arguments += ["--dependency", dependency.moduleName, dependency.directoryURL.path]
      inputs += dependency.sourceFiles(withSuffix: ".swift").map(\.url)
      inputs += Self.models(of: dependency).flatMap { [$0] + Self.files(below: $0) }
    }
    return .buildCommand(
      displayName: "Generating the Core Data accessors and models of \(target.name)",
      executable: try context.tool(named: "ModelCompilerTool").url,
      arguments: arguments,
      inputFiles: inputs,
      outputFiles: outputs
    )
  }

  /// What tells the tool where the package manager copies the models to, and which resources of that kind are the target's
  /// own: the tool removes the copies of models that are gone.
  private func bundleArguments(_ context: PluginContext) -> [String] {
    let resources = target.sourceFiles.map(\.url).filter { ["momd", "cdm"].contains($0.pathExtension) }
    var arguments = resources.flatMap { ["--resource", $0.lastPathComponent] }
    if let builds = Self.builds(around: context.pluginWorkDirectoryURL) {
      arguments += ["--bundle", builds.path, "\(context.package.displayName)_\(target.name).resources"]
    }
    return arguments
  }

  /// The package manager's folder, in which a plugin's own is `plugins/outputs/PACKAGE/TARGET/…`; `nil` in another layout.
  private static func builds(around folder: URL) -> URL? {
    var folder = folder
    while folder.pathComponents.count > 2 {
      let parent = folder.deletingLastPathComponent()
      if folder.lastPathComponent == "outputs", parent.lastPathComponent == "plugins" {
        return parent.deletingLastPathComponent()
      }
      folder = parent
    }
    return nil
  }

  private static func models(of target: SwiftSourceModuleTarget) -> [URL] {
    target.sourceFiles.map(\.url).filter { ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension) }
  }

  /// The modules that the tool knows, or that no class of a program descends from.
  private static let ownModules: Set = ["CoreData", "Predicates", "ModelFormats", "Seeding", "GRDB"]

  private static func compiledName(of model: URL, _ suffix: String) -> String {
    model.deletingPathExtension().appendingPathExtension(suffix).lastPathComponent
  }

  /// A model is a folder, and a change of any file in it is a change of the model.
  private static func files(below folder: URL) -> [URL] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }.filter { !$0.hasDirectoryPath }
  }
}
