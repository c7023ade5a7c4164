// swift-tools-version: 5.9
import PackageDescription

// A feature of 2022, with a manifest for the original but for where its package is.
let package = Package(
  name: "sources-of-2022",
  dependencies: [
    .package(path: "../../Originals/2022/swift-composable-architecture")
  ],
  targets: [
    .target(
      name: "Quiz",
      dependencies: [
        .product(name: "ComposableArchitecture", package: "swift-composable-architecture")
      ]
    ),
    .testTarget(name: "QuizTests", dependencies: ["Quiz"]),
  ]
)
