import Foundation
import Testing

@testable import CoreData

/// A build with the resource folders of several targets.
private final class Build {
  let folder: TemporaryFolder

  init(_ names: [String]) throws {
    folder = try TemporaryFolder()
    for name in names { try addModel("\(name)/Garden", entity: "Plant") }
  }

  /// Adds a model of one entity at a path without its extension.
  func addModel(_ path: String, entity: String) throws {
    let model = folder.url.appendingPathComponent("\(path).xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data("<model><entity name=\"\(entity)\"/></model>".utf8)
      .write(to: model.appendingPathComponent("contents"))
  }

  func resources(ofProgram program: String, _ modules: Set<String>) -> ResourceFolders {
    ResourceFolders(folder: folder.url, program: program, modules: { modules })
  }

  /// The name of the folder in which a container finds its model.
  func place(
    of name: String,
    _ program: String,
    _ modules: Set<String>,
    module: String = "CoreData",
    mainFolder: String? = nil
  ) throws -> String {
    let search = ContainerModel(
      name: name,
      module: module,
      resources: resources(ofProgram: program, modules),
      mainFolder: mainFolder.map { folder.url.appendingPathComponent($0) }
    )
    return try search.file().deletingLastPathComponent().lastPathComponent
  }

  /// The reason why a container finds no model.
  func failure(_ name: String, _ program: String, _ modules: Set<String>) -> String {
    do {
      return try "found in \(place(of: name, program, modules))"
    } catch {
      return "\(error)".replacingOccurrences(of: folder.url.path + "/", with: "")
    }
  }
}

@Suite("The resources of a program's targets")
struct ResourceFolderTests {
  private static let names = [
    "kit_App.resources", "kit_Kit.resources", "kit_OtherApp.resources", "kit_Web.bundle", "App",
  ]

  @Test("a program has the folder of its own target, and of the targets that it contains")
  func folders() throws {
    let build = try Build(Self.names)
    func own(_ program: String) -> [String] {
      build.resources(ofProgram: program, ["Kit", "Web"]).own.map(\.lastPathComponent)
    }
    func contained(_ program: String, _ modules: Set<String>) -> [String] {
      build.resources(ofProgram: program, modules).contained.map(\.lastPathComponent)
    }
    #expect(own("App") == ["kit_App.resources"])
    #expect(own("Kit") == ["kit_Kit.resources"])
    #expect(own("") == [])
    #expect(own("kitPackageTests.xctest") == ["kit_Kit.resources", "kit_Web.bundle"])
    #expect(contained("App", ["Kit"]) == ["kit_App.resources", "kit_Kit.resources"])
    #expect(contained("tool", ["Web", "Foundation"]) == ["kit_Web.bundle"])
    #expect(contained("tool", []) == [])
  }

  @Test(
    "a folder is that of the longest name of a module at its end",
    arguments: [
      ("kit_App", "App"), ("my_kit_App", "App"), ("kit_Other_App", "Other_App"), ("kit_Big-App", "Big_App"),
      ("kit_3D", "_D"), ("kit_OtherApp", nil), ("App", nil), ("kit_app", nil),
    ] as [(String, String?)]
  )
  func modules(_ folder: String, _ module: String?) {
    let url = URL(fileURLWithPath: "/build/\(folder).resources")
    #expect(
      ResourceFolders.module(ofFolder: url, among: ["App", "Other_App", "Big_App", "_D", "kit"]) == module
    )
    let file = url.appendingPathComponent("Models/Garden.momd")
    #expect(ResourceFolders.module(ofFile: file, among: { ["App", "Other_App", "Big_App", "_D"] }) == module)
  }

  @Test("the running program contains the modules of its tests, but not one of no target")
  func runningProgram() {
    let modules = LoadedClasses.modules()
    #expect(modules.isSuperset(of: ["CoreData", "CoreDataTests", "ModelFormats"]))
    #expect(!modules.contains("Garden") && !modules.contains("ResourceFolderTests"))
  }

  @Test("a container takes the model of its class's target, then of the program's own, then of another one")
  func containers() throws {
    let build = try Build(["kit_App.resources", "kit_Kit.resources", "kit_Web.resources"])
    try build.addModel("kit_Web.resources/Pages", entity: "Page")
    try build.addModel("main/Yard", entity: "Fence")
    #expect(try build.place(of: "Garden", "App", ["Kit", "Web"]) == "kit_App.resources")
    #expect(try build.place(of: "Garden", "App", ["Kit", "Web"], module: "Kit") == "kit_Kit.resources")
    #expect(try build.place(of: "Pages", "App", ["Kit", "Web"]) == "kit_Web.resources")
    #expect(try build.place(of: "Yard", "App", ["Kit"], mainFolder: "main") == "main")
  }

  @Test("a name that no model of the program has is an error, whatever other targets have")
  func missing() throws {
    let build = try Build(["kit_App.resources", "kit_Other.resources"])
    try build.addModel("kit_Other.resources/Yard", entity: "Fence")
    #expect(
      build.failure("Yard", "App", ["Kit"])
        == """
        no model named Yard is among the program's resources in kit_App.resources, which have Garden; the program does \
        not contain the target of kit_Other.resources/Yard.xcdatamodel; add Yard.xcdatamodeld to the target, or use \
        init(name:managedObjectModel:).
        """
    )
    // The name has a typing error.
    #expect(build.failure("Gardn", "App", ["Other"]).hasPrefix("no model named Gardn is among"))
    #expect(
      build.failure("Gardn", "tool", [])
        == """
        no model named Gardn is among the program's resources; add Gardn.xcdatamodeld to the target, or use \
        init(name:managedObjectModel:).
        """
    )
  }

  @Test("different models of one name in several targets are an error, equal ones are one")
  func ambiguous() throws {
    let build = try Build(["kit_Kit.resources", "kit_Web.resources"])
    #expect(try build.place(of: "Garden", "tool", ["Kit", "Web"]) == "kit_Kit.resources")
    try build.addModel("kit_Web.resources/Garden", entity: "Bed")
    #expect(
      build.failure("Garden", "tool", ["Kit", "Web"])
        == """
        different models named Garden are among the program's resources: kit_Kit.resources/Garden.xcdatamodel, \
        kit_Web.resources/Garden.xcdatamodel; use init(name:managedObjectModel:), or a subclass of the container in \
        the target of the model.
        """
    )
    #expect(try build.place(of: "Garden", "tool", ["Web"]) == "kit_Web.resources")
  }

  @Test("a container of a name that no model has stops the program")
  func container() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPersistentContainer(name: "ResourceFolderTests")
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("no model named ResourceFolderTests is among the program's resources"))
  }
}
