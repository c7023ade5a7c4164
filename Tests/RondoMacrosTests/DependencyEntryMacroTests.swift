// `@DependencyEntry`: expansions, diagnostics, and what it makes.

import Rondo
import Testing

private struct Client: Equatable, Sendable {
  var name: String
  static let live = Client(name: "live")
  static let preview = Client(name: "preview")
  static let test = Client(name: "test")
}

extension DependencyValues {
  @DependencyEntry(liveValue: Client.live, previewValue: Client.preview)
  fileprivate var inferred = Client.test

  @DependencyEntry
  fileprivate var written: Client = .test
}

struct DependencyEntryMacroTests {
  // K25
  @Test func aVariableIsADependency() {
    @Dependency(\.inferred) var inferred
    @Dependency(\.written) var written
    #expect(inferred == .test)
    #expect(written == .test)
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(inferred == .live)
    }
    withDependencies {
      $0.context = .preview
    } operation: {
      #expect(inferred == .preview)
    }
    withDependencies {
      $0.written.name = "other"
    } operation: {
      #expect(written.name == "other")
    }
  }

  // K25
  @Test func theKeyOfAPublicVariableHasAName() throws {
    try expectExpansion(
      of: "DependencyEntry",
      in: """
        extension DependencyValues {
          @DependencyEntry(liveValue: Client.live)
          public var api: any APIClient
          @DependencyEntry("ClockKey")
          public var clock = Clock()
        }
        """,
      to: """
        extension DependencyValues {
          public var api: any APIClient {
            get {
              self[ApiKey.self]
            }
            set {
              self[ApiKey.self] = newValue
            }
          }

          public nonisolated enum ApiKey: _Rondo.DependencyKey {
            public typealias Value = any APIClient
            public static var liveValue: Value {
              Client.live
            }
          }
          public var clock {
            get {
              self[ClockKey.self]
            }
            set {
              self[ClockKey.self] = newValue
            }
          }

          public nonisolated enum ClockKey: _Rondo.TestDependencyKey {
            public static let testValue = Clock()
          }
        }
        """)
  }
}
