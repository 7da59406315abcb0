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

/**
 * The environment of programs that use the sound server, without the variables of the speech service, which may contain keys.
 * A Node-RED that the system starts as a service lacks the folder in which the sound server of its user has its socket.
 */
export function soundEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = `/run/user/${process.getuid?.()}`
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('PARLANDO_'))
  const hasFolder = !environment['XDG_RUNTIME_DIR'] && existsSync(folder)
  return { ...Object.fromEntries(kept), ...(hasFolder && { XDG_RUNTIME_DIR: folder }) }
}

/** The arguments of a program that have no blanks. */
export function words(line: string): string[] {
  return line.split(' ')
}
