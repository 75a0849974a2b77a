import Foundation
import Testing

@Suite("A port whose queue of connections is full", .timeLimit(.minutes(60)))
struct FullPortTests {
  @Test("a socket that only a child process has copies of does not try to connect for this process")
  func childProcess() throws {
    let port = try FullPort()
    #expect(!port.isTried)
    let connection = port.beginConnection()
    // The kernel's table is read in parts, and may lack a line while other sockets come and go.
    while !port.isTried {}
    // Foundation's Process would close the descriptors in the child, this call leaves them open.
    let pipe = Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForReading.fileDescriptor, 0)
    var child: pid_t = 0
    var arguments = [strdup("cat"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawn(&child, "/bin/cat", &actions, nil, &arguments, nil) == 0)
    // Only after a start, because the number 0 would mean this test's own processes.
    defer {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    close(connection)
    #expect(!port.isTried)
  }
}
