import type { Client, TranscriptionEvent } from '@parlando/core'
import { whiteNoise } from '@parlando/test-support/audio/computed-sounds'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { createFakeSpeaker, type FakeSpeaker } from '@parlando/test-support/node-red/fake-speaker'
import { seconds, textsOn, useFakeClock } from '@parlando/test-support/node-red/use-announcer'
import { describe, expect, it } from 'vitest'
import { Announcer } from '../../announcements/announcer.ts'
import { providePlayback } from '../../announcements/shared-playback.ts'
import { createSound, type Sound, soundOf } from '../../sounds/sound.ts'
import type { ShownQuestion } from '../../speakers/display.ts'
import { readAnswers } from './answers.ts'
import type { AskTools } from './ask-once.ts'
import { askQuestion } from './ask-question.ts'
import type { Outcome } from './match-answer.ts'
import type { Question } from './read-question.ts'

useFakeClock()

const rateHertz = 16_000
const format = { audioEncoding: 'PCM', sampleRateHertz: rateHertz } as const
const questionSeconds = 4

/** Noise of this amplitude in the rhythm of syllables. */
function speech(durationSeconds: number, amplitude = 0.2): Buffer {
  const samples = whiteNoise(durationSeconds * rateHertz, amplitude)
  const rhythm = (at: number) => Math.max(0.05, Math.sin((2 * Math.PI * 3 * at) / rateHertz))
  return Buffer.from(samples.map((sample, at) => Math.round(sample * rhythm(at))).buffer)
}

/** A speaker with a microphone, which records what the test lets it hear. */
function createPlace(id: string, { cancelsEcho = true } = {}) {
  const speaker = createFakeSpeaker(id, {}, format)
  let onPcm: ((pcm: Buffer) => void) | undefined
  let problem: Error | undefined
  speaker.driver.ear = {
    cancelsEcho,
    async listen(options) {
      if (problem) throw problem
      onPcm = options.onPcm
      await new Promise((resolve) => options.signal.addEventListener('abort', resolve))
      onPcm = undefined
    },
  }
  return {
    speaker,
    isOpen: () => onPcm !== undefined,
    breakEar(error?: Error) {
      problem = error
    },
    record: (pcm: Buffer) => onPcm?.(pcm),
  }
}

type Place = ReturnType<typeof createPlace>

/** Lets microphones record at the same time: packets of 20 ms, in real time. */
async function hear(...recordings: readonly [Place, Buffer][]) {
  const [[, first]] = recordings as [[Place, Buffer]]
  for (let at = 0; at < first.length; at += 640) {
    for (const [place, pcm] of recordings) place.record(pcm.subarray(at, at + 640))
    await seconds(0.02)
  }
}

/** A page that shows questions. */
function addDisplay(speaker: FakeSpeaker) {
  const shown: (ShownQuestion | undefined)[] = []
  let press = (_index: number) => {}
  speaker.driver.display = {
    showQuestion(question, onAnswer) {
      shown.push(question)
      press = onAnswer
    },
    hideQuestion: () => void shown.push(undefined),
    showHeard() {},
  }
  return { shown, press: (index: number) => press(index) }
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

function ask(
  places: readonly Place[],
  changes: Partial<Question> = {},
  sound: Sound = soundOf(format, speech(questionSeconds)),
) {
  const recogniser = createRecogniser()
  const speakers = places.map(({ speaker }) => speaker)
  const announcer = new Announcer(speakerTexts.en)
  providePlayback({
    announcer,
    sounds: { publish: () => expect.fail('no address'), find: () => undefined },
    find: () => speakers,
    notePlayed() {},
  })
  const question: Question = {
    speakerNames: [],
    text: 'Shall I turn on the light?',
    answers: readAnswers({ answers: 'yes-no' }, 'en').answers!,
    language: 'en-US',
    modelId: undefined,
    priority: 'normal',
    waitMs: 8000,
    ...changes,
  }
  const stopping = new AbortController()
  const failures: unknown[] = []
  const progress: string[] = []
  let count = 0
  const announcement: AskTools['announcement'] = {
    text: question.text,
    speakers,
    findSpeakers: () => speakers,
    priority: 'normal',
    makeSound: () => sound,
    addressOutput: { check() {}, send() {} },
  }
  const tools: AskTools = {
    client: recogniser.client,
    signal: stopping.signal,
    speakers,
    announcement,
    createId: () => `${++count}`,
    onProgress: (one) => progress.push(one),
    onDeaf: (error) => failures.push(error),
    onFailure: (error) => failures.push(error),
    describeDeaf: () => 'nobody can be heard',
  }
  let outcome: Outcome | undefined
  const asked = askQuestion(question, tools)
  asked.then(
    (one) => {
      outcome = one
    },
    () => {},
  )
  return {
    ...recogniser,
    asked,
    failures,
    progress,
    outcome: () => outcome,
    stop: () => stopping.abort(new Error('stopped')),
    /** An alarm on the speakers of the question, for two seconds. */
    interrupt: () =>
      announcer.announce(
        {
          ...announcement,
          id: 'alarm',
          text: 'No! Water in the cellar!',
          priority: 'alarm',
          makeSound: () => soundOf(format, speech(2)),
        },
        { signal: stopping.signal, onStateChange() {}, onFailure() {} },
      ),
    texts: () => textsOn(speakers[0]!),
  }
}

const text = 'Shall I turn on the light?'
const no = expect.objectContaining({ name: 'no', value: false })

describe('a question', () => {
  it('can be answered while it is said, and then stops at once', async () => {
    const kitchen = createPlace('kitchen')
    const { say, outcome, texts } = ask([kitchen])
    await seconds(1)
    expect(kitchen.isOpen()).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no, by: 'voice' })
    expect(texts()).toEqual([`${text}...`])
    expect(kitchen.isOpen()).toBe(false)
  })

  it('is not answered by its own words while it is said, and is afterwards', async () => {
    const own = { text: 'Shall I say yes or no?' }
    const { begin, end, say, outcome } = ask([createPlace('kitchen')], own)
    await seconds(1)
    await say('no')
    expect(outcome()).toBeUndefined()
    // It ends after the question.
    await begin()
    await seconds(questionSeconds)
    await end('no')
    expect(outcome()).toBeUndefined()
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('does not listen to an alarm that interrupts it, and is said again afterwards', async () => {
    const kitchen = createPlace('kitchen')
    const { interrupt, say, outcome, texts } = ask([kitchen])
    await seconds(1)
    expect(kitchen.isOpen()).toBe(true)
    interrupt()
    await seconds(1)
    expect(texts()).toEqual([`${text}...`, 'No! Water in the cellar!...'])
    expect(kitchen.isOpen()).toBe(false)
    await seconds(2)
    expect(texts().at(-1)).toBe(`${text}...`)
    expect(kitchen.isOpen()).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no, by: 'voice' })
  })

  it('is repeated once if nobody answers', async () => {
    const { outcome, texts, progress } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 7.9)
    expect(texts()).toEqual([text])
    await seconds(questionSeconds + 8)
    expect(outcome()).toBeUndefined()
    await seconds(0.3)
    expect(outcome()).toEqual({})
    expect(texts()).toEqual([text, text])
    expect(progress).toEqual(['asking', 'listening', 'asking', 'listening'])
  })

  it('is repeated once, three seconds later, if what was said is no answer', async () => {
    const { say, outcome, texts } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 1)
    await say('well', null)
    await seconds(3.1)
    expect(texts()).toEqual([text, `${text}...`])
    await seconds(questionSeconds)
    await say('perhaps', null)
    await seconds(3.1)
    expect(outcome()).toMatchObject({ turn: { heard: 'perhaps' } })
    expect(outcome()!.answer).toBeUndefined()
  })

  it('remembers what was said to it first if nobody speaks the second time', async () => {
    const { say, outcome } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 1)
    await say('well', null)
    await seconds(3 + questionSeconds + 8.3)
    expect(outcome()).toMatchObject({ turn: { heard: 'well' } })
  })

  it('waits longer than its time limit for the end of an answer that has begun', async () => {
    const { begin, end, outcome } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 7)
    await begin()
    await seconds(5)
    expect(outcome()).toBeUndefined()
    await end('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('waits as long as usual after a noise while it is said', async () => {
    const { say, texts } = ask([createPlace('kitchen')], { waitMs: 2000 })
    await seconds(0.5)
    await say('', null)
    await seconds(questionSeconds + 1)
    expect(texts()).toEqual([text])
    await seconds(1)
    expect(texts()).toHaveLength(2)
  })

  it('is silent at once when it is stopped', async () => {
    const kitchen = createPlace('kitchen')
    const { asked, stop, texts } = ask([kitchen])
    const stopped = expect(asked).rejects.toThrow('stopped')
    await seconds(1)
    stop()
    await seconds(0.1)
    await stopped
    expect(texts()).toEqual([`${text}...`])
    expect(kitchen.isOpen()).toBe(false)
  })

  it('is not said where nobody can answer', async () => {
    const kitchen = createPlace('kitchen')
    delete kitchen.speaker.driver.ear
    const { asked, texts } = ask([kitchen])
    await expect(asked).rejects.toMatchObject({ code: 'NO_MICROPHONE' })
    expect(texts()).toEqual([])
  })

  it('is said to its end if the microphone fails meanwhile, and listens again afterwards', async () => {
    const kitchen = createPlace('kitchen')
    kitchen.breakEar(new Error('busy'))
    const { say, outcome, texts } = ask([kitchen])
    await seconds(1)
    kitchen.breakEar()
    await seconds(questionSeconds)
    expect(texts()).toEqual([text])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('fails with the error of its only microphone', async () => {
    const kitchen = createPlace('kitchen')
    kitchen.breakEar(new Error('unplugged'))
    const { asked } = ask([kitchen])
    const failed = expect(asked).rejects.toThrow('unplugged')
    await seconds(questionSeconds + 0.1)
    await failed
  })
})

describe('a question that is asked until somebody answers', () => {
  const important = { everyMs: 60_000 }

  it('is said again and again, until then', async () => {
    const { say, outcome, texts, progress } = ask([createPlace('kitchen')], important)
    await seconds(59)
    expect(texts()).toEqual([text])
    expect(progress.at(-1)).toBe('waiting')
    await seconds(2 * 60 + 6)
    expect(texts()).toEqual([text, text, text, text])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
    await seconds(120)
    expect(texts()).toHaveLength(4)
  })

  it('can be answered by a button in between', async () => {
    const kitchen = createPlace('kitchen')
    const { press, shown } = addDisplay(kitchen.speaker)
    const { outcome } = ask([kitchen], important)
    await seconds(30)
    expect(shown.at(-1)).toMatchObject({ text, buttons: ['yes', 'no'] })
    press(1)
    await seconds(0.1)
    expect(outcome()).toEqual({ answer: no, by: 'button' })
    expect(shown.at(-1)).toBeUndefined()
  })

  it('can be stopped in between', async () => {
    const { asked, stop } = ask([createPlace('kitchen')], important)
    const stopped = expect(asked).rejects.toThrow('stopped')
    await seconds(30)
    stop()
    await stopped
  })

  it('goes on after a failure, of which it reports the first', async () => {
    const kitchen = createPlace('kitchen')
    kitchen.speaker.failure = new Error('the page is closed')
    const { say, outcome, failures, texts } = ask([kitchen], important)
    await seconds(130)
    expect(failures).toEqual([kitchen.speaker.failure])
    kitchen.speaker.failure = undefined
    await seconds(50 + questionSeconds + 1)
    expect(texts()).toEqual([text])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })
})

describe('a question on two speakers', () => {
  /** A second of a quiet room, and a second of speech. */
  const answer = (amplitude: number) => Buffer.concat([speech(1, 0.0005), speech(1, amplitude)])

  it('is answered where it is heard best, and the other microphone is closed', async () => {
    const [near, far] = [createPlace('near'), createPlace('far')]
    const { heard, say, outcome } = ask([near, far])
    await seconds(questionSeconds + 0.1)
    const loud = answer(0.5)
    await hear([near, loud], [far, answer(0.02)])
    expect([near.isOpen(), far.isOpen()]).toEqual([true, false])
    expect(heard().subarray(-32_000).equals(loud.subarray(-32_000))).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('is heard on both again when it is over, although one was chosen while it was said', async () => {
    const [near, far] = [createPlace('near'), createPlace('far')]
    const { heard } = ask([near, far])
    await seconds(0.1)
    // It hears the other speaker.
    await hear([near, answer(0.02)], [far, answer(0.5)])
    expect([near.isOpen(), far.isOpen()]).toEqual([false, true])
    await seconds(questionSeconds)
    expect([near.isOpen(), far.isOpen()]).toEqual([true, true])
    const loud = answer(0.5)
    await hear([near, loud], [far, answer(0.02)])
    expect([near.isOpen(), far.isOpen()]).toEqual([true, false])
    expect(heard().subarray(-32_000).equals(loud.subarray(-32_000))).toBe(true)
  })

  it('uses one microphone once, although it belongs to both', async () => {
    const [kitchen, hall] = [createPlace('kitchen'), createPlace('hall')]
    let opened = 0
    const ear = kitchen.speaker.driver.ear!
    const listen = ear.listen.bind(ear)
    ear.listen = (options) => {
      opened += 1
      return listen(options)
    }
    hall.speaker.ear = ear
    const { outcome, say } = ask([kitchen, hall])
    await seconds(questionSeconds + 0.1)
    expect(opened).toBe(1)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })
})

describe('a question on a machine, whose microphone hears its speaker', () => {
  const question = speech(8)
  /** What the microphone hears of it, quarter of a second late. */
  const echo = (() => {
    const late = Buffer.alloc(question.length)
    for (let at = 0; at < question.length - 8000; at += 2) {
      late.writeInt16LE(Math.round(0.3 * question.readInt16LE(at)), at + 8000)
    }
    return late
  })()
  const powerOf = (pcm: Buffer) => {
    let sum = 0
    for (let at = 0; at + 2 <= pcm.length; at += 2) sum += pcm.readInt16LE(at) ** 2
    return sum / (pcm.length / 2)
  }

  it('is not answered by its own sound, which is removed from what is recognised', async () => {
    const desk = createPlace('desk', { cancelsEcho: false })
    const { heard, begin, end, outcome } = ask([desk], {}, soundOf(format, question))
    await seconds(0)
    await hear([desk, echo.subarray(0, 5 * 32_000)])
    await begin(3500)
    await hear([desk, echo.subarray(5 * 32_000, 6 * 32_000)])
    await end('no')
    expect(outcome()).toBeUndefined()
    const last = heard().subarray(-32_000)
    const recorded = echo.subarray(5 * 32_000, 6 * 32_000)
    expect(powerOf(last)).toBeLessThan(powerOf(recorded) / 10)
  })

  it('is answered by a voice while it is said', async () => {
    const desk = createPlace('desk', { cancelsEcho: false })
    const { begin, end, outcome, texts } = ask([desk], {}, soundOf(format, question))
    await seconds(0)
    await hear([desk, echo.subarray(0, 4 * 32_000)])
    const both = Buffer.from(echo.subarray(4 * 32_000, 6 * 32_000))
    const voice = speech(3)
    for (let at = 0; at < both.length; at += 2) {
      const sample = voice.readInt16LE(voice.length - 2 - at)
      both.writeInt16LE(both.readInt16LE(at) + Math.round(0.3 * sample), at)
    }
    await begin(4000)
    await hear([desk, both])
    await end('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
    expect(texts()).toEqual([`${text}...`])
  })

  it('is heard only afterwards if its sound is not made of samples', async () => {
    const desk = createPlace('desk', { cancelsEcho: false })
    const mp3 = { audioEncoding: 'MP3', sampleRateHertz: 24_000 } as const
    desk.speaker.driver.prepare = async () => mp3
    const sound = createSound(mp3)
    const { say, outcome } = ask([desk], {}, sound)
    sound.append(Buffer.alloc(100))
    await seconds(2)
    expect(desk.isOpen()).toBe(false)
    sound.complete()
    await seconds(1)
    expect(desk.isOpen()).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })
})
