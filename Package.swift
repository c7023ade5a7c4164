// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "rondo",
  products: [
    .library(name: "Rondo", targets: ["Rondo"]),
    .library(name: "RondoAnimation", targets: ["RondoAnimation"]),
    .library(name: "RondoScheduling", targets: ["RondoScheduling"]),
    .library(name: "RondoTesting", targets: ["RondoTesting"]),
  ],
  targets: [
    .target(name: "Rondo", dependencies: ["RondoAnimation", "RondoScheduling"]),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["Rondo", "RondoTesting", "AllocationCounter"],
      path: "Benchmarks/benchmarks"
    ),
    .target(name: "RondoTesting", dependencies: ["Rondo", "RondoScheduling", "RondoAnimation"]),
    .testTarget(name: "RondoTestingTests", dependencies: ["RondoTesting"]),
    .testTarget(name: "RondoTestingDefaultsTests", dependencies: ["RondoTesting"]),
    .testTarget(name: "RondoTests", dependencies: ["Rondo"]),
    .target(name: "RondoAnimation"),
    .target(name: "RondoScheduling", dependencies: ["RondoAnimation"]),
    .testTarget(name: "RondoAnimationTests", dependencies: ["RondoAnimation"]),
    .testTarget(name: "RondoSchedulingTests", dependencies: ["RondoScheduling"]),
  ]
)
