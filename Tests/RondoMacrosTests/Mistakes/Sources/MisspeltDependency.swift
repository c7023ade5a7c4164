import Rondo

struct MisspeltDependency {
  @Dependency(\.continousClock) var clock  // mistake, unnamed: Key.Type
}
