import type { NodeAPI } from 'node-red'
import { machineKind } from '../../programs/container.ts'

/** What to do on a machine that cannot play sounds, as a sentence. */
export function adviceForSilence(RED: Pick<NodeAPI, '_'>, environment: NodeJS.ProcessEnv): string {
  return RED._(`speaker.advice.${machineKind(environment)}`)
}
