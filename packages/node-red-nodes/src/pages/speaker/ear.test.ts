import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EarUse } from '../../speakers/browser/commands.ts'
import { type StubMicrophone, stubMicrophone } from '../stub-microphone.test-case.ts'
import { BrowserEar, type EarState } from './ear.ts'

let microphone: StubMicrophone
let page: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  microphone = stubMicrophone()
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function createEar() {
  const sent: unknown[] = []
  const states: [EarUse, EarState][] = []
  const ear = new BrowserEar({
    send: (data) => sent.push(typeof data === 'string' ? JSON.parse(data) : data),
    onState: (use, state) => states.push([use, state]),
  })
  return { ear, sent, states, settle: () => vi.advanceTimersByTimeAsync(0) }
}

const packet = new Int16Array(320)
const deny = async () => {
  throw new DOMException('no', 'NotAllowedError')
}

describe('the microphone of a page', () => {
  it('records while a question listens, without a tap', async () => {
    const { ear, sent, states, settle } = createEar()
    ear.take('question', true)
    await settle()
    microphone.record(packet)
    ear.take('question', false)
    microphone.record(packet)
    await settle()
    expect(sent).toEqual([packet])
    expect(states).toEqual([
      ['question', 'opening'],
      ['question', 'open'],
      ['question', 'closed'],
    ])
    expect(microphone.isRecording).toBe(false)
  })

  it('is opened once for a question and for commands, until both have ended', async () => {
    const { ear, sent, states, settle } = createEar()
    ear.take('commands', true)
    await settle()
    ear.take('question', true)
    await settle()
    microphone.record(packet)
    ear.take('question', false)
    await settle()
    microphone.record(packet)
    expect(sent).toEqual([packet, packet])
    expect(microphone).toMatchObject({ requests: 1, isRecording: true })
    ear.take('commands', false)
    await settle()
    expect(microphone.isRecording).toBe(false)
    expect(states.at(-1)).toEqual(['commands', 'closed'])
  })

  it('reports to the server why a question cannot be heard, and tries again the next time', async () => {
    const { ear, sent, states, settle } = createEar()
    microphone.answer = deny
    ear.take('question', true)
    await settle()
    expect(sent).toEqual([{ type: 'deaf', problem: 'denied' }])
    ear.take('question', false)
    expect(states.at(-1)).toEqual(['question', 'denied'])
    microphone.answer = async () => {}
    ear.take('question', true)
    await settle()
    expect(states.at(-1)).toEqual(['question', 'open'])
  })

  it.each([
    ['isSecureContext', false, 'insecure'],
    ['AudioWorkletNode', undefined, 'unsupported'],
  ])('cannot be opened if %s is %s', async (name, value, problem) => {
    vi.stubGlobal(name, value)
    const { ear, sent, states } = createEar()
    ear.take('question', true)
    expect(states).toEqual([['question', problem]])
    expect(sent).toEqual([{ type: 'deaf', problem }])
    expect(microphone.requests).toBe(0)
  })

  it('reports that it is gone', async () => {
    const { ear, states, settle } = createEar()
    ear.take('question', true)
    await settle()
    microphone.unplug()
    expect(states.at(-1)).toEqual(['question', 'noMicrophone'])
  })

  it('is given up after a minute without an answer of the user, and closed if that comes later', async () => {
    const { ear, states, settle } = createEar()
    let allow = () => {}
    microphone.answer = () =>
      new Promise<void>((resolve) => {
        allow = resolve
      })
    ear.take('question', true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(states.at(-1)).toEqual(['question', 'inUse'])
    allow()
    await settle()
    expect(microphone.isRecording).toBe(false)
  })

  it('is closed when the connection is lost', async () => {
    const { ear, settle } = createEar()
    ear.take('question', true)
    ear.take('commands', true)
    await settle()
    ear.closeAll()
    await settle()
    expect(microphone.isRecording).toBe(false)
  })
})

describe('the microphone for commands', () => {
  it('is asked for when somebody touches the page, and closed at once', async () => {
    const { ear, states, settle } = createEar()
    ear.take('commands', false)
    expect(microphone.requests).toBe(0)
    for (const gesture of ['click', 'keydown', 'click']) page.dispatchEvent(new Event(gesture))
    await settle()
    expect(microphone).toMatchObject({ requests: 1, isRecording: false })
    expect(states).toEqual([])
  })

  it('says at once that the browser does not allow it', async () => {
    const { ear, sent, states, settle } = createEar()
    microphone.answer = deny
    ear.take('commands', false)
    page.dispatchEvent(new Event('click'))
    await settle()
    expect(states).toEqual([['commands', 'denied']])
    expect(sent).toEqual([])
  })

  it('needs https, which the page says before anything is announced', () => {
    vi.stubGlobal('isSecureContext', false)
    const { ear, states } = createEar()
    ear.take('commands', false)
    expect(states).toEqual([['commands', 'insecure']])
  })
})
