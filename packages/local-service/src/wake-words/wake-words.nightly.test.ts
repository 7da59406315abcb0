import { whiteNoise } from '@parlando/test-support/audio/computed-sounds'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findCases, type WakeWordCase } from '../part-registry/part-test-case.ts'
import {
  type DetectorModel,
  type WakeWordDefinition,
  type WakeWordDetection,
  type WakeWordDetector,
  type WakeWordRequest,
  type WakeWordStream,
  wakeWordRateHertz,
} from './wake-word-detector.ts'
import { wakeWordDefinitions } from './wake-word-registry.ts'

const cases = findCases<WakeWordCase>(import.meta.dirname)

for (const definition of wakeWordDefinitions) {
  const options = definition.name === 'pocketsphinx' ? needsRecogniser() : {}
  describe(`wake word detector ${definition.name}`, options, () => testContract(definition))
}

/** The contract of every detector. */
function testContract({ name, start }: WakeWordDefinition): void {
  let detector: WakeWordDetector
  let model: DetectorModel
  let phrase: string
  /** Somebody says the phrase, with half a second of silence before and after. */
  let spoken: Int16Array
  let closeCase: (() => Promise<void>) | undefined
  const opened: WakeWordStream[] = []
  beforeAll(async () => {
    const { spoken: own, close, ...context } = await cases.start(name)
    closeCase = close
    phrase = own?.phrase ?? 'hey computer'
    spoken = own?.samples ?? (await spokenSound(phrase))
    const warn = (message: string) => {
      throw new Error(message)
    }
    detector = (await start({ options: {}, warn, ...context }))!
    model = detector.models[0]!
  })
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close()
  })
  afterAll(async () => {
    await detector.close()
    await closeCase?.()
  })

  const open = async (request: Partial<WakeWordRequest> = {}): Promise<WakeWordStream> => {
    const { signal } = new AbortController()
    const defaults = { modelId: model.modelId, phrases: [phrase], sensitivity: 0.5, signal }
    const stream = await detector.open({ ...defaults, ...request })
    opened.push(stream)
    return stream
  }
  const push = async (
    stream: WakeWordStream,
    samples: Int16Array,
    pieceSamples = 320,
  ): Promise<WakeWordDetection[]> => {
    const found: WakeWordDetection[] = []
    for (let from = 0; from < samples.length; from += pieceSamples) {
      found.push(...(await stream.push(samples.subarray(from, from + pieceSamples))))
    }
    return found
  }
  const silence = (seconds: number) => new Int16Array(seconds * wakeWordRateHertz)

  it('has its name, and models that begin with it', () => {
    expect(detector.name).toBe(name)
    expect(model.modelId).toMatch(new RegExp(`^${name}/`))
  })

  it.each([111, 320, 16_000])('finds a phrase in pieces of %i samples', async (pieceSamples) => {
    const stream = await open()
    const found = await push(stream, spoken, pieceSamples)
    found.push(...(await stream.end()))
    expect(found).toMatchObject([{ phrase }])
    const [{ endMs, score = 1 }] = found as [WakeWordDetection]
    const spokenMs = (1000 * spoken.length) / wakeWordRateHertz - 500
    expect(Math.abs(endMs - spokenMs)).toBeLessThan(400)
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThanOrEqual(1)
  })

  it('knows when a phrase ended that it finds only at the end of the sound', async () => {
    const stream = await open()
    const spokenSamples = spoken.length - wakeWordRateHertz / 2
    // Some detectors need more sound behind it.
    const found = await push(stream, spoken.subarray(0, spokenSamples + 800))
    found.push(...(await stream.end()))
    const spokenMs = (1000 * spokenSamples) / wakeWordRateHertz
    for (const { endMs } of found) expect(Math.abs(endMs - spokenMs)).toBeLessThan(400)
  })

  it('finds each repetition once, with times from the start of the stream', async () => {
    const stream = await open()
    const pause = silence(1.5)
    const found: WakeWordDetection[] = []
    for (const samples of [pause, spoken, pause, spoken]) {
      found.push(...(await push(stream, samples)))
    }
    found.push(...(await stream.end()))
    expect(found.map((each) => each.phrase)).toEqual([phrase, phrase])
    const periodMs = (1000 * (pause.length + spoken.length)) / wakeWordRateHertz
    expect(Math.abs(found[1]!.endMs - found[0]!.endMs - periodMs)).toBeLessThan(100)
  })

  it('finds nothing in silence, noise and other speech', async () => {
    const stream = await open()
    const other = await spokenSound('The train to the coast leaves from platform nine at noon.')
    for (const samples of [silence(2), whiteNoise(2 * wakeWordRateHertz, 0.1), other]) {
      expect(await push(stream, samples)).toEqual([])
    }
    expect(await stream.end()).toEqual([])
  })

  it('listens to several microphones, each on its own', async () => {
    const [speaking, silent] = [await open(), await open()]
    const quiet = silence(spoken.length / wakeWordRateHertz)
    const [found, none] = await Promise.all([push(speaking, spoken), push(silent, quiet)])
    found.push(...(await speaking.end()))
    expect(found).toHaveLength(1)
    expect([...none, ...(await silent.end())]).toEqual([])
  })

  it('leaves nothing of a closed stream to the next one', async () => {
    const half = spoken.subarray(0, spoken.length / 2)
    const first = await open()
    await push(first, half)
    first.close()
    const next = await open()
    expect(await push(next, spoken.subarray(half.length))).toEqual([])
    expect(await next.end()).toEqual([])
  })

  it('ends a stream after an abort, with the reason', async () => {
    const { signal, abort } = abortable()
    const stream = await open({ signal })
    const reason = new Error('gone')
    abort(reason)
    await expect(stream.push(spoken)).rejects.toBe(reason)
    await expect(open({ signal })).rejects.toBe(reason)
  })

  it('has a limit of streams, and place for others when some have closed', async () => {
    const openMany = async () => {
      for (let count = 0; count < 100; count++) await open()
    }
    await expect(openMany()).rejects.toThrow('microphones already wait for a wake word')
    opened.pop()!.close()
    await open()
  })
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason: Error) => controller.abort(reason) }
}
