// `@DependencyClient` and `@DependencyEndpoint`.

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
  /// - Every closure is an endpoint, see ``DependencyEndpoint(method:)``: `client.load(id: 1, refresh:
  ///   true)` calls it by labels, and a test that runs into one it did not override fails there.
  /// - The structure gets an initializer for all its variables, and one for those that are no
  ///   endpoints, as visible as the variables are.
  ///
  /// A closure that cannot throw and returns something needs a default, so that it has an answer after
  /// it has reported. Variables need their types written out, except where the value is a literal.
  @attached(member, names: named(init))
  @attached(memberAttribute)
  public macro DependencyClient() =
    #externalMacro(module: "RondoMacros", type: "DependencyClientMacro")

  /// Makes a variable that holds a closure an endpoint. ``DependencyClient()`` adds it to all closures.
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

#endif
