/// Takes passwords in URLs out of what a command says: messages are seen by others, in logs and on screens.
///
/// All messages pass here, whatever an argument was meant for: a URL may stand where a file is expected, and its path
/// has one slash then.
enum HiddenPasswords {
  /// The text with `…` in the place of each password.
  static func hide(in text: String) -> String {
    guard text.contains(":/") else { return text }
    // A password that is not encoded may have any character: it ends at the last @ of a URL of a server, which has none
    // behind its host as a rule.
    return text.replacing(/(?i)(postgres(?:ql)?:\/+[^:@\/\s]*):\S*@/) { "\($0.output.1):…@" }
      .replacing(/([A-Za-z][A-Za-z0-9+.\-]*:\/+[^:@\/?#\s]*):[^\/?#\s]*@/) { "\($0.output.1):…@" }
      .replacing(/(?i)([?&](?:ssl)?password=)[^&\s]*/) { "\($0.output.1)…" }
  }
}
