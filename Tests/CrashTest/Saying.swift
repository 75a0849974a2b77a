import Foundation

/// Writes a line at once: what is in a buffer goes with the process.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
