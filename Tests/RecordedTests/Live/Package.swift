// swift-tools-version: 6.2
import PackageDescription

// Features that are recorded while they run on real clocks. The tests are written by 'rondo test'; see
// `run` in the folder above, which copies this package to where its path to the root leads.
let package = Package(
  name: "live",
  dependencies: [.package(name: "rondo", path: "../../..")],
  targets: [
    .target(
      name: "LiveFeatures", dependencies: [.product(name: "RondoCompatibility", package: "rondo")]),
    .executableTarget(
      name: "live-recorder",
      dependencies: ["LiveFeatures", .product(name: "RondoRecording", package: "rondo")]),
    .testTarget(
      name: "LiveTests",
      dependencies: ["LiveFeatures", .product(name: "RondoTesting", package: "rondo")]),
  ]
)
