import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AudioEncoding, type Client, createClient } from '@parlando/core'
import { createDurationMeter } from '@parlando/core/audio'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const needsJudges = needs('ffmpeg', 'ffprobe', 'opusinfo', 'flac')
const pieces = [
  'The laundry is done now, and it can be taken out at once.',
  'There is more to say today, which is why this goes on.',
  'Good night, everybody, and thank you for having listened.',
]
const sampleRateHertz = 24_000
// Up to one Opus frame at the end of every piece but the last, and the start of the next encoder.
const opusJoinSeconds = 0.02 + 0.0065

let folder: string
let client: Client
let service: LocalService
/** The samples of all pieces. */
let plain: Int16Array
let plainSeconds: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-files-'))
  service = await startLocalService({ apiKey: keys.service, warmUp: false })
  const { baseUrl } = service
  client = createClient({ baseUrl, apiKey: keys.service, maxTextCharacters: 100 })
  const { audio } = await client.synthesize(requestOf('PCM'))
  plain = new Int16Array(new Uint8Array(audio).buffer)
  plainSeconds = plain.length / sampleRateHertz
})
afterAll(async () => {
  await client.close()
  await service.close()
  await rm(folder, { recursive: true })
})

function requestOf(audioEncoding: AudioEncoding) {
  const audioConfig = { audioEncoding, sampleRateHertz } as const
  return { text: pieces.join(' '), voiceId: 'Kit', modelId: 'svc-tts-2-flash', audioConfig }
}

/** A file of all pieces, from a stream or whole, and its path. */
async function longFile(audioEncoding: AudioEncoding, form: 'stream' | 'whole') {
  const request = requestOf(audioEncoding)
  const chunks: Uint8Array[] = []
  if (form === 'whole') chunks.push((await client.synthesize(request)).audio)
  else await client.synthesizeStream(request).consume(({ audio }) => void chunks.push(audio))
  const bytes = Buffer.concat(chunks)
  const path = join(folder, `${form}.${audioEncoding}`)
  await writeFile(path, bytes)
  return { bytes, path }
}

/** Decodes a file with ffmpeg, which must not report a problem. */
async function decode(path: string): Promise<Int16Array> {
  const args = ['-v', 'error', '-i', path, '-f', 's16le', '-ar', String(sampleRateHertz), '-']
  const { stdout, stderr } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 26 })
  expect(stderr.toString()).toBe('')
  return new Int16Array(new Uint8Array(stdout).buffer)
}

async function probe(path: string): Promise<number> {
  const args = ['-v', 'error', '-of', 'csv=p=0', '-show_entries', 'format=duration', path]
  return Number((await run('ffprobe', args)).stdout)
}

/** The first sample that is loud, in seconds. */
function onset(samples: Int16Array): number {
  return samples.findIndex((sample) => Math.abs(sample) > 1000) / sampleRateHertz
}

function secondsOf(audioEncoding: AudioEncoding, bytes: Uint8Array): number {
  const meter = createDurationMeter(audioEncoding, sampleRateHertz)
  meter.push(bytes)
  return meter.seconds!
}

describe('the file of a text that is spoken in several pieces', needsJudges, () => {
  it('is one Opus stream with the length of all pieces', async () => {
    const { bytes, path } = await longFile('OGG_OPUS', 'stream')
    const { stdout } = await run('opusinfo', [path])
    expect(stdout.match(/^New logical stream/gm)).toHaveLength(1)
    expect(stdout).not.toMatch(/WARNING|ERROR/i)
    expect(bytes.indexOf('OpusHead')).toBe(bytes.lastIndexOf('OpusHead'))
    const decoded = await decode(path)
    const ffprobeSeconds = await probe(path)
    const meterSeconds = secondsOf('OGG_OPUS', bytes)
    for (const seconds of [ffprobeSeconds, meterSeconds, decoded.length / sampleRateHertz]) {
      expect(seconds - plainSeconds).toBeGreaterThan(-0.01)
      expect(seconds - plainSeconds).toBeLessThan(0.01 + opusJoinSeconds * (pieces.length - 1))
    }
    expect(Math.abs(onset(decoded) - onset(plain))).toBeLessThan(0.003)
  })

  it('is one FLAC stream with the samples of all pieces', async () => {
    const { bytes, path } = await longFile('FLAC', 'whole')
    await run('flac', ['--test', '--silent', path])
    expect(bytes.indexOf('fLaC')).toBe(bytes.lastIndexOf('fLaC'))
    const decoded = await decode(path)
    expect(Buffer.from(decoded.buffer).equals(Buffer.from(plain.buffer))).toBe(true)
    expect(secondsOf('FLAC', bytes)).toBeCloseTo(plainSeconds, 6)
    expect(await probe(path)).toBeCloseTo(plainSeconds, 5)
  })

  it('is the same FLAC stream while its length is unknown', async () => {
    const [stream, whole] = [await longFile('FLAC', 'stream'), await longFile('FLAC', 'whole')]
    await run('flac', ['--test', '--silent', stream.path])
    expect(stream.bytes.subarray(42).equals(whole.bytes.subarray(42))).toBe(true)
  })

  it('is one MP3 file while its length is unknown', async () => {
    const { bytes, path } = await longFile('MP3', 'stream')
    expect(bytes.toString('latin1')).not.toMatch(/Xing|Info/)
    const decoded = await decode(path)
    expect(decoded.length / sampleRateHertz).toBeCloseTo(secondsOf('MP3', bytes), 1)
  })

  it('is one whole MP3 file with its length and without a delay', async () => {
    const { bytes, path } = await longFile('MP3', 'whole')
    expect(bytes.toString('latin1').match(/Xing|Info/g)).toEqual(['Info'])
    expect(Math.abs(onset(await decode(path)) - onset(plain))).toBeLessThan(0.003)
    expect(await probe(path)).toBeCloseTo(secondsOf('MP3', bytes), 1)
  })
})
