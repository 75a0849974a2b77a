import Foundation

/// An invocation of the command-line program.
struct Command {
  let arguments: [String]
  /// Whether the command only reads: the mutant's bytes must not change.
  let onlyReads: Bool

  /// Whether the command reports its findings on standard output, so that the message of its exit status may be empty.
  var reportsOnOutput: Bool {
    arguments.first == "port" || arguments.contains("--keep-going")
      || arguments.starts(with: ["seed", "diff"])
  }

  var name: String { arguments.prefix { !$0.contains("/") }.joined(separator: " ") }

  /// All commands that accept a file of the specimen's kind.
  ///
  /// - Parameter variant: selects among options.
  static func all(over specimen: Specimen, in folder: URL, variant: Int) -> [Command] {
    let line = Line(specimen: specimen, folder: folder, variant: variant)
    switch specimen.kind {
    case .database, .cells, .modelCache, .metadata, .archive, .externalData, .xml, .binary:
      return line.overStore
    case .compiledModel, .modelSource: return line.overModel
    case .mapping: return line.overMapping
    case .text, .propertyList, .compressed: return line.overSeed
    case .source: return line.overSource
    }
  }
}

/// The command lines for one mutant.
private struct Line {
  let specimen: Specimen
  let folder: URL
  let variant: Int

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
  private var target: String { path(specimen.target) }
  private func reading(_ arguments: String...) -> Command { Command(arguments: arguments, onlyReads: true) }
  private func writing(_ arguments: String...) -> Command { Command(arguments: arguments, onlyReads: false) }

  /// The option for a model file. Half of the mutants are read with it, the others with the model in the store.
  private var model: [String] {
    guard let model = specimen.model, variant % 2 == 0 || specimen.kind == .xml || specimen.kind == .binary
    else { return [] }
    return ["--model", path(model)]
  }

  private func withModel(_ command: Command) -> Command {
    Command(arguments: command.arguments + model, onlyReads: command.onlyReads)
  }

  var overStore: [Command] {
    let entity = specimen.entity
    var commands = [
      withModel(reading("inspect", target)),
      reading("hashes", target),
      reading("diagram", target, "-o", path("model.svg")),
      withModel(reading("fetch", target, entity, "--limit", "20")),
      withModel(reading("fetch", target, entity, "--format", "json")),
      withModel(reading("fetch", target, entity, "--count")),
      withModel(reading("check", target)),
      withModel(reading("dump", target, "-o", path("dumped.json"))),
      withModel(reading("dump", target, "--partial", "-o", path("dumped-part.json"))),
      withModel(reading("copy", target, path("copied.sqlite"))),
      reading("backup", target, "-o", path("backup.sqlite")),
      withModel(reading("copy", target, path("copied.xml"))),
    ]
    if let model = specimen.model {
      commands += [
        reading("seed", "diff", target, path("dumped.json"), "--model", path(model)),
        reading("migrate", target, "--to", path(specimen.newerModel ?? model), "--dry-run"),
        writing("seed", path(model), path("dumped.json"), "--store", target, "--mode", "upsert"),
        writing("migrate", target, "--to", path(specimen.newerModel ?? model), "--allow-downgrade"),
      ]
    }
    commands.append(writing("maintain", target, "--history-days", "1"))
    return commands + [withModel(writing("check", target, "--repair"))]
  }

  var overModel: [Command] {
    let model = modelPath
    var commands = [
      reading("hashes", model),
      reading("diff", model, model),
      reading("diff", model, model, "--html", path("review.html")),
      reading("diagram", model, "-o", path("model.svg")),
      reading("generate", model, "-o", path("generated")),
      reading("generate-data", model, "--count", "\(specimen.entity)=3", "-o", path("made.jsonl")),
      reading("seed", model, path("made.jsonl"), "--store", path("new.sqlite")),
      reading("build-store", model, path("made.jsonl"), "-o", path("built.sqlite")),
      reading("dump", path("new.sqlite"), "--model", model, "-o", path("dumped.json")),
    ]
    if specimen.kind == .compiledModel {
      commands.append(reading("decompile", model, "-o", path("decompiled.xcdatamodeld")))
    } else {
      commands.append(reading("compile", model, "-o", path("compiled.momd")))
    }
    if let store = specimen.store {
      commands += [
        reading("fetch", path(store), specimen.entity, "--model", model),
        reading("migrate", path(store), "--to", model, "--dry-run"),
        writing("migrate", path(store), "--to", model, "--allow-downgrade"),
      ]
    }
    return commands
  }

  /// The path of the model: the target, or the folder that contains it.
  private var modelPath: String { path(specimen.model ?? specimen.target) }

  var overMapping: [Command] {
    guard let store = specimen.store, let model = specimen.newerModel else { return [] }
    return [writing("migrate", path(store), "--to", path(model), "--mapping", target, "--allow-downgrade")]
  }

  var overSeed: [Command] {
    guard let model = specimen.model, let store = specimen.store else { return [] }
    return [
      reading("seed", path(model), target, "--store", path("dry.sqlite"), "--dry-run"),
      reading("seed", "diff", path(store), target, "--model", path(model)),
      reading("build-store", path(model), target, "-o", path("built.sqlite")),
      writing("seed", path(model), target, "--store", path(store)),
      writing("seed", path(model), target, "--store", path("other.sqlite"), "--keep-going"),
      writing("seed", path(model), target, "--store", path(store), "--mode", "replace"),
    ]
  }

  var overSource: [Command] { [reading("port", "--check", target), writing("port", target)] }
}
