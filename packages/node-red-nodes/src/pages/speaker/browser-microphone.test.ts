import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MicrophoneUse } from '../../speakers/browser/commands.ts'
import { type StubMicrophone, stubMicrophone } from '../stub-microphone.test-case.ts'
import { BrowserMicrophone, type MicrophoneState } from './browser-microphone.ts'

let device: StubMicrophone
let page: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  device = stubMicrophone()
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function createMicrophone() {
  const sent: unknown[] = []
  const states: [MicrophoneUse, MicrophoneState][] = []
  const microphone = new BrowserMicrophone({
    send: (data) => sent.push(typeof data === 'string' ? JSON.parse(data) : data),
    onState: (use, state) => states.push([use, state]),
  })
  return { microphone, sent, states, settle: () => vi.advanceTimersByTimeAsync(0) }
}

const packet = new Int16Array(320)
const deny = async () => {
  throw new DOMException('no', 'NotAllowedError')
}

describe('the microphone of a page', () => {
  it('records while a question listens, without a tap', async () => {
    const { microphone, sent, states, settle } = createMicrophone()
    microphone.take('question', true)
    await settle()
    device.record(packet)
    microphone.take('question', false)
    device.record(packet)
    await settle()
    expect(sent).toEqual([packet])
    expect(states).toEqual([
      ['question', 'opening'],
      ['question', 'open'],
      ['question', 'closed'],
    ])
    expect(device.isRecording).toBe(false)
  })

  it('is opened once for a question and for commands, until both have ended', async () => {
    const { microphone, sent, states, settle } = createMicrophone()
    microphone.take('commands', true)
    await settle()
    microphone.take('question', true)
    await settle()
    device.record(packet)
    microphone.take('question', false)
    await settle()
    device.record(packet)
    expect(sent).toEqual([packet, packet])
    expect(device).toMatchObject({ requests: 1, isRecording: true })
    microphone.take('commands', false)
    await settle()
    expect(device.isRecording).toBe(false)
    expect(states.at(-1)).toEqual(['commands', 'closed'])
  })

  it('reports to the server why a question cannot be heard, and tries again the next time', async () => {
    const { microphone, sent, states, settle } = createMicrophone()
    device.answer = deny
    microphone.take('question', true)
    await settle()
    expect(sent).toEqual([{ type: 'microphone-problem', problem: 'denied' }])
    microphone.take('question', false)
    expect(states.at(-1)).toEqual(['question', 'denied'])
    device.answer = async () => {}
    microphone.take('question', true)
    await settle()
    expect(states.at(-1)).toEqual(['question', 'open'])
  })

  it.each([
    ['isSecureContext', false, 'insecure'],
    ['AudioWorkletNode', undefined, 'unsupported'],
  ])('cannot be opened if %s is %s', async (name, value, problem) => {
    vi.stubGlobal(name, value)
    const { microphone, sent, states } = createMicrophone()
    microphone.take('question', true)
    expect(states).toEqual([['question', problem]])
    expect(sent).toEqual([{ type: 'microphone-problem', problem }])
    expect(device.requests).toBe(0)
  })

  it('reports that it is gone', async () => {
    const { microphone, states, settle } = createMicrophone()
    microphone.take('question', true)
    await settle()
    device.unplug()
    expect(states.at(-1)).toEqual(['question', 'noMicrophone'])
  })

  it('is given up after a minute without an answer of the user, and closed if that comes later', async () => {
    const { microphone, states, settle } = createMicrophone()
    let allow = () => {}
    device.answer = () =>
      new Promise<void>((resolve) => {
        allow = resolve
      })
    microphone.take('question', true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(states.at(-1)).toEqual(['question', 'inUse'])
    allow()
    await settle()
    expect(device.isRecording).toBe(false)
  })

  it('is closed when the connection is lost', async () => {
    const { microphone, settle } = createMicrophone()
    microphone.take('question', true)
    microphone.take('commands', true)
    await settle()
    microphone.closeAll()
    await settle()
    expect(device.isRecording).toBe(false)
  })
})

describe('the microphone for commands', () => {
  it('is asked for when somebody touches the page, and closed at once', async () => {
    const { microphone, states, settle } = createMicrophone()
    microphone.take('commands', false)
    expect(device.requests).toBe(0)
    for (const gesture of ['click', 'keydown', 'click']) page.dispatchEvent(new Event(gesture))
    await settle()
    expect(device).toMatchObject({ requests: 1, isRecording: false })
    expect(states).toEqual([])
  })

  it('says at once that the browser does not allow it', async () => {
    const { microphone, sent, states, settle } = createMicrophone()
    device.answer = deny
    microphone.take('commands', false)
    page.dispatchEvent(new Event('click'))
    await settle()
    expect(states).toEqual([['commands', 'denied']])
    expect(sent).toEqual([])
  })

  it('needs https, which the page says before anything is announced', () => {
    vi.stubGlobal('isSecureContext', false)
    const { microphone, states } = createMicrophone()
    microphone.take('commands', false)
    expect(states).toEqual([['commands', 'insecure']])
  })
})
