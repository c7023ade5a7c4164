// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "rondo",
  products: [
    .library(name: "RondoAnimation", targets: ["RondoAnimation"])
  ],
  targets: [
    .target(name: "RondoAnimation"),
    .testTarget(name: "RondoAnimationTests", dependencies: ["RondoAnimation"]),
  ]
)
