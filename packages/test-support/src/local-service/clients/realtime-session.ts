import { setTimeout as wait } from 'node:timers/promises'
import type { RealtimeClientEvent } from '@parlando/core/wire'
import { onTestFinished } from 'vitest'
import type {
  LanguageModel,
  ModelOutput,
} from '../../../../local-service/src/chat/language-model.ts'
import type { Clock } from '../../../../local-service/src/conversation/clock.ts'
import {
  type Session,
  type SessionOptions,
  startSession,
} from '../../../../local-service/src/conversation/session.ts'
import type { SessionPlayer } from '../../../../local-service/src/conversation/session-connection.ts'
import type { SessionServices } from '../../../../local-service/src/conversation/session-services.ts'
import { createFakeRecogniser, type FakeRecogniser } from '../fake-recogniser.ts'
import { createEventInbox, type EventInbox } from './event-inbox.ts'

/** A session whose model, voice and time the test controls. Its events are those that it has sent. */
export interface TestSession extends Pick<EventInbox, 'events' | 'next'> {
  session: Session
  recogniser: FakeRecogniser
  /** What the language model was asked. */
  requests: Parameters<LanguageModel['respond']>[0][]
  failures: unknown[]
  send(...events: RealtimeClientEvent[]): Promise<void>
  /** Sends sound in events of 100 ms. @param samples at 24 kHz. */
  say(samples: Int16Array): Promise<void>
  /** Lets the time of the session pass. */
  pass(ms: number): void
}

export interface TestSessionOptions extends Partial<SessionServices>, Pick<SessionOptions, 'type'> {
  /** What the model says. Default: two sentences. */
  respond?: LanguageModel['respond']
  /** Default: the client plays. */
  player?: SessionPlayer
  /** Whether the time passes when something waits for it. Default: yes, so that no test waits for speech. */
  isTimeFree?: boolean
}

/** Outputs that say this text. */
export function* saying(...texts: string[]): Generator<ModelOutput, void> {
  for (const text of texts) yield { type: 'text', text }
  yield { type: 'end', usage: { input: 3, output: texts.length } }
}

/** The time for each word. */
const wordSeconds = 0.3

export async function openSession(options: TestSessionOptions = {}): Promise<TestSession> {
  const { isTimeFree = true, ...services } = options
  const recogniser = createFakeRecogniser()
  const { events, add, next } = createEventInbox()
  const requests: TestSession['requests'] = []
  const failures: unknown[] = []
  const { clock, pass } = createTestClock(isTimeFree)
  const model: LanguageModel = {
    respond(request) {
      requests.push(request)
      return (options.respond ?? (() => toStream(saying('It is nine. ', 'Good morning.'))))(request)
    },
  }
  const session = await startSession({
    modelId: 'test',
    emit: async (event) => add(structuredClone(event)),
    findLanguageModel: async () => model,
    findVoice: (name = 'Kit') => name,
    findVoiceFor: (_language, voice) => voice,
    createSpeak: () => speakWords,
    rejectUnknownRecogniser: () => {},
    findRecogniser: () => ({ recogniser, model: recogniser.models[0]! }),
    clock,
    modelLimitMs: 60_000,
    onFailure: (error) => failures.push(error),
    ...services,
  })
  onTestFinished(() => session.close())

  const send = async (...sent: RealtimeClientEvent[]) => {
    for (const event of sent) await session.take(event)
  }
  return {
    session,
    recogniser,
    events,
    requests,
    failures,
    send,
    async say(samples) {
      const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
      for (let start = 0; start < bytes.length; start += 4800) {
        const audio = bytes.subarray(start, start + 4800).toString('base64')
        await send({ type: 'input_audio_buffer.append', audio })
      }
    },
    next,
    pass,
  }
}

/** @returns a clock, and a function that lets its time pass. */
function createTestClock(isTimeFree: boolean): { clock: Clock; pass(ms: number): void } {
  let nowMs = 0
  const waiting = new Set<() => void>()
  const clock: Clock = {
    now: () => nowMs,
    async wait(ms, signal) {
      if (isTimeFree) nowMs += ms
      const endMs = nowMs + (isTimeFree ? 0 : ms)
      // Real work has its turn between two pieces of sound.
      await wait()
      signal.throwIfAborted()
      while (nowMs < endMs) {
        await new Promise<void>((resolve) => {
          waiting.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        signal.throwIfAborted()
      }
    },
  }
  return {
    clock,
    pass(ms) {
      nowMs += ms
      for (const resume of waiting) resume()
      waiting.clear()
    },
  }
}

export async function* toStream(outputs: Iterable<ModelOutput>): AsyncGenerator<ModelOutput, void> {
  yield* outputs
}

async function* speakWords(text: string) {
  for (const _word of text.split(' ')) {
    yield { audio: Buffer.alloc(48_000 * wordSeconds), durationSeconds: wordSeconds, words: [] }
  }
}
