import Rondo

struct MisspeltDependencyOfAType {
  @Dependency(\.mainQeue) var queue: AnySchedulerOf<DispatchQueue>  // mistake, unnamed: Key.Type
}
