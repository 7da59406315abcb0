import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import type { MicrophoneMessage } from './messages.ts'

/** What a message asks the node to do. @throws {NodeInputError} for any other message. */
export function readCommand(
  RED: Pick<NodeAPI, '_'>,
  { stop, payload }: MicrophoneMessage,
): 'start' | 'stop' {
  if (stop === true || payload === false || payload === 'stop') return 'stop'
  if (payload === true || payload === 'start') return 'start'
  throw new NodeInputError(RED._('microphone.error.unknown-command'))
}
