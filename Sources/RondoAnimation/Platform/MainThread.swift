// Whether the caller may touch what belongs to the main actor.

#if canImport(Dispatch)
  import Dispatch
#endif

/// The thread that serves the main actor.
package enum MainThread {
  #if canImport(Dispatch)
    private static let mark: DispatchSpecificKey<Bool> = {
      let mark = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: mark, value: true)
      return mark
    }()

    /// Whether the caller runs there: in work of the main queue, or on the first thread outside of
    /// any queue.
    package static var isCurrent: Bool {
      DispatchQueue.getSpecific(key: mark) ?? false
    }
  #else
    package static var isCurrent: Bool { true }
  #endif
}
