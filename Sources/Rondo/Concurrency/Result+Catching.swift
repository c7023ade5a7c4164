// The outcome of an asynchronous call as a value, for actions.

extension Result where Failure == any Error {
  /// What an asynchronous closure returns or throws.
  ///
  /// ```swift
  /// await send(.response(Result { try await api.load() }))
  /// ```
  public nonisolated(nonsending) init(
    catching body: nonisolated(nonsending) () async throws -> Success
  ) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
