public struct Home {}
