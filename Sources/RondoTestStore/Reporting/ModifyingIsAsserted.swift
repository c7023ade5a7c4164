// Whether a change that changes nothing is a failure, where a test describes the state.

/// Whether a change of nothing is reported: not where a test store does not assert the state.
package enum ModifyingIsAsserted {
  @TaskLocal package static var current = true
}
