import Foundation

/// Foundation's errors in one line.
package enum ErrorWords {
  /// The description, the reason if it says more, and the same of the error beneath.
  package static func describe(_ error: any Error) -> String {
    let nsError = error as NSError
    var parts: [String] = []
    if nsError.userInfo[NSLocalizedDescriptionKey] == nil, !(error is any LocalizedError),
      type(of: error) != NSError.self,
      !(error is CocoaError)
    {
      parts.append(String(describing: error))
    } else {
      parts.append(nsError.localizedDescription)
    }
    if let reason = nsError.localizedFailureReason { parts.append(reason) }
    if let debug = nsError.userInfo[NSDebugDescriptionErrorKey] as? String { parts.append(debug) }
    if let beneath = nsError.userInfo[NSUnderlyingErrorKey] as? any Error { parts.append(describe(beneath)) }
    var line = ""
    for part in parts where !line.contains(part) {
      line += line.isEmpty ? part : ": " + part
    }
    return line.onOneLine
  }
}
