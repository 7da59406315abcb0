import type { NodeAPI } from 'node-red'
import { isInContainer } from '../../shared/container.ts'

/** What to do on a machine that cannot play sounds, as a sentence. */
export function adviceForSilence(RED: Pick<NodeAPI, '_'>, environment: NodeJS.ProcessEnv): string {
  return RED._(`speaker.advice.${situationOf(environment)}`)
}

function situationOf(environment: NodeJS.ProcessEnv): string {
  if (environment['SUPERVISOR_TOKEN']) return 'add-on'
  if (isInContainer()) return 'container'
  return process.platform === 'linux' ? 'linux' : 'other'
}
