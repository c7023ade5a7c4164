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

    .target(
      name: "HomeFeature",
      dependencies: ["RondoAnimation"],
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
