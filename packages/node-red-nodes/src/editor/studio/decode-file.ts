import { studioText } from '../red.ts'

/** The sample rate of everything that the studio records and cuts: models for clones use it. */
export const studioRateHertz = 24_000

const maxFileBytes = 20 * 1024 * 1024
/** A longer recording could not be cut precisely in the sidebar. */
const maxSeconds = 120

/**
 * Decodes a sound with the decoders of the browser.
 * @returns its first two minutes, mono.
 * @throws an Error with a message for the user.
 */
export async function decodeFile(file: File): Promise<Int16Array> {
  if (file.size > maxFileBytes) throw new Error(studioText('record.file-too-large'))
  // It also converts the sound to its own rate.
  const context = new OfflineAudioContext(1, 1, studioRateHertz)
  const decoded = await context.decodeAudioData(await file.arrayBuffer()).catch(() => {
    throw new Error(studioText('record.not-a-sound'))
  })
  return toMono(decoded)
}

function toMono(sound: AudioBuffer): Int16Array {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, channel) =>
    sound.getChannelData(channel),
  )
  const length = Math.min(sound.length, maxSeconds * studioRateHertz)
  return Int16Array.from({ length }, (_, at) => {
    let sum = 0
    for (const samples of channels) sum += samples[at]!
    return Math.max(-0x8000, Math.min(0x7fff, Math.round((sum / channels.length) * 0x8000)))
  })
}
