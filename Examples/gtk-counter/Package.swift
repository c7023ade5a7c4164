// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "gtk-counter",
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .executableTarget(
      name: "gtk-counter", dependencies: ["CGTK", .product(name: "Rondo", package: "rondo")]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
