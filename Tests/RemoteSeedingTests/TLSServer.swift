import Foundation
import Testing

/// An HTTPS server on the loopback interface, implemented in Python, because a TLS library for Swift takes longer to compile
/// than this whole package.
///
/// It answers `/moved.json` by a redirect, and everything else by the seed `TagStore.news`.
final class TLSServer {
  private static let program = """
    import http.server, os, ssl, sys, threading

    certificate, seed, target, log = sys.argv[1:]
    requests = open(log, "a", buffering=1)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = seed.encode()
            if self.path == "/moved.json":
                self.send_response(302)
                self.send_header("Location", target)
                body = b""
            else:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            # Before the answer, so that a client that has it finds the request.
            print(self.path, file=requests)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, request, address):
            pass

        def finish_request(self, request, address):
            super().finish_request(context.wrap_socket(request, server_side=True), address)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate + ".pem", certificate + ".key")
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # The end of the input is that of the tests' process.
    sys.stdin.read()
    os._exit(0)
    """

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let port: Int
  /// The paths of the requests, one per line. This is a file because a pipe would not end while another program, started by a
  /// test at the same time, inherits it.
  private let requests: URL
  /// The authority, whose folder has the files of the certificate.
  private let authority: CertificateAuthority

  /// - Parameters:
  ///   - authority: The authority that issues the server's certificate.
  ///   - fault: The fault of the certificate.
  ///   - target: The URL to which `/moved.json` redirects.
  init(
    _ authority: CertificateAuthority,
    _ fault: CertificateAuthority.Fault = .none,
    target: String = "/seed.json"
  ) throws {
    self.authority = authority
    let certificate = try authority.issue(fault)
    requests = URL(fileURLWithPath: "\(certificate)-\(UUID().uuidString).log")
    process.executableURL = URL(fileURLWithPath: try #require(Tool.path("python3")))
    process.arguments = ["-c", Self.program, certificate, TagStore.news, target, requests.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while !line.contains(0x0A), let more = try output.fileHandleForReading.read(upToCount: 1) { line += more }
    port = try #require(Int(String(decoding: line, as: UTF8.self).dropLast()))
  }

  deinit { end() }

  /// Ends the server by SIGKILL, because a program started by a Dispatch thread inherits that thread's blocked
  /// SIGTERM, which `terminate()` sends.
  private func end() { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func url(_ path: String) -> URL {
    URL(string: "https://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/")
  }

  /// Ends the server.
  ///
  /// - Returns: The paths of the requests that it answered.
  func stop() throws -> [String] {
    end()
    process.waitUntilExit()
    return try String(contentsOf: requests, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
