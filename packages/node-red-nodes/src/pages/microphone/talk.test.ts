import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { TalkMode } from '../../microphones/page/page-messages.ts'
import { type StubMicrophone, stubMicrophone } from '../stub-microphone.test-case.ts'
import type { MicrophoneConnection } from './connect-microphone.ts'
import { Talk } from './talk.ts'

let microphone: StubMicrophone

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', globalThis)
  microphone = stubMicrophone()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function startTalk(mode: TalkMode) {
  const sent: string[] = []
  const problems: unknown[] = []
  const connection = {
    send: ({ type }: { type: string }) => sent.push(type),
  } as unknown as MicrophoneConnection
  const talk = new Talk({
    mode,
    connection,
    onState() {},
    onLevel() {},
    onProblem: (problem) => problem && problems.push(problem),
  })
  await talk.start()
  return { talk, sent, problems }
}

const fiveMinutesMs = 300_000

it('a page waits for the wake word again after five minutes of one recording', async () => {
  const { talk, sent, problems } = await startTalk('wake-word')
  talk.wake()
  await vi.advanceTimersByTimeAsync(fiveMinutesMs)
  expect([talk.state, microphone.isRecording]).toEqual(['waiting', true])
  expect([sent, problems]).toEqual([['wait', 'wait'], []])
})

it('a page records after a tone when somebody says the wake word, or the flow wants to listen', async () => {
  const { talk, sent } = await startTalk('wake-word')
  expect([talk.state, microphone.tones]).toEqual(['waiting', 0])
  talk.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect([talk.state, microphone.tones]).toEqual(['recording', 1])
  talk.wake()
  talk.stop()
  talk.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect([talk.state, microphone.tones, sent]).toEqual(['idle', 1, ['wait', 'end']])
})

it('a page with a button ends a recording after five minutes, and says so', async () => {
  const { talk, sent, problems } = await startTalk('tap')
  await vi.advanceTimersByTimeAsync(fiveMinutesMs)
  expect(talk.state).toBe('idle')
  expect([sent, problems]).toEqual([['start', 'end'], ['tooLong']])
})
