import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { findProgram, needs } from '@parlando/test-support/programs/installed-programs'
import { expect, it } from 'vitest'
import { matchAnswer } from '../../packages/node-red-nodes/src/nodes/ask/match-answer.ts'
import type { Answers } from '../../packages/node-red-nodes/src/nodes/ask/own-answers.ts'
import { transcribeLive } from '../../packages/node-red-nodes/src/recognition/transcribe-live.ts'
import { makeMusic, steadyNoises } from '../turns/noises.ts'
import { nearAnswers, questions } from './answers.ts'
import { chooseOthers } from './commands.ts'
import { listPrompts, listReaders, peoplePrograms, sample, toWav } from './people.ts'
import { inParallel, isNightly, listEnglishVoices, useService } from './service.ts'

const getClient = useService()

const rateHertz = 16_000
/** A share of the 200 in a test of a change. */
const part = isNightly ? 1 : 0.1
const share = (count: number) => Math.max(2, Math.round(count * part))
const counts = { right: 100, near: 28, wrong: 28, silence: 4, noise: 10, television: 30 }

interface Spoken {
  kind: keyof typeof counts
  text: string
  /** The name of the answer that it is. */
  expected?: string
  answers: Answers
  pcm(): Promise<Buffer>
}

/** A second of silence before, and the pause after which a turn ends. */
const padded = (pcm: Buffer) =>
  Buffer.concat([Buffer.alloc(2 * rateHertz), pcm, Buffer.alloc(3 * rateHertz)])

const samplesToPcm = (samples: Float32Array, amplitude: number): Buffer => {
  const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)
  return Buffer.from(Int16Array.from(samples, (sample) => (sample / peak) * amplitude).buffer)
}

async function spoken(): Promise<Spoken[]> {
  const voices = await listEnglishVoices(getClient())
  const speak = (text: string, index: number) => async () => {
    const { voiceId } = voices[index % voices.length]!
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: rateHertz } as const
    const speech = { text, voiceId, modelId: 'svc-tts-2', audioConfig }
    return padded(Buffer.from((await getClient().synthesize(speech)).audio))
  }
  const questionOf = (index: number) => questions[index % questions.length]!
  const rights = Array.from({ length: share(counts.right) }, (_, index) => {
    const answers = questionOf(index)
    const possible = answers.possible!
    const { sentence, name } = possible[Math.floor(index / questions.length) % possible.length]!
    return {
      kind: 'right' as const,
      text: sentence,
      expected: name,
      answers,
      pcm: speak(sentence, index),
    }
  })
  const say = (kind: 'near' | 'wrong', texts: readonly string[]) =>
    texts.map((text, index) => ({
      kind,
      text,
      answers: questionOf(index),
      pcm: speak(text, index),
    }))
  const listed = new Set(
    questions.flatMap(({ possible }) => possible!.map(({ sentence }) => sentence)),
  )
  const others = chooseOthers(3 * counts.wrong).filter((text) => !listed.has(text))
  const sounds = (kind: 'silence' | 'noise' | 'television', all: (() => Promise<Buffer>)[]) =>
    all.map((pcm, index) => ({ kind, text: `${kind} ${index}`, answers: questionOf(index), pcm }))
  const seconds = 6
  const noises = [...Object.values(steadyNoises), makeMusic]
  const noiseAt = (index: number) => async () => {
    const make = noises[index % noises.length]!
    return samplesToPcm(make(seconds * rateHertz), index < 5 ? 2000 : 10_000)
  }
  const people = [...sample(listReaders(), 10), ...sample(listPrompts(), counts.television - 10)]
  return [
    ...rights,
    ...say('near', sample(nearAnswers, share(counts.near))),
    ...say('wrong', others.slice(0, share(counts.wrong))),
    ...sounds(
      'silence',
      Array.from(
        { length: share(counts.silence) },
        () => async () => Buffer.alloc(2 * rateHertz * seconds),
      ),
    ),
    ...sounds(
      'noise',
      Array.from({ length: share(counts.noise) }, (_, index) => noiseAt(index)),
    ),
    ...sounds(
      'television',
      sample(people, share(counts.television)).map(
        (person) => async () => padded(toWav(person).subarray(44)),
      ),
    ),
  ]
}

/** @returns the answer to which the node would act, or nothing. */
async function actOn({ answers, pcm }: Spoken): Promise<string | undefined> {
  const bytes = await pcm()
  const audio = {
    kind: 'live' as const,
    sampleRateHertz: rateHertz,
    async *readChunks() {
      for (let at = 0; at < bytes.length; at += 6400) yield bytes.subarray(at, at + 6400)
    },
  }
  const request = {
    language: 'en-US',
    silenceMs: undefined,
    wordTimestamps: false,
    sentences: answers.possible!.map(({ sentence }) => sentence),
  }
  const call = { signal: AbortSignal.timeout(120_000) }
  const events = transcribeLive(getClient(), { request, audio, call, onProgress() {} })
  for await (const { event } of events) {
    const answer = event.type === 'final' ? matchAnswer(event, answers).answer : undefined
    if (answer) return answer.name
  }
  return undefined
}

it('ask understands spoken answers, and accepts nothing else as an answer', {
  ...needs(...peoplePrograms),
  ...needsRecogniser(),
  timeout: 3_600_000,
}, async () => {
  expect(findProgram('ffmpeg')).toBeTruthy()
  const all = await spoken()
  const acted = await inParallel(all, actOn)
  const results = all.map(({ kind, text, expected }, index) => ({
    kind,
    text,
    expected,
    acted: acted[index],
  }))
  const figures = Object.keys(counts).map((kind) => {
    const own = results.filter((one) => one.kind === kind)
    const right = own.filter(({ expected, acted }) => expected === acted).length
    const wrong = own.filter(
      ({ expected, acted }) => acted !== undefined && acted !== expected,
    ).length
    return { kind, count: own.length, right, wrong }
  })
  console.table(figures)
  console.table(results.filter(({ expected, acted }) => expected !== acted))
  const wrong = results.filter(({ expected, acted }) => acted !== undefined && acted !== expected)
  expect(wrong).toEqual([])
  const right = results.filter(({ expected, acted }) => expected === acted)
  expect(right.length / results.length).toBeGreaterThanOrEqual(0.97)
})
