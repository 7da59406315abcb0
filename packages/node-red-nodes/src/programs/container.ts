import { existsSync } from 'node:fs'

/** Files that Docker and Podman put into a container. */
const containerMarks = ['/.dockerenv', '/run/.containerenv']

let isKnown: boolean | undefined

/** Whether Node-RED runs in a container, which cannot change while it runs. */
export function isInContainer(): boolean {
  isKnown ??= containerMarks.some((mark) => existsSync(mark))
  return isKnown
}

/** What decides how a user gives Node-RED a sound device. Names sentences of the texts of the nodes. */
export type MachineKind = 'add-on' | 'container' | 'linux' | 'other'

export function machineKind(environment: NodeJS.ProcessEnv): MachineKind {
  if (environment['SUPERVISOR_TOKEN']) return 'add-on'
  if (isInContainer()) return 'container'
  return process.platform === 'linux' ? 'linux' : 'other'
}
