import type { Client, TranscriptionEvent } from '@parlando/core'
import { whiteNoise } from '@parlando/test-support/audio/computed-sounds'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { createFakeSpeaker, type FakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { seconds, textsOn } from '@parlando/test-support/speakers/use-announcer'
import { expect } from 'vitest'
import { Announcer } from '../../announcements/announcer.ts'
import { providePlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { type Sound, soundOf } from '../../sounds/sound.ts'
import type { Heard, ShownQuestion } from '../../speakers/display.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import { readAnswers } from './answers.ts'
import type { AskTools } from './ask-once.ts'
import { askQuestion } from './ask-question.ts'
import type { Outcome } from './match-answer.ts'
import type { Question } from './read-question.ts'

const rateHertz = 16_000
export const format = { audioEncoding: 'PCM', sampleRateHertz: rateHertz } as const
/** How long the question takes to say. */
export const questionSeconds = 4

/** Noise of this amplitude in the rhythm of syllables. */
export function speech(durationSeconds: number, amplitude = 0.2): Buffer {
  const samples = whiteNoise(durationSeconds * rateHertz, amplitude)
  const rhythm = (at: number) => Math.max(0.05, Math.sin((2 * Math.PI * 3 * at) / rateHertz))
  return Buffer.from(samples.map((sample, at) => Math.round(sample * rhythm(at))).buffer)
}

/** A speaker with a microphone, which records what the test lets it hear. */
export function createPlace(id: string, { cancelsEcho = true } = {}) {
  const speaker = createFakeSpeaker(id, {}, format)
  let onPcm: ((pcm: Buffer) => void) | undefined
  let problem: Error | undefined
  let lose = (_error: Error) => {}
  speaker.driver.questionMicrophone = {
    cancelsEcho,
    async listen(options) {
      if (problem) throw problem
      onPcm = options.onPcm
      await new Promise<void>((resolve, reject) => {
        options.signal.addEventListener('abort', () => resolve())
        lose = reject
      }).finally(() => {
        onPcm = undefined
      })
    },
  }
  return {
    speaker,
    isOpen: () => onPcm !== undefined,
    breakMicrophone(error?: Error) {
      problem = error
    },
    /** The open microphone fails. */
    loseMicrophone: (error: Error) => lose(error),
    record: (pcm: Buffer) => onPcm?.(pcm),
  }
}

export type Place = ReturnType<typeof createPlace>

/** Lets microphones record at the same time: packets of 20 ms, in real time. */
export async function hear(...recordings: readonly [Place, Buffer][]) {
  const [[, first]] = recordings as [[Place, Buffer]]
  for (let at = 0; at < first.length; at += 640) {
    for (const [place, pcm] of recordings) place.record(pcm.subarray(at, at + 640))
    await seconds(0.02)
  }
}

/** A page that shows questions. */
export function addDisplay(speaker: FakeSpeaker) {
  const shown: (ShownQuestion | undefined)[] = []
  const heard: Heard[] = []
  let press = (_index: number) => {}
  speaker.driver.display = {
    showQuestion(question, onAnswer) {
      shown.push(question)
      press = onAnswer
    },
    hideQuestion: () => void shown.push(undefined),
    showHeard: (said) => void heard.push(said),
  }
  return { shown, heard, press: (index: number) => press(index) }
}

/** Recognises what the test says. What a service recognises is not the subject here. */
function createRecogniser() {
  const events: TranscriptionEvent[] = []
  const received: Buffer[] = []
  let wake = () => {}
  const report = async (event: TranscriptionEvent) => {
    events.push(event)
    wake()
    await seconds(0)
  }
  const transcribeStream = (_config: unknown, { signal }: { signal: AbortSignal }) => ({
    write: async (pcm: Buffer) => void received.push(pcm),
    end() {},
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* events.splice(0)
        await new Promise<void>((resolve, reject) => {
          wake = resolve
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      }
    },
  })
  const begin = (startMs = 0) => report({ type: 'speechStarted', startMs })
  const end = async (text: string, sentence: string | null = text) => {
    await report({ type: 'speechStopped', silenceMs: 500 })
    await report({ type: 'final', text, sentenceMatch: { sentence, nearest: ['yes', 'no'] } })
  }
  return {
    client: { transcribeStream } as unknown as Client,
    heard: () => Buffer.concat(received),
    begin,
    end,
    async say(text: string, sentence: string | null = text) {
      await begin()
      await end(text, sentence)
    },
  }
}

/** A service that may start late, not at all, or crash. */
export function createService() {
  let started = Promise.resolve()
  let problem: Error | undefined
  let crash = (_error: Error) => {}
  return {
    /** @returns a function that starts it. */
    holdUp(): () => void {
      let start = () => {}
      started = new Promise((resolve) => {
        start = resolve
      })
      return start
    },
    /** Ends what uses it. It cannot start until `recover`. */
    fail(error: Error) {
      problem = error
      crash(error)
    },
    recover() {
      problem = undefined
    },
    async run(work: () => Promise<void>) {
      await started
      if (problem) throw problem
      const crashed = new Promise<never>((_resolve, reject) => {
        crash = reject
      })
      await Promise.race([work(), crashed])
    },
  }
}

export const questionText = 'Shall I turn on the light?'

/** Asks a question in these places, and lets the test say what is recognised. */
export function ask(
  places: readonly Place[],
  changes: Partial<Question> = {},
  {
    sound = soundOf(format, speech(questionSeconds)),
    service = createService(),
  }: { sound?: Sound; service?: ReturnType<typeof createService> } = {},
) {
  const recogniser = createRecogniser()
  const speakers = places.map(({ speaker }) => speaker)
  const findSpeakers = () => {
    if (places.length === 0) throw new Error('no such speaker')
    return places.map(({ speaker }) => speaker)
  }
  const announcer = new Announcer(speakerTexts.en)
  let onDeployed = () => {}
  providePlayback({
    announcer,
    sounds: { publish: () => expect.fail('no address'), find: () => undefined, close() {} },
    find: findSpeakers,
    onDeployed(listener) {
      onDeployed = listener
      return () => {
        onDeployed = () => {}
      }
    },
    notePlayed() {},
  })
  const stopping = new AbortController()
  const noted = { failures: [] as unknown[], progress: [] as string[] }
  const tools = toolsOf(findSpeakers, sound, noted)
  let outcome: Outcome | undefined
  const asked = askQuestion(questionWith(changes), {
    ...tools,
    use: (_signal, work) => service.run(() => work(recogniser.client, stopping.signal)),
    signal: stopping.signal,
  })
  asked.then(
    (one) => {
      outcome = one
    },
    () => {},
  )
  return {
    ...recogniser,
    ...noted,
    asked,
    outcome: () => outcome,
    stop: () => stopping.abort(new Error('stopped')),
    /** A deploy has replaced speakers. */
    deployed() {
      announcer.speakersReplaced()
      onDeployed()
    },
    /** An alarm on the speakers of the question, for two seconds. */
    interrupt: () =>
      announcer.announce(
        {
          ...tools.announcement,
          id: 'alarm',
          speakers,
          text: 'No! Water in the cellar!',
          priority: 'alarm',
          makeSound: () => soundOf(format, speech(2)),
        },
        { signal: stopping.signal, onStateChange() {}, onFailure() {} },
      ),
    texts: () => textsOn(speakers[0]!),
  }
}

function questionWith(changes: Partial<Question>): Question {
  return {
    speakerNames: [],
    text: questionText,
    answers: readAnswers({ answers: 'yes-no' }, 'en').answers!,
    language: 'en-US',
    modelId: undefined,
    priority: 'normal',
    waitMs: 8000,
    ...changes,
  }
}

function toolsOf(
  findSpeakers: () => readonly Speaker[],
  sound: Sound,
  noted: { failures: unknown[]; progress: string[] },
): Omit<AskTools, 'use' | 'signal'> {
  let count = 0
  return {
    announcement: {
      text: questionText,
      findSpeakers,
      priority: 'normal',
      makeSound: () => sound,
      addressOutput: { check() {}, send() {} },
    },
    createId: () => `${++count}`,
    onProgress: (one) => noted.progress.push(one),
    onVoiceFailure: (error) => noted.failures.push(error),
    onFailure: (error) => noted.failures.push(error),
    describeNoMicrophone: () => 'nobody can be heard',
  }
}
