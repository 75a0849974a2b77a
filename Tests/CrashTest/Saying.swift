import Foundation

/// Writes a line without buffering, because a killed process loses its buffer.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
