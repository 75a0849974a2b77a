import CBrowserResources

/// A file of `Sources/Browser/Resources`. The only list of these files is in `CBrowserResources.c`.
struct ResourceFile: Sendable {
  /// The name of the file, such as `style.css`.
  let name: String
  let contents: [UInt8]

  /// All files, in the order of the list.
  static let all: [ResourceFile] = {
    var files: [ResourceFile] = []
    var next = EmbeddedFile.all()
    while let file = next?.pointee, let name = file.name, let text = file.text {
      let contents = Array(String(cString: text).utf8)
      files.append(ResourceFile(name: String(cString: name), contents: contents))
      next = next?.successor()
    }
    return files
  }()

  /// The files that browsers load, each with its MIME type; templates are not among them.
  static let assets: [(file: ResourceFile, type: String)] = all.compactMap { file in
    let types = [
      "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]
    return types[file.kind].map { (file, $0) }
  }

  /// The scripts in the order in which pages load them.
  static let scripts = all.filter { $0.kind == "js" }.map(\.name)

  /// The end of the name, such as `css`.
  var kind: String { name.split(separator: ".").last.map(String.init) ?? "" }
}
