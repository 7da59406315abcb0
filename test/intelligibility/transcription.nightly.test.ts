import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWavHeader } from '@parlando/core/audio'
import { wordErrorRate, wordsOf } from '@parlando/test-support/audio/compare-words'
import { needsRecogniser, recognise } from '@parlando/test-support/audio/recogniser'
import { findProgram, needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, describe, expect, it } from 'vitest'
import { listPrompts, listReaders, peoplePrograms, sample, toWav } from './people.ts'
import { moreSentences, sentences } from './sentences.ts'
import { inParallel, isNightly, listEnglishVoices, useService } from './service.ts'

const program = findProgram('pocketsphinx_continuous')

const getClient = useService()
const timeout = 1_800_000
// The sample has fifty words, so one of them counts two points.
const maxWorse = isNightly ? 0.02 : 0.06
const modelId = 'svc-tts-2'
const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: 16_000 } as const

async function transcribe(audio: Uint8Array): Promise<string[]> {
  return wordsOf((await getClient().transcribe({ audio })).text)
}

/**
 * All texts by every voice in the nightly workflow, otherwise a different text for each of some voices. The tests of
 * intelligibility listen to all.
 */
async function listSpeeches(texts: readonly string[]) {
  const countPerVoice = isNightly ? texts.length : 1
  const voices = await listEnglishVoices(getClient())
  const speeches = voices.flatMap(({ voiceId }, voice) => {
    const places = Array.from({ length: countPerVoice }, (_, index) => index)
    return places.map((index) => {
      return { voiceId, text: texts[(voice * countPerVoice + index) % texts.length]! }
    })
  })
  return isNightly ? speeches : sample(speeches, 5)
}

describe('the speech of every voice', needsRecogniser(), () => {
  it(
    'is transcribed hardly worse than by the program of the recogniser',
    async () => {
      const speeches = await listSpeeches([...sentences, ...moreSentences])
      const byService: string[][] = []
      const pcm: Uint8Array[] = []
      for (const { text, voiceId } of speeches) {
        const { audio } = await getClient().synthesize({ text, voiceId, modelId, audioConfig })
        byService.push(await transcribe(audio))
        pcm.push(audio.subarray(readWavHeader(audio)!.dataOffset))
      }
      const byProgram = await recognise(pcm)
      const texts = speeches.map(({ text }) => text)
      const [service, hand] = [byService, byProgram].map((words) => wordErrorRate(texts, words))
      console.table({ service, hand })
      expect(service! - hand!).toBeLessThanOrEqual(maxWorse)
    },
    timeout,
  )

  it(
    'has words whose times differ from those of the voice by at most 80 ms, the median',
    async () => {
      const speeches = await listSpeeches(sentences)
      const errorsMs = await inParallel(speeches, async ({ text, voiceId }) => {
        const request = { text, voiceId, modelId, timestampType: 'WORD', audioConfig } as const
        const speech = await getClient().synthesize(request)
        // The list makes the words known, so that their times can be compared.
        const list = { audio: speech.audio, sentences: [text], wordTimestamps: true }
        const { words = [] } = await getClient().transcribe(list)
        const spoken = speech.timestamps!.words
        if (words.length !== spoken.length) return []
        return words.map(({ startSeconds }, index) => {
          return Math.abs(startSeconds - spoken[index]!.startSeconds) * 1000
        })
      })
      const sorted = errorsMs.flat().sort((first, second) => first - second)
      const [median, p95] = [0.5, 0.95].map((share) => sorted[Math.floor(share * sorted.length)])
      console.table({ words: sorted.length, median, p95 })
      expect(errorsMs.filter((errors) => errors.length > 0).length).toBeGreaterThanOrEqual(
        0.9 * speeches.length,
      )
      expect(median).toBeLessThanOrEqual(80)
    },
    timeout,
  )
})

describe('recordings of people', needs(...peoplePrograms), () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-people-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** The program starts for each file, so that its result does not depend on the others, as that of the service. */
  function transcribeByHand(wav: Uint8Array, name: string): string[] {
    const file = join(folder, `${name}.wav`)
    writeFileSync(file, wav)
    const programArguments = ['-infile', file, '-logfn', '/dev/null']
    return wordsOf(execFileSync(program!, programArguments, { encoding: 'utf8' }))
  }

  it(
    'have at most two more errors per hundred words than by the program of the recogniser',
    async () => {
      const people = isNightly
        ? [...listReaders(), ...sample(listPrompts(), 150)]
        : [...sample(listReaders(), 2), ...sample(listPrompts(), 3)]
      const byService: string[][] = []
      const byHand: string[][] = []
      for (const [index, person] of people.entries()) {
        const wav = toWav(person)
        byService.push(await transcribe(wav))
        byHand.push(transcribeByHand(wav, String(index)))
      }
      const texts = people.map(({ text }) => text)
      const [service, hand] = [byService, byHand].map((words) => wordErrorRate(texts, words))
      console.table({ recordings: people.length, service, hand })
      expect(service! - hand!).toBeLessThanOrEqual(0.02)
    },
    timeout,
  )
})
