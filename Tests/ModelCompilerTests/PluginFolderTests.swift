import Foundation
import Testing

@testable import ModelCompiler

@Suite("The folder that the plugin has for a target")
struct PluginFolderTests {
  /// A package manager's build folder, with the plugin's folder and the bundles of two configurations.
  private struct Builds {
    let url: URL
    var folder: String { url.path + "/plugins/outputs/garden/Garden" }
    var bundles: [String] { ["debug", "release"].map { "\(url.path)/x86_64/\($0)/Garden_Garden.resources" } }

    func makeModel(_ name: String) throws {
      let model = url.appendingPathComponent("Sources/\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
      try Data("<model><entity name=\"Plant\"/></model>".utf8)
        .write(to: model.appendingPathComponent("contents"))
    }

    /// Compiles models of the given names, and copies the results as the package manager does.
    func compile(_ names: [String], resources: [String] = []) throws {
      var arguments = ["--module", "Garden", "--output", "\(folder)/Garden+CoreDataModel.swift"]
      for name in names {
        try makeModel(name)
        arguments += ["--model", "\(url.path)/Sources/\(name).xcdatamodel", "\(folder)/\(name).momd"]
      }
      arguments += ["--folder", folder, "--bundle", url.path, "Garden_Garden.resources"]
      for resource in resources { arguments += ["--resource", resource] }
      #expect(try CommandArguments(arguments).compilation.run() == [])
      for bundle in bundles {
        for name in names { try copy("\(folder)/\(name).momd", "\(bundle)/\(name).momd") }
      }
    }

    func copy(_ source: String, _ destination: String) throws {
      let parent = URL(fileURLWithPath: destination).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      try? FileManager.default.removeItem(atPath: destination)
      try FileManager.default.copyItem(atPath: source, toPath: destination)
    }

    func names(in folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
  }

  private func withBuilds(_ body: (Builds) throws -> Void) throws {
    try Toolchain.withTemporaryFolder { try body(Builds(url: $0.folder)) }
  }

  @Test("a model whose source was renamed or removed goes, with its copies in the bundles")
  func renamed() throws {
    try withBuilds { builds in
      try builds.compile(["Garden", "Park"])
      try builds.compile(["Yard", "Park"])
      let swift = "Garden+CoreDataModel.swift"
      var names = try builds.names(in: builds.folder)
      #expect(names == [swift, "Park.momd", "Yard.momd"])
      for bundle in builds.bundles {
        names = try builds.names(in: bundle)
        #expect(names == ["Park.momd", "Yard.momd"])
      }
      try builds.compile([])
      names = try builds.names(in: builds.folder)
      #expect(names == [swift])
      for bundle in builds.bundles {
        names = try builds.names(in: bundle)
        #expect(names == [])
      }
    }
  }

  @Test("mapping models and files of a former module go too, and copies of sources")
  func kinds() throws {
    try withBuilds { builds in
      try builds.compile(["Garden"])
      for name in ["1to2.cdm", "Old+CoreDataModel.swift"] {
        try Data().write(to: URL(fileURLWithPath: "\(builds.folder)/\(name)"))
      }
      for name in ["1to2.cdm", "1to2.xcmappingmodel", "Garden.xcdatamodeld", "Garden.xcdatamodel"] {
        try Data().write(to: URL(fileURLWithPath: "\(builds.bundles[0])/\(name)"))
      }
      try builds.compile([])
      var names = try builds.names(in: builds.folder)
      #expect(names == ["Garden+CoreDataModel.swift"])
      names = try builds.names(in: builds.bundles[0])
      #expect(names == [])
    }
  }

  @Test("files that the tool has not made stay, and so do the target's own resources")
  func others() throws {
    try withBuilds { builds in
      try builds.compile(["Garden"])
      for name in ["notes.txt", "Lawn.momd"] {
        try Data().write(to: URL(fileURLWithPath: "\(builds.bundles[0])/\(name)"))
      }
      try Data().write(to: URL(fileURLWithPath: "\(builds.folder)/notes.txt"))
      try builds.compile([], resources: ["Garden.momd"])
      var names = try builds.names(in: builds.folder)
      #expect(names == ["Garden+CoreDataModel.swift", "notes.txt"])
      names = try builds.names(in: builds.bundles[0])
      #expect(names == ["Garden.momd", "Lawn.momd", "notes.txt"])
    }
  }

  @Test("a model with an error takes nothing away")
  func broken() throws {
    try withBuilds { builds in
      try builds.compile(["Garden"])
      var compilation = ModelCompilation(
        module: "Garden",
        output: "\(builds.folder)/Garden+CoreDataModel.swift"
      )
      compilation.folder = PluginFolder(path: builds.folder)
      compilation.models = [
        .init(source: "\(builds.url.path)/None.xcdatamodel", output: "\(builds.folder)/None.momd")
      ]
      let errors = try compilation.run()
      #expect(errors.count == 1)
      let names = try builds.names(in: builds.folder)
      #expect(names == ["Garden+CoreDataModel.swift", "Garden.momd"])
    }
  }

  @Test("a target with models has a class by which a program knows that it contains the target")
  func mark() throws {
    let mark = "nonisolated final class _ManagedObjectModels {}"
    let model = "<model><entity name=\"Plant\"/></model>"
    #expect(try Compilation(["A.swift": "let a = 1"], models: ["Garden": model]).text.contains(mark))
    #expect(try !Compilation(["A.swift": "let a = 1"]).text.contains(mark))
  }
}
