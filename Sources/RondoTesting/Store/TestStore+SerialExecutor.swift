// A setting of suites that were written for other executors.

extension TestStore {
  /// Whether effects run one after the other, which they always do: on the store's own executor.
  /// Setting it changes nothing.
  public var useMainSerialExecutor: Bool {
    get { true }
    set {}
  }
}
