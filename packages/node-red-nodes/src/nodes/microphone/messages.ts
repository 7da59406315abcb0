import { encodings } from '@parlando/core/audio'
import type { NodeMessageInFlow } from 'node-red'
import { bytesPerSecond, sampleRateHertz } from '../../microphones/recording.ts'
import { innerParts } from '../../runtime/parts.ts'

/** Facts about a recording. `bytes` and `durationSeconds` count the sound so far. */
export interface RecordedAudio {
  encoding: 'PCM'
  mediaType: string
  sampleRateHertz: number
  channels: 1
  bytes: number
  durationSeconds: number
}

export interface MicrophoneMessage extends NodeMessageInFlow {
  /** Ends the recording. */
  stop?: unknown
  /** Who says the text in the payload: *converse* sends `user` or `assistant`. */
  role?: unknown
  audio?: RecordedAudio
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
  const parts = innerParts({ id: sequenceId, type: 'buffer' }, outerParts)
  // Reading or cloning any property may throw, so it happens before the recording begins.
  const base = clone(rest)
  let index = 0
  let bytes = 0
  const audio = (): RecordedAudio => ({
    encoding: 'PCM',
    mediaType: encodings.PCM.mediaType,
    sampleRateHertz,
    channels: 1,
    bytes,
    durationSeconds: Number((bytes / bytesPerSecond).toFixed(3)),
  })
  return {
    next(pcm: Buffer): MicrophoneMessage {
      bytes += pcm.length
      const next = { ...clone(base), audio: audio(), parts: { ...parts, index: index++ } }
      return { ...next, payload: pcm }
    },
    /** @returns nothing for a recording without any sound. */
    last(isInterrupted: boolean): MicrophoneMessage | undefined {
      if (index === 0) return undefined
      Object.assign(message, {
        payload: Buffer.alloc(0),
        audio: audio(),
        parts: { ...parts, index, count: index + 1 },
        complete: true,
      })
      if (isInterrupted) message.interrupted = true
      else delete message.interrupted
      return message
    },
  }
}
