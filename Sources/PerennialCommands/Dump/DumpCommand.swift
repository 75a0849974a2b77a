import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial dump STORE [--entity ENTITY [--where PREDICATE]] [--object ENTITY KEY]
/// [--format FORMAT] [--output FILE] [--files FOLDER] [--mask ATTRIBUTES]`
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write the objects of a store as a seed.",
    usage: "perennial dump [<options>] <store>",
    discussion: """
      The seed loads into an equal store: objects by entity and natural key, relationships by the natural keys of what \
      they lead to, or by labels where no natural key tells objects apart. Equal stores give equal text. With --entity \
      and --object, only these objects are written, with all that they refer to, all that is deleted along with them and all \
      that they may not lack; with --references keys nothing else is, and the seed loads into a store that has what they \
      refer to. For a store that is given away, --mask puts made texts in place of personal ones, and --limit and --depth \
      choose a small part that is closed in itself. What a seed, or its format, cannot say is an error, or left out with \
      --partial. The model is looked for next to the store and in it when none is given.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….") var store: StoreLocation

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Option(
    name: .shortAndLong,
    help: """
      The file to write, or a folder, which gets a file for each entity: one that is there, or a name with a slash \
      behind it. Standard output unless given.
      """,
    completion: .file()
  )
  var output: String?

  @Option(help: "The format: \(DumpFormat.words). Without it the one that the file's name tells, or JSON.")
  var format: DumpFormat?

  @Option(
    help: ArgumentHelp(
      "A folder next to the output that gets the binary values as files, which the seed names.",
      valueName: "folder"
    )
  )
  var files: String?

  @Option(help: "The objects of an entity, by its name or plural; for several entities.", completion: .entities)
  var entity: [String] = []

  @Option(
    name: .customLong("where"),
    help:
      "Of an entity's objects those for which a predicate is true; one for each --entity, in their order.",
    completion: .predicates
  )
  var predicates: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("One object, by its entity and the values of its natural key.", valueName: "entity> <key"),
    completion: .entities
  )
  var object: [String] = []

  @Option(help: "What is written in addition to the chosen objects: follow, all that they depend on, or keys, nothing.")
  var references = DumpSelection.References.follow

  @Option(help: ArgumentHelp("The most objects of each --entity that are chosen, the first ones.", valueName: "number"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "How many relationships are followed from a chosen object, one after the other; what is required comes in any case.",
      valueName: "number"
    )
  )
  var depth: Int?

  @Option(
    help: ArgumentHelp(
      """
      Texts that get made ones in their place, the same for the same text: attributes separated by commas, each also with the \
      kind of text, as in Customer.name=fullName; or model, for the rules of the model's user info alone (dump.mask).
      """,
      valueName: "Entity.attribute"
    )
  )
  var mask: [String] = []

  @Option(
    help: ArgumentHelp("Texts that stay as they are, whatever the model's rules say.", valueName: "Entity.attribute")
  )
  var noMask: [String] = []

  @Flag(help: "Fail when a text attribute in the dump is neither masked nor kept by a rule.")
  var maskStrict = false

  @Flag(help: "Leave out what a seed cannot say, and name it on standard error.") var partial = false
  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    guard object.count != 1 else { throw ValidationError("Give an entity and a key with --object.") }
    guard object.isEmpty || entity.isEmpty else { throw ValidationError("Give --entity or --object, not both.") }
    guard predicates.isEmpty || predicates.count == entity.count else {
      throw ValidationError("Give a --where for each --entity, or none; TRUEPREDICATE is true for all objects.")
    }
    guard limit == nil || !entity.isEmpty else {
      throw ValidationError("--limit is of the objects of an entity; choose with --entity.")
    }
    guard limit ?? 1 > 0 else { throw ValidationError("--limit: give a number of objects from 1 on.") }
    guard depth ?? 0 >= 0 else { throw ValidationError("--depth: give a number of relationships from 0 on.") }
    guard depth == nil || references == .follow && !(object.isEmpty && entity.isEmpty) else {
      throw ValidationError("--depth is of what chosen objects refer to; choose with --entity or --object.")
    }
    guard noMask.isEmpty || isMasked else { throw ValidationError("--no-mask: give --mask or --mask-strict too.") }
    guard references == .follow || !object.isEmpty || !entity.isEmpty else {
      throw ValidationError("--references: the whole store has all that it refers to; choose with --entity.")
    }
  }

  func run() throws {
    try CommandFailure.reporting(logging) {
      let output = try DumpOutput(output, format: format, files: files)
      let text = output.format.text
      let dump = try OpenedStore.reading(store, model: model, needsWholeModel: !partial) { opened in
        if opened.isOfTablesAlone { warn("\(store): \(Self.warningOfTables)") }
        try opened.requireAllRows()
        let masking =
          try isMasked
          ? DumpMask(opened.model, masked: mask, kept: noMask, isStrict: maskStrict) : nil
        let seed = try StoreDump(opened.coordinator).seed(of: selection(in: opened.model), mask: masking)
        try masking?.check(seed)
        return seed
      }
      if let refusal = text.refusal(of: dump) {
        throw CommandFailure(store: store, problem: refusal, remedy: "choose another --format")
      }
      let sayable = dump.without { value, kind in text.refusal(of: value, in: kind) }
      try report(sayable.omissions, isOfFormat: dump.omissions.isEmpty)
      try output.write(sayable)
    }
  }

  /// The model's mask rules apply only where masking is requested. Otherwise a dump shows the store as it is.
  private var isMasked: Bool { !mask.isEmpty || maskStrict }

  private func selection(in model: NSManagedObjectModel) throws -> DumpSelection {
    var selection = DumpSelection(references: references, depth: depth, limit: limit)
    if let entity = object.first {
      selection.roots = .object(try EntityLookup.entity(entity, in: model), key: Array(object.dropFirst()))
    } else if !entity.isEmpty {
      selection.roots = .entities(
        try entity.enumerated().map { index, word in
          let entity = try EntityLookup.entity(word, in: model)
          return (entity, try predicates.isEmpty ? nil : PredicateReader.read(predicates[index], for: entity))
        }
      )
    }
    return selection
  }

  private static let warningOfTables =
    "the model was read from the tables: to-many relationships are left out, and to-one relationships are the numbers of rows; give the model with --model"

  private func report(_ omissions: [String], isOfFormat: Bool) throws {
    if let first = omissions.first, !partial {
      let more = omissions.count == 1 ? "" : ", and \(omissions.count - 1) more like it"
      throw CommandFailure(
        store: store,
        problem: "a seed cannot say \(first)\(more)",
        remedy: (isOfFormat ? "another --format may, and " : "") + "--partial leaves it out"
      )
    }
    for omission in omissions { warn("\(store): left out: \(omission)") }
  }
}

extension StoreDump.References: ExpressibleByArgument {}

extension DumpFormat {
  static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
