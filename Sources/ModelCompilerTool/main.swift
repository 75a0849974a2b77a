import Foundation
import ModelCompiler

/// Prints a line for each error, as compilers do, and ends.
func fail(_ errors: [any Error]) -> Never {
  let text = errors.map { error in
    error is CompilationError ? "\(error)\n" : "error: \(error)\n"
  }
  FileHandle.standardError.write(Data(text.joined().utf8))
  exit(1)
}

do {
  let arguments = try CommandArguments(Array(CommandLine.arguments.dropFirst()))
  let errors = try arguments.compilation.run()
  if !errors.isEmpty { fail(errors) }
} catch {
  fail([error])
}
