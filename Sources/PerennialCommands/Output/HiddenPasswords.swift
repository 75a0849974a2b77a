/// Removes passwords in URLs from a command's messages, because other people see messages in logs and on screens.
///
/// All messages are processed here. A user may write a URL where a command expects a file, and the URL then has a
/// single slash as a path.
enum HiddenPasswords {
  /// The text with `…` instead of each password.
  static func hide(in text: String) -> String {
    guard text.contains(":/") else { return text }
    // An unencoded password may contain any character. It ends at the last @ of a server's URL, because the URL
    // usually has no @ after its host.
    return text.replacing(/(?i)(postgres(?:ql)?:\/+[^:@\/\s]*):\S*@/) { "\($0.output.1):…@" }
      .replacing(/([A-Za-z][A-Za-z0-9+.\-]*:\/+[^:@\/?#\s]*):[^\/?#\s]*@/) { "\($0.output.1):…@" }
      .replacing(/(?i)([?&](?:ssl)?password=)[^&\s]*/) { "\($0.output.1)…" }
  }
}
