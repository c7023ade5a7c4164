// The earlier spelling of what every effect does.

extension Effect {
  /// This effect. Its closures run on the isolation of the store anyway.
  @available(
    *, deprecated, message: "Closures run on the isolation of the store anyway; remove this"
  )
  public func cooperative() -> Self { self }
}
