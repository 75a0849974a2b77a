import Foundation

// The program that Scripts/checks/mutants runs. It mutates files of every format and runs each command on each mutant.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch arguments.first {
  case "run" where arguments.count >= 4:
    guard let count = Int(arguments[1]), let seed = UInt64(arguments[2]) else { exit(64) }
    let laboratory = Laboratory(folder: URL(fileURLWithPath: arguments[3]), seed: seed)
    let fixtures = arguments.dropFirst(4).first.map { URL(fileURLWithPath: $0) }
    try laboratory.collect(fixtures: fixtures)
    exit(try Supervisor(laboratory: laboratory, program: arguments0).run(count: count) ? 0 : 1)
  case "work" where arguments.count == 6:
    guard let from = Int(arguments[1]), let to = Int(arguments[2]), let skipped = Int(arguments[3]),
      let seed = UInt64(arguments[4])
    else { exit(64) }
    let laboratory = Laboratory(folder: URL(fileURLWithPath: arguments[5]), seed: seed)
    try Worker(laboratory: laboratory).run(from..<to, skipping: skipped)
  case "show" where arguments.count == 4:
    guard let number = Int(arguments[1]), let seed = UInt64(arguments[2]) else { exit(64) }
    let laboratory = Laboratory(folder: URL(fileURLWithPath: arguments[3]), seed: seed)
    let mutant = try Mutant(number: number, laboratory: laboratory)
    try mutant.make(in: laboratory.folder.appendingPathComponent("shown"))
    print("mutant \(number): \(mutant.specimen.name), \(mutant.specimen.kind)")
    for command in mutant.commands { print(command.arguments.joined(separator: " ")) }
  default:
    print(
      """
      usage: MutantTest run COUNT SEED FOLDER [FIXTURES]
             MutantTest work FROM TO SKIPPED SEED FOLDER
             MutantTest show NUMBER SEED FOLDER
      """
    )
    exit(64)
  }
} catch {
  print("wrong: \(error)")
  exit(1)
}

/// The path of this program, which starts again as a worker.
var arguments0: URL { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }
