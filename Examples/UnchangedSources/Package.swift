// swift-tools-version: 6.2
import PackageDescription

// The manifest is one for the originals, but for where their packages are: each has a folder.
func original(_ package: String) -> Package.Dependency {
  .package(path: "../../Originals/\(package)")
}

let architecture = Target.Dependency.product(
  name: "ComposableArchitecture", package: "swift-composable-architecture")
let testSupport = Target.Dependency.product(
  name: "DependenciesTestSupport", package: "swift-dependencies")

let package = Package(
  name: "unchanged-sources",
  dependencies: [
    .package(name: "rondo", path: "../.."),
    original("combine-schedulers"),
    original("swift-case-paths"),
    original("swift-clocks"),
    original("swift-collections"),
    original("swift-composable-architecture"),
    original("swift-concurrency-extras"),
    original("swift-custom-dump"),
    original("swift-dependencies"),
    original("swift-identified-collections"),
    original("swift-navigation"),
    original("swift-perception"),
    original("swift-sharing"),
    original("xctest-dynamic-overlay"),
  ],
  targets: [
    .target(name: "Features", dependencies: [architecture]),
    .testTarget(name: "FeaturesTests", dependencies: ["Features"]),
    .testTarget(
      name: "FeaturesExplorationTests",
      dependencies: ["Features", .product(name: "RondoExploration", package: "rondo")]
    ),
    .testTarget(name: "FeaturesXCTests", dependencies: ["Features"]),
    .testTarget(name: "TransactionsTests", dependencies: [architecture]),
    .target(
      name: "EarlierFeatures",
      dependencies: [architecture],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
      name: "EarlierFeaturesTests",
      dependencies: ["EarlierFeatures", testSupport],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .target(
      name: "Of2023",
      dependencies: [
        architecture, .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
      name: "Of2023Tests", dependencies: ["Of2023"], swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    // A library over reducers, and an application of it.
    .target(name: "Coordinators", dependencies: [architecture]),
    .target(name: "Shop", dependencies: ["Coordinators"]),
    .testTarget(name: "CoordinatorsTests", dependencies: ["Shop"]),
    .target(
      name: "SmallModules",
      dependencies: [
        .product(name: "CasePaths", package: "swift-case-paths"),
        .product(name: "Clocks", package: "swift-clocks"),
        .product(name: "CombineSchedulers", package: "combine-schedulers"),
        .product(name: "ConcurrencyExtras", package: "swift-concurrency-extras"),
        .product(name: "Dependencies", package: "swift-dependencies"),
        .product(name: "DependenciesMacros", package: "swift-dependencies"),
        .product(name: "IdentifiedCollections", package: "swift-identified-collections"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
        .product(name: "Perception", package: "swift-perception"),
        .product(name: "Sharing", package: "swift-sharing"),
        .product(name: "SwiftNavigation", package: "swift-navigation"),
      ]
    ),
    .testTarget(
      name: "SmallModulesTests",
      dependencies: [
        "SmallModules",
        testSupport,
        .product(name: "CasePathsCore", package: "swift-case-paths"),
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
        .product(name: "PerceptionCore", package: "swift-perception"),
        .product(name: "XCTestDynamicOverlay", package: "xctest-dynamic-overlay"),
      ]
    ),
  ]
)
