// The data that all screens fill in.

/// The data that the user has entered so far. All screens share one.
struct SignUpData: Equatable, Sendable {
  var email = ""
  var password = ""
  var name = ""
  var acceptsTerms = false
}
