import packageJson from '../../../package.json' with { type: 'json' }
import { ServiceError } from '../../errors/service-error.ts'
import { findPackage, installPlace } from '../../machine/user-files.ts'

const name = '@parlando/webrtc'
const { version } = packageJson
const installCommand = `npm install ${name}@${version}`
const minNodeMajor = 22

/**
 * Finds `@parlando/webrtc`, with which the service accepts calls. Not everybody installs it.
 * @param folders as those of `findPackage`.
 * @returns the path of its main file.
 * @throws {ServiceError} if it is not installed or cannot be used.
 */
export function findWebRtc(folders: readonly (string | undefined)[]): string {
  const found = findPackage(name, folders)
  const problem = webRtcProblem({ node: process.versions.node, version: found?.version })
  if (!found || problem) throw new ServiceError('UNIMPLEMENTED', `WebRTC: ${problem}`)
  return found.path
}

/**
 * @param facts.node the version of Node.js.
 * @param facts.version of the package. Absent if it is not installed.
 * @returns why the package cannot be used and what helps, or `undefined` if it can.
 */
export function webRtcProblem(facts: { node: string; version?: string }): string | undefined {
  if (Number.parseInt(facts.node, 10) < minNodeMajor) {
    return `${name} needs Node.js ${minNodeMajor} or newer; this is ${facts.node}`
  }
  if (facts.version === version) return undefined
  const found = facts.version
    ? `${name} ${facts.version} does not match this service`
    : `${name} is not installed`
  return `${found}: run ${installCommand} ${installPlace}`
}
