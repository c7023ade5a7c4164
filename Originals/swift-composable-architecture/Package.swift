// swift-tools-version: 6.2
import PackageDescription

// The companions come along, so that a file may import them by name as well.
let package = Package(
  name: "swift-composable-architecture",
  products: [
    .library(name: "ComposableArchitecture", targets: ["ComposableArchitecture"])
  ],
  dependencies: [
    .package(name: "rondo", path: "../.."),
    .package(path: "../combine-schedulers"),
    .package(path: "../swift-case-paths"),
    .package(path: "../swift-clocks"),
    .package(path: "../swift-concurrency-extras"),
    .package(path: "../swift-custom-dump"),
    .package(path: "../swift-dependencies"),
    .package(path: "../swift-identified-collections"),
    .package(path: "../swift-navigation"),
    .package(path: "../swift-perception"),
    .package(path: "../swift-sharing"),
    .package(path: "../xctest-dynamic-overlay"),
  ],
  targets: [
    .target(
      name: "ComposableArchitecture",
      dependencies: [
        .product(name: "RondoNetworking", package: "rondo"),
        .product(name: "RondoTestCompatibility", package: "rondo"),
        .product(name: "CombineSchedulers", package: "combine-schedulers"),
        .product(name: "CasePaths", package: "swift-case-paths"),
        .product(name: "CasePathsCore", package: "swift-case-paths"),
        .product(name: "Clocks", package: "swift-clocks"),
        .product(name: "ConcurrencyExtras", package: "swift-concurrency-extras"),
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "Dependencies", package: "swift-dependencies"),
        .product(name: "DependenciesMacros", package: "swift-dependencies"),
        .product(name: "IdentifiedCollections", package: "swift-identified-collections"),
        .product(name: "SwiftNavigation", package: "swift-navigation"),
        .product(name: "Perception", package: "swift-perception"),
        .product(name: "PerceptionCore", package: "swift-perception"),
        .product(name: "Sharing", package: "swift-sharing"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
        .product(name: "XCTestDynamicOverlay", package: "xctest-dynamic-overlay"),
      ]
    )
  ]
)
