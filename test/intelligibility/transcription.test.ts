import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { wordErrorRate, wordsOf } from '@parlando/test-support/audio/compare-words'
import { findProgram } from '@parlando/test-support/find-program'
import { keys } from '@parlando/test-support/keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentences } from './sentences.ts'

const apiKey = keys.service
const program = findProgram('pocketsphinx_continuous', 'no test transcribes speech')

let service: ChildService
let client: Client
beforeAll(async () => {
  service = await startLocalServiceProcess({ apiKey, warmUp: false })
  client = createClient({ baseUrl: service.baseUrl, apiKey })
})
afterAll(async () => {
  await client?.close()
  await service?.close()
})

const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: 16_000 } as const

describe.runIf(program)('the times of words', () => {
  it('differ from those of the voice by at most 80 ms, the median', async () => {
    const errorsMs: number[] = []
    for (const text of sentences) {
      const speech = await client.synthesize({
        text,
        voiceId: 'Clara',
        modelId: 'svc-tts-2',
        timestampType: 'WORD',
        audioConfig,
      })
      // The list makes the words known, so that their times can be compared.
      const request = { audio: speech.audio, sentences: [text], wordTimestamps: true }
      const { words = [] } = await client.transcribe(request)
      const spoken = speech.timestamps!.words
      if (words.length !== spoken.length) continue
      for (const [index, word] of words.entries()) {
        errorsMs.push(Math.abs(word.startSeconds - spoken[index]!.startSeconds) * 1000)
      }
    }
    errorsMs.sort((first, second) => first - second)
    const [median = Number.NaN, p95] = [0.5, 0.95].map(
      (share) => errorsMs[Math.floor(share * errorsMs.length)],
    )
    console.table({ words: errorsMs.length, median, p95 })
    expect(errorsMs.length).toBeGreaterThan(100)
    expect(median).toBeLessThanOrEqual(80)
  }, 600_000)
})

const testData = '/usr/share/pocketsphinx/test/data'

/** Recordings of people with their words, from the package pocketsphinx-testdata. */
function readPeople(): { file: string; text: string }[] {
  return [
    join(testData, 'librivox/transcription'),
    join(testData, 'cards/cards.transcription'),
  ].flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/<s>([^<]*)<\/s> \(([^)]*)\)/g)].map(
      ([, text = '', name]) => ({ file: join(path, '..', `${name}.wav`), text: text.trim() }),
    ),
  )
}

describe.runIf(program)('recordings of people', () => {
  it('have at most two more errors per hundred words than with the program of the recogniser', async () => {
    const people = readPeople()
    const byService: string[][] = []
    const byHand: string[][] = []
    for (const { file } of people) {
      byService.push(wordsOf((await client.transcribe({ audio: readFileSync(file) })).text))
      const programArguments = ['-infile', file, '-logfn', '/dev/null']
      byHand.push(wordsOf(execFileSync(program!, programArguments, { encoding: 'utf8' })))
    }
    const texts = people.map(({ text }) => text)
    const [service, hand] = [byService, byHand].map((words) => wordErrorRate(texts, words))
    console.table({ service, hand })
    expect(service! - hand!).toBeLessThanOrEqual(0.02)
  }, 600_000)
})
