import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { wordErrorRate, wordsOf } from '@parlando/test-support/audio/compare-words'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numbersInWords } from '../../packages/local-service/src/text/spell-out/english/number-words.ts'
import {
  listPrompts,
  listReaders,
  type PersonRecording,
  peoplePrograms,
  sample,
  toWav,
} from '../intelligibility/people.ts'
import { moreSentences, sentences } from '../intelligibility/sentences.ts'
import { recordingPrograms } from '../turns/recordings.ts'
import { installModels, joeVoice, kokoroVoice, whisperModel } from './install-models.ts'

const timeout = 1_800_000
const apiKey = keys.service
const pocketsphinxModel = 'pocketsphinx/en-us'
let dataFolder: string
let service: ChildService
let client: Client
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  await installModels(dataFolder)
  service = await startLocalServiceProcess({
    apiKey,
    dataFolder,
    enginesFolder: optionalEnginesFolder,
    warmUp: false,
  })
  client = createClient({ baseUrl: service.baseUrl, apiKey })
}, timeout)
afterAll(async () => {
  await client?.close()
  await service?.close()
  await rm(dataFolder, { recursive: true, force: true })
})

const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: 16_000 } as const

async function transcribe(audio: Uint8Array, modelId: string): Promise<string[]> {
  // Whisper writes numbers in digits.
  return wordsOf(numbersInWords((await client.transcribe({ audio, modelId })).text))
}

async function errorsOf(voiceId: string, texts: readonly string[]): Promise<number> {
  const heard: string[][] = []
  for (const text of texts) {
    const request = { text, voiceId, modelId: 'svc-tts-2', audioConfig }
    const { audio } = await client.synthesize(request)
    heard.push(await transcribe(audio, whisperModel))
  }
  return wordErrorRate(texts, heard)
}

describe('a real voice of Piper', () => {
  it(
    'is understood by Whisper base: at most 10 of 100 words differ',
    async () => {
      const errors = await errorsOf(joeVoice, [...sentences, ...moreSentences])
      console.table({ [joeVoice]: errors })
      expect(errors).toBeLessThanOrEqual(0.1)
    },
    timeout,
  )
})

describe('the real graph of Kokoro', () => {
  it(
    'speaks',
    async () => {
      const errors = await errorsOf(kokoroVoice, sentences)
      console.table({ [kokoroVoice]: errors })
      // A Japanese voice, and the phonemes of espeak-ng.
      expect(errors).toBeLessThanOrEqual(0.3)
    },
    timeout,
  )
})

describe('recordings of people', { ...needs(...peoplePrograms), timeout }, () => {
  it('have at most half the word errors with Whisper base that they have with pocketsphinx', async () => {
    const people: PersonRecording[] = [...listReaders(), ...sample(listPrompts(), 40)]
    const heard = { whisper: [] as string[][], pocketsphinx: [] as string[][] }
    for (const person of people) {
      const wav = toWav(person)
      heard.whisper.push(await transcribe(wav, whisperModel))
      heard.pocketsphinx.push(await transcribe(wav, pocketsphinxModel))
    }
    const texts = people.map(({ text }) => text)
    const whisper = wordErrorRate(texts, heard.whisper)
    const pocketsphinx = wordErrorRate(texts, heard.pocketsphinx)
    console.table({ recordings: people.length, whisper, pocketsphinx })
    expect(whisper).toBeLessThanOrEqual(pocketsphinx / 2)
  })
})

describe('people of Quebec and Mexico', { ...needs(...recordingPrograms), timeout }, () => {
  it.each([
    ['fr', 'fr_CA_f_June'],
    ['es', 'es_MX_f_Allison'],
  ])('speak a language that Whisper reports: %s', async (language, folder) => {
    const path = `/usr/share/asterisk/sounds/${folder}/vm-intro.g722`
    const audio = toWav({ path, text: '' })
    expect(await client.transcribe({ audio, modelId: whisperModel })).toMatchObject({ language })
  })
})
