import Foundation

/// The line by which people and scripts know that the server answers, and where.
package enum ListeningLine {
  /// Writes `listening on 127.0.0.1:PORT` to standard output, without waiting for more to write.
  package static func write(port: Int?) {
    guard let port else { return }
    FileHandle.standardOutput.write(Data("listening on 127.0.0.1:\(port)\n".utf8))
  }
}
