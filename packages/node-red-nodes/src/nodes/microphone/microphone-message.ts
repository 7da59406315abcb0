import type { NodeMessageInFlow } from 'node-red'
import { sampleRateHertz } from '../../microphones/recording.ts'
import { type PcmFacts, pcmMessages } from '../../sounds/pcm-messages.ts'

export interface MicrophoneMessage extends NodeMessageInFlow {
  /** Ends the recording. */
  stop?: unknown
  /** Who says the text in the payload: *converse* sends `user` or `assistant`. */
  role?: unknown
  audio?: PcmFacts
  complete?: boolean
  /** On the final message: whether the recording may lack its end. */
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
