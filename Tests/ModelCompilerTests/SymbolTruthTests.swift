import Foundation
import Testing

@testable import ModelCompiler

@Suite("Symbols of accessors")
struct SymbolTruthTests {
  @Test(
    "the generated symbols are those that the compiler leaves undefined, and programs link and run"
  )
  func generatedSymbolsAreThoseThatAreMissing() throws {
    try Toolchain.withTemporaryFolder { toolchain in
      let coreData = try toolchain.compile("CoreData", Fixtures.sources(of: "CoreData"))
      let kit = try Fixtures.sources(of: "Kit")
      let kitAccessors = try generate("Kit", kit, toolchain)
      let kitObject = try toolchain.compile("Kit", kit + [kitAccessors])

      let knownTypes = toolchain.folder.appendingPathComponent("KnownTypesHolder.swift")
      try Fixtures.knownTypes().write(to: knownTypes, atomically: true, encoding: .utf8)
      let sources = try Fixtures.sources(of: "NoteBook") + [knownTypes]
      let accessors = try generate("NoteBook", sources, toolchain)
      let text = try String(contentsOf: accessors, encoding: .utf8)
      let generated = Set(text.matches(of: #/@_silgen_name\("([^"]+)"\)/#).map { String($0.1) })

      for options in [["-Onone", "-D", "DEBUG"], ["-Onone", "-D", "DEBUG", "-enable-testing"]] {
        let objects = try toolchain.compileApart("NoteBook", sources + [accessors], options)
        let undefined = try toolchain.undefinedSymbols(of: objects.dropLast())
        // Accessors in a condition that does not hold are generated but not compiled.
        let compiled = try toolchain.definedSymbols(of: objects[objects.count - 1]).intersection(generated)
        #expect(compiled.count > 1_500)
        let superfluous = compiled.subtracting(undefined)
        #expect(superfluous.isEmpty, "\(superfluous.sorted().prefix(20).joined(separator: "\n"))")
        let program = try toolchain.link(objects + [kitObject, coreData])
        #expect(try toolchain.run(program.path, []) == "passed\n")
      }
      // Release builds optimise across modules.
      for option in ["-enable-default-cmo", "-cross-module-optimization"] {
        let options = ["-O", option, "-D", "DEBUG"]
        let kitObject = try toolchain.compile("Kit", kit + [kitAccessors], options)
        let release = try toolchain.compile("NoteBook", sources + [accessors], options)
        let program = try toolchain.link([release, kitObject, coreData])
        #expect(try toolchain.run(program.path, []) == "passed\n")
      }
    }
  }

  @Test("types of every form have the symbols that the compiler gives them")
  func symbolsOfMethods() throws {
    try Toolchain.withTemporaryFolder { toolchain in
      try toolchain.compile("CoreData", Fixtures.sources(of: "CoreData"))
      let sources = try Fixtures.sources(of: "Methods")
      let undefined = try toolchain.undefinedSymbols(of: toolchain.compileApart("Methods", sources))
      let module = SourceModule(name: "Methods", files: sources.map(\.path))
      let resolver = TypeResolver(module: module, dependencies: [])
      var count = 0
      for file in try module.files.get() {
        for declaration in file.contents.declarations {
          for member in declaration.managedMembers {
            guard case .method(let parameters, let result) = member.kind else { continue }
            let scope = TypeResolver.Scope(file: file, declaration: declaration)
            let symbol = SymbolMangler.symbol(
              ofMethod: SymbolMangler.MemberName(name: member.name),
              parameters: try parameters.map {
                SwiftType.Element(label: $0.label, type: try resolver.type($0.type, in: scope))
              },
              result: try resolver.type(result, in: scope),
              in: SymbolMangler.Context(type: try resolver.nominal(of: declaration))
            )
            #expect(undefined.contains(symbol), "\(member.text)")
            count += 1
          }
        }
      }
      #expect(count == 11)
    }
  }

  private func generate(_ module: String, _ sources: [URL], _ toolchain: Toolchain) throws -> URL {
    let output = toolchain.folder.appendingPathComponent("\(module)+CoreDataModel.swift")
    var compilation = ModelCompilation(module: module, output: output.path)
    compilation.sources = sources.map(\.path)
    if module != "Kit" {
      compilation.dependencies = [(module: "Kit", folder: Fixtures.folder.appendingPathComponent("Kit").path)]
    }
    let errors = try compilation.run()
    #expect(errors.isEmpty, "\(errors.map(\.description).joined(separator: "\n"))")
    return output
  }
}
