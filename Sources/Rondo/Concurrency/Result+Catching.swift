// The outcome of an asynchronous piece of code as a `Result`, for actions that carry it.

extension Result {
  /// Runs an asynchronous piece of code, and keeps the value it returns or the error it throws.
  ///
  /// ```swift
  /// await send(.response(Result { try await client.load() }))
  /// ```
  public nonisolated(nonsending) init(
    catching body: nonisolated(nonsending) () async throws(Failure) -> Success
  ) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
