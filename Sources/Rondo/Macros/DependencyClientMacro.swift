// `@DependencyClient`, `@DependencyEndpoint` and `@DependencyEntry`.

#if RONDO_MACROS

  /// Makes a structure of closures a client whose endpoints report their names until they are
  /// implemented.
  ///
  /// ```swift
  /// @DependencyClient
  /// struct APIClient: Sendable {
  ///   var load: @Sendable (_ id: Int, _ refresh: Bool) async throws -> Item
  ///   var isOnline: @Sendable () -> Bool = { false }
  /// }
  ///
  /// extension APIClient: TestDependencyKey {
  ///   static let testValue = APIClient()
  /// }
  /// ```
  ///
  /// - Every closure is an endpoint, see ``DependencyEndpoint(method:)``. A call with labels works:
  ///   `client.load(id: 1, refresh: true)`. A test that calls an endpoint it did not override fails
  ///   there.
  /// - The structure gets an initializer for all its variables, and one for those that are not
  ///   endpoints. They are as visible as the variables are.
  ///
  /// A closure that cannot throw and returns something needs a default, so that it has a result
  /// after it has reported. Variables need explicit types, except where the value is a literal.
  @attached(member, names: named(init))
  @attached(memberAttribute)
  public macro DependencyClient() =
    #externalMacro(module: "RondoMacros", type: "DependencyClientMacro")

  /// Makes a variable that holds a closure an endpoint. ``DependencyClient()`` adds it to all
  /// closures of a client.
  ///
  /// Until the closure is set it reports the endpoint's name, and throws an error or returns its
  /// default. Where parameters have names, there is a method with these names as labels.
  ///
  /// - Parameter method: Another name for the method, so that endpoints can be told apart by labels
  ///   alone: `@DependencyEndpoint(method: "load") var loadByID: (_ id: Int) async throws -> Item`.
  @attached(accessor, names: named(init), named(get), named(set))
  @attached(peer, names: arbitrary)
  public macro DependencyEndpoint(method: String = "") =
    #externalMacro(module: "RondoMacros", type: "DependencyEndpointMacro")

  /// Leaves a closure of a client as it is.
  @attached(peer)
  public macro DependencyEndpointIgnored() =
    #externalMacro(module: "RondoMacros", type: "MarkerMacro")

  /// Makes a variable of `DependencyValues` a dependency.
  ///
  /// ```swift
  /// extension DependencyValues {
  ///   @DependencyEntry(liveValue: APIClient.live)
  ///   var api = APIClient.test
  /// }
  /// ```
  ///
  /// The value of the variable is the test value. Without a live value, another module may add one
  /// to the key. The key of a public variable is named after its type, or as the macro is told.
  @attached(accessor, names: named(get), named(set))
  @attached(peer, names: arbitrary)
  public macro DependencyEntry<Value>(
    _ key: String = "", liveValue: @autoclosure () -> Value, previewValue: @autoclosure () -> Value
  ) = #externalMacro(module: "RondoMacros", type: "DependencyEntryMacro")

  /// Makes a variable of `DependencyValues` a dependency with a live value.
  @attached(accessor, names: named(get), named(set))
  @attached(peer, names: arbitrary)
  public macro DependencyEntry<Value>(
    _ key: String = "", liveValue: @autoclosure () -> Value
  ) = #externalMacro(module: "RondoMacros", type: "DependencyEntryMacro")

  /// Makes a variable of `DependencyValues` a dependency with a value for previews.
  @attached(accessor, names: named(get), named(set))
  @attached(peer, names: arbitrary)
  public macro DependencyEntry<Value>(
    _ key: String = "", previewValue: @autoclosure () -> Value
  ) = #externalMacro(module: "RondoMacros", type: "DependencyEntryMacro")

  /// Makes a variable of `DependencyValues` a dependency that has only a value for tests.
  @attached(accessor, names: named(get), named(set))
  @attached(peer, names: arbitrary)
  public macro DependencyEntry(_ key: String = "") =
    #externalMacro(module: "RondoMacros", type: "DependencyEntryMacro")

#endif
