import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWavHeader, writeWavHeader } from '@parlando/core/audio'
import { writeTinyPocketModel } from '@parlando/test-support/local-service/models/tiny-pocket-model'
import {
  optionalEnginesFolder,
  post,
  speakSamples,
  useTestApp,
} from '@parlando/test-support/local-service/test-app'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { fromPcmBytes, toPcmBytes } from '../../audio/pcm.ts'
import type { RunningEngines } from '../../engines/engine-registry.ts'
import { Scheduler } from '../../engines/schedule/scheduler.ts'
import { createSherpaEngine } from '../../engines/sherpa/sherpa-engine.ts'
import { findSherpa } from '../../models/sherpa/find-sherpa.ts'
import { chooseRecording } from '../../voices/clone/choose-recording.ts'
import { openVoiceList } from '../../voices/voice-list.ts'
import { createApp } from '../app/app.ts'

const testApp = useTestApp()
const sentences =
  'The laundry is done and the door is open. Somebody is waiting for you in the kitchen. ' +
  'The train to the city leaves in half an hour from the other side of the station.'

let modelFolder: string
let dataFolder: string
let recording: { audioData: string; transcription: string }
let withModel: RunningEngines
let withoutModel: RunningEngines

beforeAll(async () => {
  modelFolder = await mkdtemp(join(tmpdir(), 'parlando-pocket-'))
  await writeTinyPocketModel(join(modelFolder, 'pocket-tts'))
  const warn = (message: string) => {
    throw new Error(message)
  }
  const options = {
    findFolders: async () => [modelFolder],
    package: findSherpa([optionalEnginesFolder]),
    warn,
  }
  const engine = (await createSherpaEngine(options))!
  withoutModel = new Map([['flite', testApp.flite]])
  withModel = new Map([...withoutModel, ['sherpa', { engine, scheduler: new Scheduler(1) }]])
  const samples = await speakSamples(testApp.flite.engine, 'slt', sentences)
  const pcm = toPcmBytes(samples)
  const wav = [writeWavHeader({ sampleRateHertz: 16_000, dataBytes: pcm.length }), pcm]
  recording = { audioData: Buffer.concat(wav).toString('base64'), transcription: sentences }
})
afterAll(async () => {
  await withModel.get('sherpa')?.engine.close()
  await rm(modelFolder, { recursive: true })
})
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'parlando-recordings-'))
  return () => rm(dataFolder, { recursive: true })
})

/** A service with the clones of the data folder. */
async function openService(engines: RunningEngines, folder: string | undefined = dataFolder) {
  const fail = (error: unknown) => {
    throw error
  }
  const voiceList = await openVoiceList({ dataFolder: folder, maxVoices: 9, engines, warn: fail })
  const common = { recognisers: new Map(), encoders: createEncoderPool(), onFailure: fail }
  const app = createApp({ ...common, engines, voiceList })
  const clone = async (keepRecording = true, langCode = 'EN_US') => {
    const about = { displayName: 'Anna', langCode, keepRecording }
    const body = { ...about, voiceSamples: [recording] }
    return (await post(app, '/voices/v1/voices:clone', body)).json()
  }
  const speak = async (voiceId: string) => {
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
    const request = { text: 'Hello there.', voiceId, modelId: 'svc-tts-2', audioConfig }
    const { audioContent } = await (await post(app, '/tts/v1/voice', request)).json()
    return fromPcmBytes(Buffer.from(audioContent, 'base64'))
  }
  return { app, voiceList, clone, speak }
}

const storedFiles = () => readdir(join(dataFolder, 'voices'))

/** Half the sign changes per second: the pitch that the tiny model takes from a recording. */
function hertzOf(samples: Float32Array): number {
  const changes = samples.filter((sample, at) => at > 0 && sample * samples[at - 1]! < 0).length
  return (changes * 12_000) / samples.length
}

describe('a clone that keeps a recording', () => {
  it('speaks like the recording, also after a restart, until it is deleted with its recording', async () => {
    const { clone, speak } = await openService(withModel)
    const { voice, audioSamplesValidated } = await clone()
    expect(voice).toMatchObject({ keepsRecording: true, source: 'IVC' })
    expect(audioSamplesValidated[0].warnings).toEqual([])
    const names = [`${voice.voiceId}.json`, `${voice.voiceId}.wav`]
    expect(await storedFiles()).toEqual(names)

    const path = join(dataFolder, 'voices', names[1]!)
    const wav = await readFile(path)
    const header = readWavHeader(wav)!
    expect(header).toMatchObject({ sampleRateHertz: 24_000, channels: 1 })
    const kept = fromPcmBytes(wav.subarray(header.dataOffset))
    expect(kept.length / 24_000).toBeGreaterThan(5)
    expect(kept.length / 24_000).toBeLessThanOrEqual(10)
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0)
    const spoken = await speak(voice.voiceId)
    // The tone is not pure, because phrases are trimmed and joined.
    expect(hertzOf(spoken.filter((sample) => sample !== 0)) / hertzOf(kept)).toBeCloseTo(1, 1)

    const restarted = await openService(withModel)
    expect(hertzOf(await restarted.speak(voice.voiceId)) / hertzOf(spoken)).toBeCloseTo(1, 2)
    const address = `/voices/v1/voices/${voice.voiceId}`
    const listed = await (await restarted.app.request(address)).json()
    expect(listed).toMatchObject({ displayName: 'Anna', keepsRecording: true })
    await restarted.app.request(address, { method: 'DELETE' })
    expect(await storedFiles()).toEqual([])
  })

  it('is an imprint while the model is not installed', async () => {
    const { clone, voiceList } = await openService(withModel)
    const { voice } = await clone()
    expect(voiceList.find(voice.voiceId)).toMatchObject({ engine: 'sherpa', imprint: undefined })
    const without = await openService(withoutModel)
    const found = without.voiceList.find(voice.voiceId)
    expect(found).toMatchObject({ engine: 'flite', imprint: { version: 1 } })
    expect((await without.speak(voice.voiceId)).length).toBeGreaterThan(12_000)
  })
})

it('a clone as a file contains its recording, with which another service speaks like it', async () => {
  const { app, clone, speak } = await openService(withModel)
  const { voice } = await clone()
  const file = await (await app.request(`/local/v1/voices/${voice.voiceId}:export`)).json()
  expect(file.recording).toMatchObject({ text: sentences })
  const spoken = await speak(voice.voiceId)
  await app.request(`/voices/v1/voices/${voice.voiceId}`, { method: 'DELETE' })
  const other = await openService(withModel)
  const added = await (await post(other.app, '/local/v1/voices:import', file)).json()
  expect(added).toMatchObject({ displayName: 'Anna', keepsRecording: true })
  expect(hertzOf(await other.speak(added.voiceId)) / hertzOf(spoken)).toBeCloseTo(1, 2)

  const withoutPlace = await openService(withModel, '')
  const imprint = await (await post(withoutPlace.app, '/local/v1/voices:import', file)).json()
  expect(imprint).toMatchObject({ displayName: 'Anna' })
  expect(imprint.keepsRecording).toBeUndefined()
})

describe('the language of a clone', () => {
  const speakingGerman = (): RunningEngines => {
    const voices = [{ name: 'imitating', langCode: 'DE_DE', imitates: { needsText: false } }]
    const engine = { ...testApp.flite.engine, name: 'sherpa', voices }
    return new Map([...withoutModel, ['sherpa', { engine, scheduler: new Scheduler(1) }]])
  }

  it('may be that of a model that imitates its recording', async () => {
    const { app, clone, voiceList } = await openService(speakingGerman())
    const { voice } = await clone(true, 'DE_AT')
    expect(voice).toMatchObject({ langCode: 'DE_AT', keepsRecording: true })
    expect(voiceList.find(voice.voiceId)).toMatchObject({ engine: 'sherpa', imprint: undefined })
    const rejected = await post(app, '/tts/v1/voice', {
      text: 'Hello',
      voiceId: voice.voiceId,
      modelId: 'svc-tts-2',
      language: 'en-GB',
    })
    expect(rejected.status).toBe(501)
    expect(await rejected.json()).toMatchObject({
      message: `language: the voice ${voice.voiceId} speaks DE_AT, not en-GB; these voices speak English: Clara, Angus, Ralph`,
    })
  })

  it('is that of the library without a recording', async () => {
    const { clone } = await openService(speakingGerman())
    const message = expect.stringContaining('clones cannot speak DE_DE; they can speak EN_US')
    expect(await clone(false, 'DE_DE')).toMatchObject({ code: 12, message })
    const { clone: cloneWithoutFolder } = await openService(speakingGerman(), '')
    expect(await cloneWithoutFolder(true, 'DE_DE')).toMatchObject({
      code: 12,
      message: expect.stringMatching(
        /cannot speak DE_DE; .*, because the service has no data folder/,
      ),
    })
  })

  it('decides whether a model can imitate it', async () => {
    const { clone, voiceList } = await openService(speakingGerman())
    const { voice, audioSamplesValidated } = await clone(true, 'AUTO')
    expect(voice.langCode).toMatch(/^EN_/)
    const [{ warnings }] = audioSamplesValidated
    expect(warnings).toMatchObject([
      { text: expect.stringContaining(`the installed model does not speak ${voice.langCode}`) },
    ])
    expect(voiceList.find(voice.voiceId)?.engine).toBe('flite')
  })
})

describe('the service keeps no recording', () => {
  const notKept = async (engines: RunningEngines, folder?: string) => {
    const { clone } = await openService(engines, folder)
    const { voice, audioSamplesValidated } = await clone()
    expect(voice).not.toHaveProperty('keepsRecording')
    return audioSamplesValidated[0].warnings
  }

  it('unless the request asks for it', async () => {
    const { clone } = await openService(withModel)
    const { voice } = await clone(false)
    expect(await storedFiles()).toEqual([`${voice.voiceId}.json`])
  })

  it('without a model that can imitate, and says so', async () => {
    const text =
      'The service keeps no recording, because no model that speaks like a recording is installed, such as Pocket TTS: the voice is an imprint'
    expect(await notKept(withoutModel)).toEqual([{ code: 'not-kept', text }])
    expect(await storedFiles()).toEqual([expect.stringMatching(/\.json$/)])
  })

  it('without the words, or of more than 10 s, for a model that needs the words', async () => {
    const { voiceList } = await openService(withoutModel)
    const voices = [
      { name: 'imitating-zipvoice', langCode: 'ZH_CN', imitates: { needsText: true } },
    ]
    const zipVoice = { engine: { ...testApp.flite.engine, voices }, scheduler: new Scheduler(1) }
    const service = {
      voiceList,
      engines: new Map([['sherpa', zipVoice]]),
      encoders: createEncoderPool(),
    }
    const choose = (transcription: string, isWhole: boolean) => {
      const voiceSamples = [{ audioData: 'x' }, { audioData: 'x', transcription }]
      const body = { displayName: 'A', langCode: 'ZH_CN', keepRecording: true, voiceSamples }
      return chooseRecording(body, { wav: Buffer.from('RIFF'), sample: 1, isWhole }, service)
    }
    const problem = expect.stringContaining('a recording of at most 10 s, with its words')
    expect(choose(' ', true)).toEqual({ problem })
    expect(choose('Hello.', false)).toEqual({ problem })
    expect(choose('Hello.', true)).toMatchObject({ recording: { text: 'Hello.' } })
  })

  it('without a data folder, and says so', async () => {
    expect(await notKept(withModel, '')).toEqual([
      { code: 'not-kept', text: expect.stringContaining('the service has no data folder') },
    ])
  })
})
