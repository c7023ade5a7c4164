import Rondo

struct SharedWithoutDefault {
  @Shared(.appStorage("count")) var count: Int  // mistake: write one to begin with
}
