// swift-tools-version: 6.2
import PackageDescription

// A small program as a user has it, whose builds are measured.
let package = Package(
  name: "app",
  dependencies: [.package(name: "rondo", path: "../../..")],
  targets: [
    .executableTarget(name: "App", dependencies: [.product(name: "Rondo", package: "rondo")])
  ]
)
