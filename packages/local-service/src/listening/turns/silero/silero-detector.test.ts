import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { voicedSound, whiteNoise } from '@parlando/test-support/audio/computed-sounds'
import { detectTurns } from '@parlando/test-support/local-service/detect-turns'
import { writeTinySpeechModel } from '@parlando/test-support/local-service/models/tiny-speech-model'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SpeechDetector } from '../detectors.ts'
import { createTurnDetector } from '../turn-detector.ts'
import { defaultTurnRule } from '../turn-rule.ts'
import type { TurnEvent } from '../turn-states.ts'
import { startSilero } from './silero-detector.ts'

const dataFolder = optionalEnginesFolder
const warnings: string[] = []
const warn = (message: string) => warnings.push(message)
const silence = (ms: number) => new Int16Array(ms * 16)
const noise = (ms: number, amplitude: number) => whiteNoise(ms * 16, amplitude)

let sherpaModels: string
let silero: SpeechDetector
beforeAll(async () => {
  sherpaModels = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  await writeTinySpeechModel(join(sherpaModels, 'silero_vad.onnx'))
  silero = (await startSilero({ sherpaModels, dataFolder, warn }))!
})
afterAll(async () => {
  await silero.close()
  await rm(sherpaModels, { recursive: true })
})

/** Finds the turns with the tiny model, which takes all loud sound for speech. */
async function detect(sounds: readonly Int16Array[], pieceSamples = 1600): Promise<TurnEvent[]> {
  return detectTurns(
    await createTurnDetector(defaultTurnRule, { speechDetector: silero }),
    sounds,
    pieceSamples,
  )
}

describe('the speech detector', () => {
  it('starts turns that the voice detector does not start, and neither continues them on its own', async () => {
    const sound = [silence(1000), noise(3000, 0.3), silence(1000)]
    const events = await detect(sound)
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['speechStarted', 'speechStopped'])
    const [start] = events as unknown as [{ startMs: number }]
    expect(Math.abs(start.startMs - 600)).toBeLessThanOrEqual(80)
  })

  it('starts no turn with a quiet voice, although the voice detector would', async () => {
    expect(await detect([silence(1000), voicedSound({ seconds: 1, amplitude: 0.02 })])).toEqual([])
  })

  it('finds a voice with its whole beginning and end, in pieces of any length', async () => {
    const sound = [silence(1000), voicedSound({ seconds: 1 }), silence(1500)]
    const events = await detect(sound)
    expect(events.map(({ type }) => type)).toEqual(['speechStarted', 'speechStopped'])
    const [start, stop] = events as unknown as [{ startMs: number }, { endMs: number }]
    expect(start.startMs).toBeGreaterThan(500)
    expect(start.startMs).toBeLessThan(900)
    // The sound fades.
    expect(stop.endMs).toBeGreaterThan(2300)
    expect(stop.endMs).toBeLessThan(2600)
    expect(await detect(sound, 777)).toEqual(events)
  })

  it('judges several streams in parallel', async () => {
    const sounds = [[voicedSound({ seconds: 1 }), silence(800)], [silence(1800)]]
    const [first, second] = await Promise.all(sounds.map((sound) => detect(sound)))
    expect(first).toHaveLength(2)
    expect(second).toEqual([])
  })
})

describe('a process that ends', () => {
  it('leaves the turns of its streams to the voice detector, and starts again for the next stream', async () => {
    const detector = await createTurnDetector(defaultTurnRule, { speechDetector: silero })
    expect(await detector.push(silence(500))).toEqual([])
    for (const child of runningChildProcesses()) child.kill('SIGKILL')
    await expect.poll(runningChildProcesses).toEqual([])
    const events = await detector.push(voicedSound({ seconds: 1 }))
    detector.close()
    expect(events).toMatchObject([{ type: 'speechStarted' }])
    expect(warnings.splice(0)).toEqual(['The voice activity detection failed: its process ended'])
    expect(await detect([silence(1000), noise(1000, 0.3)])).toHaveLength(2)
  })
})

describe('startSilero', () => {
  it('finds nothing without a folder, a model or the package', async () => {
    const empty = join(sherpaModels, '..')
    expect(await startSilero({ warn })).toBeUndefined()
    expect(await startSilero({ sherpaModels, warn })).toBeUndefined()
    expect(await startSilero({ sherpaModels: `${empty}/none`, dataFolder, warn })).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it('reports a damaged model', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlando-models-'))
    const model = join(folder, 'silero_vad.onnx')
    await writeFile(model, 'not a model')
    expect(await startSilero({ sherpaModels: folder, dataFolder, warn })).toBeUndefined()
    expect(warnings.splice(0)).toEqual([
      expect.stringContaining(`The voice activity detection ${model} is not used: `),
    ])
    await rm(folder, { recursive: true })
  })
})
