import { findPackage, installPlace } from '../../machine/user-files.ts'

/** The machine and the version of sherpa-onnx-node that the rules below judge. */
export interface SherpaFacts {
  platform: NodeJS.Platform
  arch: NodeJS.Architecture
  /** Whether the C library is glibc, which the builds for Linux need. */
  hasGlibc: boolean
  /** The version, such as `1.13.8`. Absent if the package is not installed. */
  version?: string
}

export interface FoundSherpa {
  /** The main file of `sherpa-onnx-node`. Absent if it cannot be used. */
  packagePath?: string
  /** Why it cannot be used and what helps, as the end of a sentence. */
  problem?: string
}

const builds = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-ia32']
const installCommand = 'npm install sherpa-onnx-node@1'
const otherMachine = 'let another machine speak (--upstream)'

/**
 * Finds `sherpa-onnx-node` in the folders and checks that this service can use it.
 * @param folders as those of `findPackage`.
 */
export function findSherpa(folders: readonly (string | undefined)[]): FoundSherpa {
  const { path, version } = findPackage('sherpa-onnx-node', folders) ?? {}
  const { platform, arch } = process
  const problem = sherpaProblem({ platform, arch, hasGlibc: hasGlibc(), version })
  return problem ? { problem } : { packagePath: path }
}

/** @returns why sherpa-onnx-node does not run on this machine, or `undefined` if it does once it is installed. */
export function machineProblem(): string | undefined {
  const { platform, arch } = process
  return sherpaProblem({ platform, arch, hasGlibc: hasGlibc(), version: '1.13.8' })
}

/** @returns why sherpa-onnx-node cannot be used and what helps, or `undefined` if it can. */
export function sherpaProblem({
  platform,
  arch,
  hasGlibc,
  version,
}: SherpaFacts): string | undefined {
  if (platform === 'linux' && arch === 'arm') {
    return `sherpa-onnx-node does not run on 32-bit ARM: install a 64-bit system, such as the 64-bit Raspberry Pi OS, or ${otherMachine}`
  }
  if (!builds.includes(`${platform}-${arch}`)) {
    return `sherpa-onnx-node does not run on ${platform} ${arch}: ${otherMachine}`
  }
  if (platform === 'linux' && !hasGlibc) {
    return `sherpa-onnx-node does not run on Alpine Linux, whose C library is musl: use the Debian image of Node-RED (nodered/node-red:latest-debian), or ${otherMachine}`
  }
  if (version === undefined) {
    return `sherpa-onnx-node is not installed: run ${installCommand} ${installPlace}`
  }
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number.parseFloat)
  const isUsable = major === 1 && (minor > 13 || (minor === 13 && patch >= 8))
  if (isUsable) return undefined
  // Up to 1.13.4, the process could crash while it spoke, and Supertonic dropped letters such as ő. Version 2 no longer
  // contains espeak-ng, so the models of Piper need other files.
  return `sherpa-onnx-node ${version} is too ${major < 2 ? 'old' : 'new'}; version 1.13.8 or a later version 1 is needed: run ${installCommand}`
}

/** The report of Node names the version of glibc, which is absent with another C library. */
function hasGlibc(): boolean {
  if (process.platform !== 'linux') return false
  // The types of Node 20 do not name it.
  const report = process.report as typeof process.report & { excludeNetwork?: boolean }
  const { excludeNetwork } = report
  // The report would otherwise look up the names of all open connections.
  report.excludeNetwork = true
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
  report.excludeNetwork = excludeNetwork
  return header?.glibcVersionRuntime !== undefined
}
