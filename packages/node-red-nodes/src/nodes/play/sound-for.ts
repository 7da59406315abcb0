import { writeWavHeader } from '@parlando/core/audio'
import type { Texts } from '../../runtime/texts.ts'
import { decodeSound } from '../../sounds/decode-sound.ts'
import { createSound, type Sound, type SoundFormat } from '../../sounds/sound.ts'

const withoutHeader = ['PCM', 'MULAW', 'ALAW']

/**
 * Adapts a sound to a speaker. One that takes PCM gets PCM. One that takes files gets the unchanged file in any
 * encoding, since its players read several; samples without a header become a WAV file, or an MP3 file if they are still
 * arriving.
 */
export function soundFor(
  RED: Texts,
  wanted: SoundFormat,
  sound: Sound,
  signal: AbortSignal,
): Sound {
  if (wanted.audioEncoding === 'PCM') return decodeSound(RED, sound, wanted.sampleRateHertz, signal)
  if (!withoutHeader.includes(sound.format.audioEncoding)) return sound
  return sound.isComplete ? toWav(RED, sound, signal) : toMp3(RED, sound, wanted, signal)
}

/** The file grows with the sound: a long answer that arrives as fast as it is played is heard while it arrives. */
function toMp3(RED: Texts, sound: Sound, format: SoundFormat, signal: AbortSignal): Sound {
  const file = createSound(format)
  const pcm = decodeSound(RED, sound, format.sampleRateHertz, signal)
  const write = async () => {
    // It loads an encoder, for the first sound.
    const { encodeMp3 } = await import('@parlando/local-service/encode-mp3')
    for await (const chunk of encodeMp3(pcm.read(signal), format.sampleRateHertz)) {
      file.append(chunk)
      await file.room(signal)
    }
    file.complete()
  }
  write().catch((error) => file.fail(error))
  return file
}

/** Makes WAV of a complete sound: players reject a header without the true length. */
function toWav(RED: Texts, sound: Sound, signal: AbortSignal): Sound {
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
