import Foundation

/// The line that tells people and scripts that the server answers, and at which address.
package enum ListeningLine {
  /// Writes `listening on 127.0.0.1:PORT` to standard output without buffering.
  package static func write(port: Int?) {
    guard let port else { return }
    FileHandle.standardOutput.write(Data("listening on 127.0.0.1:\(port)\n".utf8))
  }
}
