// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "rondo",
  products: [
    .library(name: "Rondo", targets: ["Rondo"]),
    .library(name: "RondoTesting", targets: ["RondoTesting"]),
    .library(name: "RondoStage", targets: ["RondoStage"]),
    .library(name: "RondoScheduling", targets: ["RondoScheduling"]),
    .library(name: "RondoAnimation", targets: ["RondoAnimation"]),
  ],
  targets: [
    // The rooms, ground floor first. No target depends on one that stands below it in this list.
    .target(name: "RondoAnimation"),
    .target(name: "RondoScheduling", dependencies: ["RondoAnimation"]),
    .target(name: "Rondo", dependencies: ["RondoScheduling", "RondoAnimation"]),
    .target(name: "RondoTesting", dependencies: ["Rondo", "RondoScheduling", "RondoAnimation"]),
    .target(name: "RondoStage", dependencies: ["RondoAnimation", "RondoScheduling"]),

    .testTarget(name: "RondoAnimationTests", dependencies: ["RondoAnimation"]),
    .testTarget(name: "RondoSchedulingTests", dependencies: ["RondoScheduling"]),
    .testTarget(name: "RondoTests", dependencies: ["Rondo"]),
    .testTarget(name: "RondoTestingTests", dependencies: ["RondoTesting"]),
    .testTarget(name: "RondoTestingDefaultsTests", dependencies: ["RondoTesting"]),
    .testTarget(name: "RondoStageTests", dependencies: ["RondoStage", "Rondo"]),

    // The examples that are part of the package; others are packages of their own.
    .target(
      name: "HomeFeature",
      dependencies: ["Rondo"],
      path: "Examples/isowords-home/HomeFeature"
    ),
    .target(
      name: "HomeScreen",
      dependencies: ["HomeFeature", "Rondo", "RondoStage"],
      path: "Examples/isowords-home/HomeScreen"
    ),
    .executableTarget(
      name: "isowords-home",
      dependencies: ["HomeFeature", "HomeScreen", "RondoStage"],
      path: "Examples/isowords-home/isowords-home"
    ),
    .testTarget(
      name: "HomeFeatureTests",
      dependencies: ["HomeFeature", "HomeScreen", "isowords-home"]
    ),
    .target(
      name: "StageExamples",
      dependencies: ["RondoStage", "RondoScheduling"],
      path: "Examples/stage/StageExamples"
    ),
    .executableTarget(
      name: "stage-examples",
      dependencies: ["StageExamples"],
      path: "Examples/stage/stage-examples"
    ),
    .testTarget(
      name: "StageExamplesTests",
      dependencies: ["StageExamples"],
      exclude: ["Pictures"]
    ),

    // The benchmark program.
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["Rondo", "AllocationCounter"],
      path: "Benchmarks/benchmarks"
    ),
  ]
)
