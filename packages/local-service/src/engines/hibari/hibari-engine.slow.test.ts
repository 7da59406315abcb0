import { cp, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { speakBytes } from '@parlando/test-support/local-service/test-app'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import type { Engine } from '../engine.ts'
import { SpeakingThread } from '../threads/speaking-thread.ts'
import type { SpokenPiece } from './generate-speech.ts'
import { hibari } from './hibari-engine.ts'
import type { HibariPhrase } from './hibari-worker.ts'

let engine: Engine
beforeAll(async () => {
  engine = (await hibari.start({ options: {}, warn() {} }))!
})
afterAll(() => engine.close())

/** @param data the folder with the voice and the lists. */
function openThread(data: string) {
  const program = { program: 'hibari-worker', data, resourceLimits: {} }
  const thread = new SpeakingThread<HibariPhrase, SpokenPiece>(program)
  onTestFinished(() => thread.close())
  return thread
}

/** @returns a function that speaks with a thread of its own. */
function openHeart() {
  const data = findBuiltInData()!
  const thread = openThread(data)
  const { signal } = new AbortController()
  const weights = join(data, 'heart/weights.safetensors')
  return (text: string, onSound: (piece: SpokenPiece) => void, rank?: () => number) =>
    thread.execute({ phrase: { weights, accent: 'american', text }, onSound, signal, rank })
}

const secondsOf = async (text: string) =>
  (await speakBytes(engine, 'heart', text)).length / 4 / engine.sampleRateHertz

it('speaks the digits of a word that is too long to be spelled out', async () => {
  expect(await secondsOf('1'.repeat(20))).toBeGreaterThan(3)
})

it('passes on no sound after an abort, and speaks the next phrase with the same thread', async () => {
  for (let pieces = 0; pieces < 4; pieces++) {
    const disconnect = new AbortController()
    const reason = new Error('gone')
    let heard = 0
    if (pieces === 0) disconnect.abort(reason)
    const spoken = engine.speakPhrase({
      voice: 'heart',
      text: 'The kitchen window is open, so please close it before the rain.',
      modelId: 'svc-tts-2',
      withWords: true,
      signal: disconnect.signal,
      onSound() {
        heard += 1
        if (heard === pieces) disconnect.abort(reason)
      },
    })
    await expect(spoken).rejects.toBe(reason)
    expect(heard).toBe(pieces)
  }
  expect(await secondsOf('Still here')).toBeGreaterThan(0.3)
  expect(engine.threads).toEqual({ alive: 1, replaced: 0 })
})

const damages = [
  ['cut', 'heart/weights.safetensors', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['deleted', 'english/english.json', undefined],
  ['empty', 'heart/weights.safetensors', () => Buffer.alloc(0)],
  ['overwritten', 'heart/weights.safetensors', ({ length }: Buffer) => Buffer.alloc(length, 'x')],
  ['cut', 'english/gold.txt.gz', (bytes: Buffer) => bytes.subarray(0, -1)],
] as const

it.each(casesToRun(damages, 2))(
  'says that a file of the voice is %s: %s, and speaks once it is repaired',
  async (_, name, damage) => {
    const folder = await mkdtemp(join(tmpdir(), 'parlando-voices-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    for (const part of ['english', 'heart']) {
      await cp(findBuiltInData(part)!, join(folder, part), { recursive: true })
    }
    const path = join(folder, name)
    const bytes = await readFile(path)
    if (damage) await writeFile(path, damage(bytes))
    else await rm(path)
    const thread = openThread(folder)
    const weights = join(folder, 'heart/weights.safetensors')
    const phrase = { weights, accent: 'american', text: 'Yes.' } as const
    const { signal } = new AbortController()
    await expect(thread.execute({ phrase, onSound() {}, signal })).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /files of @parlando\/voices are missing or damaged. Install that/,
      ),
    })
    await writeFile(path, bytes)
    let samples = 0
    const count = (piece: SpokenPiece) => {
      samples += piece.samples.length
    }
    await thread.execute({ phrase, onSound: count, signal })
    expect(samples).toBeGreaterThan(0)
  },
)

it('a voice that is installed again speaks with its new weights, and one that was removed with those that it had', async () => {
  const data = findBuiltInData()!
  const folder = await mkdtemp(join(tmpdir(), 'parlando-voices-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const weights = join(folder, 'weights.safetensors')
  await cp(join(data, 'heart/weights.safetensors'), weights)
  const thread = openThread(data)
  const { signal } = new AbortController()
  const phrase = { weights, accent: 'american', text: 'Yes.' } as const
  const say = () => thread.execute({ phrase, onSound() {}, signal })
  // npm gives all files the same date.
  await utimes(weights, 1, 1)
  await say()
  const { size } = await stat(weights)
  await rm(weights)
  await say()
  await writeFile(weights, Buffer.alloc(size))
  await utimes(weights, 1, 1)
  await expect(say()).rejects.toThrow('damaged')
})

it('an urgent phrase is spoken in the middle of another one, whose sound does not change', async () => {
  const say = openHeart()
  const long = 'The washing machine has finished, and the dryer needs another hour.'
  const alone: Float32Array[] = []
  await say(long, ({ samples }) => alone.push(samples))
  const interrupted: Float32Array[] = []
  const urgent: number[] = []
  let saying: Promise<unknown> | undefined
  const whole = say(long, ({ samples }) => {
    interrupted.push(samples)
    saying ??= say('Yes.', () => urgent.push(interrupted.length))
  })
  await Promise.all([whole, saying])
  await saying
  expect(interrupted).toEqual(alone)
  expect(urgent.length).toBeGreaterThan(0)
  expect(Math.max(...urgent)).toBeLessThan(interrupted.length)
})

it('two phrases are spoken in turns, each when it is the more urgent one, and sound as they do alone', async () => {
  const say = openHeart()
  const texts = [
    'The washing machine has finished, and the dryer needs another hour.',
    'There is somebody at the front door, and it looks like the postman.',
  ]
  const alone = texts.map((): Float32Array[] => [])
  for (const [index, text] of texts.entries()) {
    await say(text, ({ samples }) => alone[index]!.push(samples))
  }
  const heard = texts.map((): Float32Array[] => [])
  const order: number[] = []
  const speak = (index: number) =>
    say(
      texts[index]!,
      ({ samples }) => {
        heard[index]!.push(samples)
        order.push(index)
      },
      () => heard[index]!.length,
    )
  await Promise.all([speak(0), speak(1)])
  expect(heard).toEqual(alone)
  const changes = order.filter((index, place) => index !== order[place - 1])
  expect(changes.length).toBeGreaterThan(4)
})
