// What all screens fill in.

/// What the user has entered so far. All screens share one.
struct SignUpData: Equatable, Sendable {
  var email = ""
  var password = ""
  var name = ""
  var acceptsTerms = false
}
