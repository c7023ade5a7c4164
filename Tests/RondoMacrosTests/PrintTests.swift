import Testing

@Test func all() throws {
  try expectExpansion(of: "CasePathable", in: """
    @CasePathable public enum Foo: Equatable {
      case bar
      #if os(Linux)
      case pair(Int, name: String)
      case baz(Bar<Self> = 1), quux(x: Int)
      #endif
    }
    """, to: "")
  try expectExpansion(of: "CasePathable", in: """
    @CasePathable private enum Foo {
      case bar, baz(_ x: Int), `default`
    }
    """, to: "")
  try expectExpansion(of: "CasePathable", in: """
    public extension X {
      @available(macOS 3, *)
      @CasePathable enum Foo {}
    }
    """, to: "")
  try expectExpansion(of: "ObservableState", "ObservationStateTracked", "ObservationStateIgnored", "Presents", in: """
    @ObservableState
    public struct State: Equatable {
      public var count = 0
      let id: Int
      @Presents public var destination: Destination.State?
      var name: String { didSet { print(name) } }
      @ObservationStateIgnored var cache: [Int] = []
      static var x = 1
      var computed: Int { count }
    }
    """, to: "")
  try expectExpansion(of: "ObservableState", in: """
    @ObservableState
    public enum State {
      case a(A.State)
      case b(b: B.State)
      #if DEBUG
      case c, d(Int, Int)
      #endif
    }
    """, to: "")
  try expectExpansion(of: "Reducer", in: """
    @Reducer
    public struct Feature {
      enum State { case x }
      enum Action { case x }
      var body: some ReducerOf<Self> { EmptyReducer() }
    }
    @Reducer
    public struct Empty {}
    @Reducer(state: .equatable, .sendable, action: .equatable)
    public enum Destination {
      case edit(Edit)
      #if DEBUG
      case debug(Debug<Int>)
      #endif
      case alert(AlertState<Alert>)
      case settings(Settings = Settings(x: 1))
      case meeting(Meeting, syncUp: SyncUp)
      @ReducerCaseIgnored
      case plain(Int)
      case none
      @CasePathable
      public enum Alert { case ok }
    }
    """, to: "")
  try expectExpansion(of: "Reducer", in: """
    @Reducer
    enum Destination {
      case edit(Edit?)
      case x(id: Int)
    }
    """, to: nil)
  try expectExpansion(of: "DependencyClient", "DependencyEndpoint", in: """
    @DependencyClient
    public struct Client: Sendable {
      public var fetch: @Sendable (_ id: Int, Int) async throws -> User
      public var save: @Sendable @MainActor (_ user: inout User) async -> Void
      public var flag: () -> Bool = { false }
      public var find: (String) -> Int?
      var config = 1
      let name: String?
    }
    """, to: "")
}
