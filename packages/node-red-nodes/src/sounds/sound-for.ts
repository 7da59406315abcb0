import { writeWavHeader } from '@parlando/core/audio'
import type { NodeAPI } from 'node-red'
import { decodeSound } from './decode-sound.ts'
import { createSound, type Sound, type SoundFormat } from './sound.ts'

const withoutHeader = ['PCM', 'MULAW', 'ALAW']

/**
 * Adapts a sound to a speaker. One that takes PCM gets PCM. One that takes files gets the unchanged file in any
 * encoding, since its players read several; samples without a header become a WAV file.
 */
export function soundFor(
  RED: Pick<NodeAPI, '_'>,
  wanted: SoundFormat,
  sound: Sound,
  signal: AbortSignal,
): Sound {
  if (wanted.audioEncoding === 'PCM') return decodeSound(RED, sound, wanted.sampleRateHertz, signal)
  return withoutHeader.includes(sound.format.audioEncoding) ? toWav(RED, sound, signal) : sound
}

/** Players reject a header without the true length, so the file exists only when the sound is complete. */
function toWav(RED: Pick<NodeAPI, '_'>, sound: Sound, signal: AbortSignal): Sound {
  const { sampleRateHertz } = sound.format
  const file = createSound({ audioEncoding: 'WAV', sampleRateHertz })
  const pcm = decodeSound(RED, sound, sampleRateHertz, signal)
  const write = async () => {
    const samples: Uint8Array[] = []
    for await (const chunk of pcm.read(signal)) samples.push(chunk)
    file.append(writeWavHeader({ sampleRateHertz, dataBytes: pcm.byteLength }))
    for (const chunk of samples) file.append(chunk)
    file.complete()
  }
  write().catch((error) => file.fail(error))
  return file
}
