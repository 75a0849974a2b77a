import Foundation
import ModelCompiler

/// Prints a line for each error or warning, as compilers do.
func report(_ errors: [any Error]) {
  let text = errors.map { error in error is CompilationError ? "\(error)\n" : "error: \(error)\n" }
  FileHandle.standardError.write(Data(text.joined().utf8))
}

do {
  let arguments = try CommandArguments(Array(CommandLine.arguments.dropFirst()))
  let errors = try arguments.compilation.run()
  report(errors)
  if !errors.allSatisfy(\.isWarning) { exit(1) }
} catch {
  report([error])
  exit(1)
}
