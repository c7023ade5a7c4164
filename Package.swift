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
    .testTarget(name: "RondoTests", dependencies: ["Rondo"]),
    .target(name: "RondoAnimation"),
    .target(name: "RondoScheduling", dependencies: ["RondoAnimation"]),
    .target(name: "RondoStage", dependencies: ["RondoAnimation", "RondoScheduling"]),
    .testTarget(name: "RondoStageTests", dependencies: ["RondoStage"]),
    .testTarget(name: "RondoAnimationTests", dependencies: ["RondoAnimation"]),
    .testTarget(name: "RondoSchedulingTests", dependencies: ["RondoScheduling"]),
  ]
)
