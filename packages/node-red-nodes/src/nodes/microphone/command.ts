import type { NodeAPI } from 'node-red'
import { type TextRole, textRoles } from '../../microphones/page/page-messages.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import type { MicrophoneMessage } from './microphone-message.ts'

/** A text is shown on the pages. */
export type Command = 'start' | 'stop' | { role: TextRole; text: string }

/** What a message asks the node to do. @throws {NodeInputError} for any other message. */
export function readCommand(
  RED: Pick<NodeAPI, '_'>,
  { stop, payload, role }: MicrophoneMessage,
): Command {
  if (stop === true) return 'stop'
  const known = textRoles.find((one) => one === role)
  if (known && typeof payload === 'string') return { role: known, text: payload }
  if (payload === false || payload === 'stop') return 'stop'
  if (payload === true || payload === 'start') return 'start'
  throw new NodeInputError(RED._('microphone.error.unknown-command'))
}
