// `@DependencyEndpoint`: expansions and diagnostics.

import Testing

// C10
struct DependencyEndpointMacroTests {
  @Test("An endpoint that can throw does")
  func throwing() throws {
    try expectExpansion(
      of: "DependencyEndpoint",
      in: """
        struct Client {
          @DependencyEndpoint
          var load: @Sendable (Int) async throws -> Item
        }
        """,
      to: #"""
        struct Client {
          var load: @Sendable (Int) async throws -> Item {
            @storageRestrictions(initializes: _load)
            init(initialValue) {
              _load = initialValue
            }
            get {
              _Rondo.willUse("\(Self.self).load")
              return _load
            }
            set {
              _load = newValue
            }
          }

          private var _load: @Sendable (Int) async throws -> Item = { _ in
            throw _Rondo.unimplemented("\(Self.self).load")
          }
        }
        """#)
  }

  @Test("Others answer by a default, by `nil`, or by nothing")
  func answers() throws {
    try expectExpansion(
      of: "DependencyEndpoint",
      in: """
        struct Client {
          @DependencyEndpoint
          var isOnline: () -> Bool = { false }
          @DependencyEndpoint
          var find: (Int) -> Item?
          @DependencyEndpoint
          var log: (String) -> Void
          @DependencyEndpoint
          var count: (Int) throws(Failure) -> Int = { id in
            let count = 0
            return count
          }
          @DependencyEndpoint
          var crash: () -> Int = { fatalError() }
          @DependencyEndpoint
          var given: () -> Int = zero
        }
        """,
      to: #"""
        struct Client {
          var isOnline: () -> Bool {
            get {
              _Rondo.willUse("\(Self.self).isOnline")
              return _isOnline
            }
            set {
              _isOnline = newValue
            }
          }

          private var _isOnline: () -> Bool = {
            _Rondo.unimplemented("\(Self.self).isOnline")
            return false
          }
          var find: (Int) -> Item? {
            @storageRestrictions(initializes: _find)
            init(initialValue) {
              _find = initialValue
            }
            get {
              _Rondo.willUse("\(Self.self).find")
              return _find
            }
            set {
              _find = newValue
            }
          }

          private var _find: (Int) -> Item? = { _ in
            _Rondo.unimplemented("\(Self.self).find")
            return nil
          }
          var log: (String) -> Void {
            ⋮
          }

          private var _log: (String) -> Void = { _ in
            _Rondo.unimplemented("\(Self.self).log")
          }
          var count: (Int) throws(Failure) -> Int {
            ⋮
          }

          private var _count: (Int) throws(Failure) -> Int = { id in
            _Rondo.unimplemented("\(Self.self).count")
            let count = 0
            return count
          }
          var crash: () -> Int {
            ⋮
          }

          private var _crash: () -> Int = {
            _Rondo.unimplemented("\(Self.self).crash")
            fatalError()
          }
          var given: () -> Int {
            ⋮
          }

          private var _given: () -> Int = zero
        }
        """#)
  }

  @Test("Names of parameters are labels of a method")
  func method() throws {
    try expectExpansion(
      of: "DependencyEndpoint",
      in: """
        public struct Client {
          @DependencyEndpoint
          public var move: @MainActor (_ item: inout Item, Int, _ done: @Sendable () -> Void) async throws -> Void
        }
        """,
      to: #"""
        public struct Client {
          public var move: @MainActor (_ item: inout Item, Int, _ done: @Sendable () -> Void) async throws -> Void {
            ⋮
          }

          @MainActor
          public func move(item p0: inout Item, _ p1: Int, done p2: @escaping @Sendable () -> Void) async throws -> Void {
            try await self.move(&p0, p1, p2)
          }

          private var _move: @MainActor (_ item: inout Item, Int, _ done: @Sendable () -> Void) async throws -> Void = { _, _, _ in
            throw _Rondo.unimplemented("\(Self.self).move")
          }
        }
        """#)
  }

  @Test("The method may have a name of its own")
  func methodName() throws {
    try expectExpansion(
      of: "DependencyEndpoint",
      in: """
        struct Client {
          @DependencyEndpoint(method: "load")
          var `default`: () async throws -> Item
        }
        """,
      to: #"""
        struct Client {
          var `default`: () async throws -> Item {
            @storageRestrictions(initializes: _default)
            init(initialValue) {
              _default = initialValue
            }
            get {
              _Rondo.willUse("\(Self.self).default")
              return _default
            }
            set {
              _default = newValue
            }
          }

          func load() async throws -> Item {
            try await self.`default`()
          }

          private var _default: () async throws -> Item = {
            throw _Rondo.unimplemented("\(Self.self).default")
          }
        }
        """#)
  }

  @Test("What can neither throw nor be nothing needs a default")
  func noDefault() throws {
    try expectExpansion(
      of: "DependencyEndpoint",
      in: """
        struct Client {
          @DependencyEndpoint
          var load: (Int, Int) -> Item
        }
        """,
      diagnostics: [
        """
        3:7: error: 'load' cannot throw, so it needs a default to answer while it is not \
        implemented. Any value will do.
        """
      ],
      fixed: """
        struct Client {
          @DependencyEndpoint
          var load: (Int, Int) -> Item = { _, _ in <#Item#> }
        }
        """)
  }

  @Test("The method's name is an identifier")
  func noIdentifier() throws {
    try expectExpansion(
      of: "DependencyEndpoint",
      in: """
        struct Client {
          @DependencyEndpoint(method: "load it")
          var load: () throws -> Item
          @DependencyEndpoint(method: name)
          var save: () throws -> Item
        }
        """,
      diagnostics: [
        """
        2:31: error: 'method' is the name of the method to generate: write an identifier in \
        quotes.
        """,
        """
        4:31: error: 'method' is the name of the method to generate: write an identifier in \
        quotes.
        """,
      ])
  }

  @Test("An endpoint is a closure")
  func noClosure() throws {
    try expectExpansion(
      of: "DependencyEndpoint",
      in: """
        struct Client {
          @DependencyEndpoint
          var name: String
        }
        """,
      diagnostics: [
        """
        2:3: error: '@DependencyEndpoint' is for a variable that holds a closure, its type \
        written out: 'var fetch: (_ id: Int) async throws -> Item'.
        """
      ])
  }
}
