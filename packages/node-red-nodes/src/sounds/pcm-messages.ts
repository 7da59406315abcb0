import { encodings } from '@parlando/core/audio'
import { innerParts, type Parts } from '../runtime/sequences.ts'

/** `msg.audio` of a sound that is sent in pieces. `bytes` and `durationSeconds` count the sound so far. */
export interface PcmFacts {
  encoding: 'PCM'
  mediaType: string
  sampleRateHertz: number
  channels: 1
  bytes: number
  durationSeconds: number
}

/**
 * Makes the properties of the messages of one sound: of one for each piece, and of the final one with an empty Buffer.
 * @param outer The parts of the sequence that the sound belongs to.
 */
export function pcmMessages(id: string, sampleRateHertz: number, outer?: Parts) {
  const own = innerParts({ id, type: 'buffer' }, outer)
  let index = 0
  let bytes = 0
  const facts = (count?: number) => ({
    audio: {
      encoding: 'PCM',
      mediaType: encodings.PCM.mediaType,
      sampleRateHertz,
      channels: 1,
      bytes,
      durationSeconds: Number((bytes / (2 * sampleRateHertz)).toFixed(3)),
    } as PcmFacts,
    parts: { ...own, index, ...(count && { count }) } as Parts,
  })
  return {
    /** The properties for a piece, which is not cloned with the others. */
    next(pcm: Uint8Array) {
      bytes += pcm.length
      const next = { ...facts(), payload: Buffer.from(pcm.buffer, pcm.byteOffset, pcm.length) }
      index += 1
      return next
    },
    last() {
      return { ...facts(index + 1), payload: Buffer.alloc(0), complete: true as const }
    },
    get hasBegun() {
      return index > 0
    },
  }
}
