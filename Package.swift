// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "rondo",
  products: [
    .library(name: "Rondo", targets: ["Rondo"]),
    .library(name: "RondoAnimation", targets: ["RondoAnimation"]),
    .library(name: "RondoScheduling", targets: ["RondoScheduling"]),
    .library(name: "RondoStage", targets: ["RondoStage"]),
  ],
  targets: [
    .target(name: "Rondo", dependencies: ["RondoAnimation", "RondoScheduling"]),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["Rondo", "AllocationCounter"],
      path: "Benchmarks/benchmarks"
    ),
    .testTarget(name: "RondoTests", dependencies: ["Rondo"]),
    .testTarget(name: "RondoCompositionTests", dependencies: ["Rondo"]),
    .target(name: "RondoAnimation"),
    .target(name: "RondoScheduling", dependencies: ["RondoAnimation"]),
    .target(name: "RondoStage", dependencies: ["RondoAnimation", "RondoScheduling"]),
    .testTarget(name: "RondoStageTests", dependencies: ["RondoStage"]),
    .testTarget(name: "RondoAnimationTests", dependencies: ["RondoAnimation"]),
    .testTarget(name: "RondoSchedulingTests", dependencies: ["RondoScheduling"]),

    .target(
      name: "HomeFeature",
      dependencies: ["Rondo"],
      path: "Examples/isowords-home/HomeFeature"
    ),
    .executableTarget(
      name: "isowords-home",
      dependencies: ["HomeFeature"],
      path: "Examples/isowords-home/isowords-home"
    ),
    .testTarget(name: "HomeFeatureTests", dependencies: ["HomeFeature", "isowords-home"]),
  ]
)
