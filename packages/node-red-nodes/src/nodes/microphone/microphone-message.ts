import type { NodeMessageInFlow } from 'node-red'
import { sampleRateHertz } from '../../microphones/microphone-recording.ts'
import { type TextRole, textRoles } from '../../microphones/page/page-messages.ts'
import { type Failure, NodeInputError } from '../../runtime/failure.ts'
import type { Send } from '../../runtime/input.ts'
import type { Texts } from '../../runtime/texts.ts'
import { type PcmFacts, pcmMessages } from '../../sounds/pcm-messages.ts'

export interface MicrophoneMessage extends NodeMessageInFlow {
  /** Ends the recording. */
  stop?: unknown
  /** Who says the text in the payload: *converse* sends `user` or `assistant`. */
  role?: unknown
  audio?: PcmFacts
  complete?: boolean
  /** Whether the recording may lack its end, on the final message. */
  interrupted?: boolean
}

/** Makes the messages of one recording: one for each piece of sound, and the final one with an empty Buffer. */
export function recordingMessages(
  message: MicrophoneMessage,
  sequenceId: string,
  clone: (message: MicrophoneMessage) => MicrophoneMessage,
) {
  const { payload: _payload, parts: outerParts, complete: _complete, ...rest } = message
  const sound = pcmMessages(sequenceId, sampleRateHertz, outerParts)
  // Reading or cloning any property may throw, so it happens before the recording begins.
  const base = clone(rest)
  return {
    next: (pcm: Buffer): MicrophoneMessage => ({ ...clone(base), ...sound.next(pcm) }),
    /** @returns nothing for a recording without any sound. */
    last(isInterrupted: boolean): MicrophoneMessage | undefined {
      if (!sound.hasBegun) return undefined
      Object.assign(message, sound.last())
      if (isInterrupted) message.interrupted = true
      else delete message.interrupted
      return message
    },
  }
}

/** A text is shown on the pages. */
export type MicrophoneCommand = 'start' | 'stop' | { role: TextRole; text: string }

/** What a message asks the node to do. @throws {NodeInputError} for any other message. */
export function readCommand(
  RED: Texts,
  { stop, payload, role }: MicrophoneMessage,
): MicrophoneCommand {
  if (stop === true) return 'stop'
  const known = textRoles.find((one) => one === role)
  if (known && typeof payload === 'string') return { role: known, text: payload }
  if (payload === false || payload === 'stop') return 'stop'
  if (payload === true || payload === 'start') return 'start'
  throw new NodeInputError(RED._('microphone.error.unknown-command'))
}

/** How the node controls what records. */
export interface MicrophoneControl {
  /** Records until `stop`. Calls `end` when the recording is over. */
  start(
    message: MicrophoneMessage,
    send: Send<MicrophoneMessage>,
    end: (failure?: Failure) => void,
  ): void
  stop(): void
  /** Shows a text on the pages. @throws {NodeInputError} if there is no page. */
  show(role: TextRole, text: string): void
  /** Sends nothing more. */
  close(): Promise<void>
}
