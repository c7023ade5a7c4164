import Rondo

struct SharedInMemoryWithoutDefault {
  @SharedReader(.inMemory("title")) var title: String  // mistake: write one to begin with
}
