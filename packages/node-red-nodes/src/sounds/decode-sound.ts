import type { AudioEncoding } from '@parlando/core/audio'
import type { Texts } from '../runtime/texts.ts'
import { createSound, type GrowingSound, type Sound, stepBytes, withText } from './sound.ts'

/**
 * Decodes a sound while it grows, in a process of its own.
 * @returns 16-bit mono PCM; the sound itself if it is that already. It fails with a {@link NodeInputError} if the sound
 * cannot be decoded, with the error of the sound, or with the reason of the signal.
 */
export function decodeSound(
  RED: Texts,
  sound: Sound,
  sampleRateHertz: number,
  signal: AbortSignal,
): Sound {
  const { format } = sound
  if (format.audioEncoding === 'PCM' && format.sampleRateHertz === sampleRateHertz) return sound
  const decoded = createSound({ audioEncoding: 'PCM', sampleRateHertz }, stepBytes)
  decodeInto(decoded, sound, signal).then(
    () => decoded.complete(),
    (error) => decoded.fail(withText(RED, error)),
  )
  return decoded
}

async function decodeInto(decoded: GrowingSound, sound: Sound, signal: AbortSignal): Promise<void> {
  // It loads what starts a process, for the first sound.
  const { decodeSound: decode } = await import('@parlando/local-service/decode-sound')
  const { format } = sound
  const request = {
    format: fileFormatOf(format.audioEncoding),
    inputRateHertz: format.sampleRateHertz,
    sampleRateHertz: decoded.format.sampleRateHertz,
  }
  for await (const { samples } of decode(request, sound.read(signal), signal)) {
    decoded.append(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    // A small file can contain hours.
    await decoded.room(signal)
  }
}

/** The service sends a WAV header also in front of `LINEAR16`. */
function fileFormatOf(encoding: AudioEncoding): Exclude<AudioEncoding, 'LINEAR16'> {
  return encoding === 'LINEAR16' ? 'WAV' : encoding
}
