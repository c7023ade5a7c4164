// `@DependencyClient` as the compiler expands it.

import Rondo
import Testing

@DependencyClient
private struct Client: Sendable {
  var load: @Sendable (_ id: Int, Int) async throws -> String
  var isOnline: @Sendable () -> Bool = { false }
  var find: @Sendable (String) -> Int?
  var increment: @Sendable (_ value: inout Int) -> Void
  var run: @Sendable (_ work: @escaping @Sendable () -> Void, _ other: @Sendable () -> Void) -> Void
  var parse: @Sendable (String) throws(UnimplementedFailure) -> Int = { text in
    let count = text.count
    return count
  }
  @DependencyEndpoint(method: "save") var saveItem: @Sendable (_ item: Int) throws -> Void
  @DependencyEndpoint(method: "save") var saveName: @Sendable (_ name: String) throws -> Void
  @DependencyEndpointIgnored var plain: @Sendable () -> Int = { 1 }
  var retries = 3
  let name: String?
}

@DependencyClient
private struct Log {
  let prefix: () -> String
  var write: (_ message: @autoclosure () -> String, Int) -> Void
}

// C8, C10
struct DependencyClientUseTests {
  @Test("A constant closure is given to both initializers, and is no endpoint")
  func constants() {
    #expect(Log(prefix: { "a" }).prefix() == "a")
    #expect(Log(prefix: { "b" }, write: { _, _ in }).prefix() == "b")
  }

  @Test("An endpoint may evaluate its arguments late")
  func autoclosures() {
    var log = Log(prefix: { "a" })
    var written: [String] = []
    var evaluations = 0
    func message() -> String {
      evaluations += 1
      return "b"
    }
    log.write = { message, level in if level > 0 { written.append(log.prefix() + message()) } }
    log.write(message: message(), 0)
    log.write(message: message(), 1)
    #expect(written == ["ab"])
    #expect(evaluations == 1)
  }

  @Test("An endpoint that is not implemented reports its name and throws")
  func throwing() async throws {
    let client = Client(name: nil)
    var failure: UnimplementedFailure?
    let issues = try await captureIssues {
      do { _ = try await client.load(id: 1, 2) } catch let error as UnimplementedFailure {
        failure = error
      }
    }
    #expect(failure?.description == "Client.load")
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("Client.load") == true)
  }

  @Test("An endpoint that cannot throw reports its name and answers by its default")
  func defaults() throws {
    let client = Client(name: nil)
    #expect(captureIssues { _ = client.isOnline() }.count == 1)
    #expect(captureIssues { _ = client.find("") }.count == 1)
    let issues = try captureIssues { _ = try client.parse("abc") }
    #expect(issues.count == 1)
    #expect(captureIssues { _ = client.plain() }.isEmpty)
  }

  @Test("An endpoint that is given reports nothing")
  func given() async throws {
    var client = Client(name: "live")
    client.load = { "\($0) \($1)" }
    client.isOnline = { true }
    client.increment = { $0 += 1 }
    client.saveName = { #expect($0 == "a") }
    #expect(try await client.load(id: 1, 2) == "1 2")
    #expect(client.isOnline())
    var value = 1
    client.increment(value: &value)
    #expect(value == 2)
    try client.save(name: "a")
    #expect(client.retries == 3)
  }
}
