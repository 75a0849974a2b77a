import Foundation
import Texts

/// Foundation's errors in one line.
package enum ErrorWords {
  /// The description, the reason if the error has one of its own, and the same of the underlying error.
  package static func describe(_ error: any Error) -> String {
    let info = (error as NSError).userInfo
    var parts = [description(of: error)]
    for key in [NSLocalizedFailureReasonErrorKey, NSDebugDescriptionErrorKey] {
      if let part = info[key] as? String { parts.append(part) }
    }
    if let beneath = info[NSUnderlyingErrorKey] as? any Error { parts.append(describe(beneath)) }
    var line = ""
    for part in parts where !line.contains(part) { line += line.isEmpty ? part : ": " + part }
    return line.onOneLine
  }

  /// A Swift error without a description of its own is shown as text, because Foundation would only give its number.
  private static func description(of error: any Error) -> String {
    let isFoundation = type(of: error) is NSError.Type || error is CocoaError || error is any LocalizedError
    return isFoundation ? error.localizedDescription : String(describing: error)
  }
}
