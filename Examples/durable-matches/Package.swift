// swift-tools-version: 6.2
import PackageDescription

let rondo: [Target.Dependency] = [
  .product(name: "RondoDurable", package: "rondo"), .product(name: "Rondo", package: "rondo"),
]

let package = Package(
  name: "durable-matches",
  products: [
    .executable(name: "durable-matches", targets: ["durable-matches"]),
    .executable(name: "durable", targets: ["durable"]),
    .library(name: "SQLiteJournal", targets: ["SQLiteJournal"]),
    .library(name: "PostgresJournal", targets: ["PostgresJournal"]),
  ],
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // The journals. They know nothing of matches.
    .target(name: "JournalThread"),
    .target(name: "SQLiteJournal", dependencies: ["CSQLite", "JournalThread"] + rondo),
    .target(name: "PostgresJournal", dependencies: ["CPostgres", "JournalThread"] + rondo),
    // The game, as a feature.
    .target(name: "MatchFeature", dependencies: rondo),
    .executableTarget(
      name: "durable-matches", dependencies: ["MatchFeature", "SQLiteJournal", "PostgresJournal"]),
    // The operator's tool, for all kinds of stores.
    .executableTarget(
      name: "durable",
      dependencies: [
        "SQLiteJournal", "PostgresJournal", .product(name: "RondoDurable", package: "rondo"),
      ]),
    .testTarget(
      name: "DurableMatchesTests",
      dependencies: [
        "MatchFeature", "SQLiteJournal", "PostgresJournal", "CSQLite", "durable", "durable-matches",
        .product(name: "RondoTesting", package: "rondo"),
      ] + rondo),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
