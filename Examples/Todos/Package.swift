// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "todos",
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .target(name: "TodosFeature", dependencies: [.product(name: "Rondo", package: "rondo")]),
    .executableTarget(
      name: "todos-demo",
      dependencies: ["TodosFeature", .product(name: "RondoRecording", package: "rondo")]),
    .testTarget(
      name: "TodosFeatureTests",
      dependencies: ["TodosFeature", .product(name: "RondoTesting", package: "rondo")]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
