import { existsSync } from 'node:fs'

/** Files that Docker and Podman put into a container. */
const containerMarks = ['/.dockerenv', '/run/.containerenv']

let isKnown: boolean | undefined

/** Whether Node-RED runs in a container, which cannot change while it runs. */
export function isInContainer(): boolean {
  isKnown ??= containerMarks.some((mark) => existsSync(mark))
  return isKnown
}
