// `@DependencyClient`: expansions and diagnostics.

import Testing

// C10
struct DependencyClientMacroTests {
  @Test("Closures become endpoints, and initializers take all, or all but these")
  func client() throws {
    try expectExpansion(
      of: "DependencyClient",
      in: """
        @DependencyClient
        struct Client {
          var load: @Sendable (_ id: Int) async throws -> Item
          var log: (String) -> Void
          let name: String
          var retries = 3
          var region: String?
          @DependencyEndpointIgnored
          var now: () -> Int = { 0 }
          @DependencyEndpoint(method: "save")
          var saveItem: (_ item: Item) throws -> Void
        }
        """,
      to: """
        struct Client {
          @DependencyEndpoint
          var load: @Sendable (_ id: Int) async throws -> Item
          @DependencyEndpoint
          var log: (String) -> Void
          let name: String
          var retries = 3
          var region: String?
          @DependencyEndpointIgnored
          var now: () -> Int = { 0 }
          @DependencyEndpoint(method: "save")
          var saveItem: (_ item: Item) throws -> Void

          init(
            load: @escaping @Sendable (_ id: Int) async throws -> Item,
            log: @escaping (String) -> Void,
            name: String,
            retries: Swift.Int = 3,
            region: String? = nil,
            now: @escaping () -> Int = { 0 },
            saveItem: @escaping (_ item: Item) throws -> Void
          ) {
            self.name = name
            self.retries = retries
            self.region = region
            self.now = now
            self.load = load
            self.log = log
            self.saveItem = saveItem
          }

          init(
            name: String,
            retries: Swift.Int = 3,
            region: String? = nil,
            now: @escaping () -> Int = { 0 }
          ) {
            self.name = name
            self.retries = retries
            self.region = region
            self.now = now
          }
        }
        """)
  }

  @Test("An initializer is seen where all that it takes is seen")
  func access() throws {
    try expectExpansion(
      of: "DependencyClient",
      in: """
        @DependencyClient
        public struct Client {
          public var load: () throws -> Item
          private var cache: [Int: Item] = [:]
        }
        @DependencyClient
        public struct Internals {
          public var load: () throws -> Item
          var save: () throws -> Void
        }
        """,
      to: """
        public struct Client {
          @DependencyEndpoint
          public var load: () throws -> Item
          private var cache: [Int: Item] = [:]

          public init(
            load: @escaping () throws -> Item
          ) {
            self.load = load
          }

          public init() {}
        }
        public struct Internals {
          @DependencyEndpoint
          public var load: () throws -> Item
          @DependencyEndpoint
          var save: () throws -> Void

          init(
            load: @escaping () throws -> Item,
            save: @escaping () throws -> Void
          ) {
            self.load = load
            self.save = save
          }

          init() {}
        }
        """)
  }

  @Test("Constants with values, computed and static variables are not set")
  func leftOut() throws {
    try expectExpansion(
      of: "DependencyClient",
      in: """
        @DependencyClient
        struct Client {
          let id = UUID()
          static var shared = Client()
          var isReady: Bool { true }
          var x, y: Int
          var flag = true, rate = 1.5, title = ""
        }
        """,
      to: """
        struct Client {
          let id = UUID()
          static var shared = Client()
          var isReady: Bool { true }
          var x, y: Int
          var flag = true, rate = 1.5, title = ""

          init(
            x: Int,
            y: Int,
            flag: Swift.Bool = true,
            rate: Swift.Double = 1.5,
            title: Swift.String = ""
          ) {
            self.x = x
            self.y = y
            self.flag = flag
            self.rate = rate
            self.title = title
          }
        }
        """)
  }

  @Test("Types have to be written, but for literals")
  func noType() throws {
    try expectExpansion(
      of: "DependencyClient",
      in: """
        @DependencyClient
        struct Client {
          var load: () throws -> Int
          var cache = Cache()
        }
        """,
      diagnostics: [
        """
        4:7: error: '@DependencyClient' writes an initializer, for which it needs the type \
        of 'cache'. Write it out.
        """
      ],
      fixed: """
        @DependencyClient
        struct Client {
          var load: () throws -> Int
          var cache: <#Type#> = Cache()
        }
        """)
  }

  @Test("A client is a structure")
  func enumeration() throws {
    try expectExpansion(
      of: "DependencyClient",
      in: """
        @DependencyClient
        enum Client {
        }
        """,
      diagnostics: [
        """
        1:1: error: '@DependencyClient' is for a structure of closures, not for enum \
        'Client'.
        """
      ])
  }
}
