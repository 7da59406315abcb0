import { writeFile } from 'node:fs/promises'
import type { AudioEncoding } from '@parlando/core/audio'
import { createEncoderPool } from '../../../local-service/src/audio/encoding/encoder-pool.ts'
import { tone } from './computed-sounds.ts'

const pool = createEncoderPool()

/**
 * Encodes a sound as the local service does, without the header of a WAV file.
 * @param pcm 16 bits, mono.
 */
export async function encode(
  audioEncoding: AudioEncoding,
  sampleRateHertz: number,
  pcm: Buffer,
  bitRate = 128_000,
): Promise<Buffer> {
  const encoder = await pool.open({ audioEncoding, sampleRateHertz, bitRate })
  const samples = Float32Array.from({ length: pcm.length >> 1 }, (_value, index) => {
    return pcm.readInt16LE(2 * index) / 32_768
  })
  const file = Buffer.concat([encoder.push(samples), encoder.end()])
  encoder.close()
  return file
}

/**
 * Encodes MP3 as the local service does: at a constant bit rate, without a header in front of the frames.
 * @param pcm 16 bits, mono.
 */
export function encodeMp3(
  pcm: Buffer,
  { sampleRateHertz, bitRate }: { sampleRateHertz: number; bitRate?: number },
): Promise<Buffer> {
  return encode('MP3', sampleRateHertz, pcm, bitRate)
}

/** Writes what the tests of devices take for music: a minute of 300 Hz, as MP3. */
export async function writeMusic(file: string): Promise<void> {
  const sampleRateHertz = 44_100
  const pcm = tone({ hertz: 300, seconds: 60, sampleRateHertz })
  await writeFile(file, await encodeMp3(pcm, { sampleRateHertz }))
}

/**
 * Sets the random serial number of every page of an Ogg file to 0, and the checksum, which depends on it. Returns a copy;
 * other files stay unchanged.
 */
export function clearOggSerials(file: Uint8Array): Buffer {
  const cleared = Buffer.from(file)
  if (cleared.indexOf('OggS') !== 0) return cleared
  for (let page = 0; page >= 0; page = cleared.indexOf('OggS', page + 1)) {
    cleared.fill(0, page + 14, page + 18)
    cleared.fill(0, page + 22, page + 26)
  }
  return cleared
}
