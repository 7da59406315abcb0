import { setTimeout as delay } from 'node:timers/promises'
import { countWordsInOrder, wordsOf } from '@parlando/test-support/audio/compare-words'
import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const respond = { ...place, id: 'respond', type: 'http response', statusCode: '200', wires: [] }
/** Announces what is posted, and responds with what became of it. */
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'desk', type: 'parlando-speaker', kind: 'machine', name: 'Desk', leadOut: '0' },
  { ...place, id: 'in', type: 'http in', url: '/announce', method: 'post', wires: [['spread']] },
  {
    ...place,
    id: 'spread',
    type: 'function',
    func: 'return Object.assign(msg, msg.payload)',
    outputs: 1,
    wires: [['announce']],
  },
  {
    ...place,
    id: 'announce',
    type: 'parlando-announce',
    speaker: 'desk',
    voice: 'Clara',
    model: 'svc-tts-2',
    chime: false,
    wires: [['report'], ['report'], []],
  },
  { ...place, id: 'catch', type: 'catch', scope: ['announce'], wires: [['failed']] },
  {
    ...place,
    id: 'failed',
    type: 'function',
    func: 'msg.payload = msg.error; return msg',
    outputs: 1,
    wires: [['respond']],
  },
  {
    ...place,
    id: 'report',
    type: 'function',
    func: 'msg.payload = msg.announcement; return msg',
    outputs: 1,
    wires: [['respond']],
  },
  respond,
]

const long =
  'The washing machine has finished, and the dryer needs another minute, and dinner is ready.'
const degrees = ['ten', 'eleven', 'twelve']
const otherWords = ['window', 'garden', 'yellow', 'seven', 'paper', 'river']

describe('an announcement on this machine', needs(...pulsePrograms), () => {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  beforeAll(async () => {
    pulse = await startPulse()
    nodeRed = await startNodeRed(flow, { environment: pulse.environment })
    // The service starts with the first request.
    await announce('Ready.')
  }, 120_000)
  afterAll(async () => {
    await nodeRed?.close()
    await pulse?.stop()
  })

  const announce = async (text: string, message: object = {}) => {
    const response = await fetch(`${nodeRed.baseUrl}/announce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, payload: text }),
    })
    return (await response.json()) as Record<string, unknown>
  }
  const record = async (work: () => Promise<unknown>) => {
    const recording = await pulse.record()
    await work()
    const endedAt = performance.now()
    return { heard: await recording.stop(), endedAt }
  }
  const expectWords = (recognised: string[] | undefined, text: string) => {
    const words = wordsOf(text)
    const share = countWordsInOrder(words, recognised ?? []) / words.length
    expect(share, `recognised "${recognised?.join(' ')}"`).toBeGreaterThan(0.7)
  }

  it('is heard from its first word to its last, and ends when that was heard', async () => {
    const text = 'Kitchen: the laundry is done, and the front door is open.'
    let report: Record<string, unknown> = {}
    const { heard, endedAt } = await record(async () => {
      report = await announce(text)
    })
    expect(report).toMatchObject({
      status: 'said',
      speakers: [{ name: 'Desk', confirmedBy: 'process' }],
    })
    const recognised = await heard.recognise([...wordsOf(text), ...otherWords])
    expect(recognised?.[0]).toBe('kitchen')
    expectWords(recognised, text)
    // The speech ends with silence.
    const lastSampleAt = heard.onsetAt + Number(report['durationSeconds']) * 1000
    expect(endedAt).toBeLessThan(lastSampleAt + 1000)
  })

  it('has no more gaps while it is made than when it exists as a whole', async () => {
    // Each try needs a text that has not been said yet.
    const text = `It is ${degrees.pop()} degrees in the garden, and the dryer needs another minute.`
    const made = await record(() => announce(text))
    const known = await record(() => announce(text))
    // On a busy machine, the sound server itself can be late.
    expect(Math.abs(made.heard.durationMs - known.heard.durationMs)).toBeLessThan(150)
  })

  it('begins with the chime, and goes on with the words at once', async () => {
    const text = 'Dinner is ready in the kitchen.'
    const without = await record(() => announce(text))
    const { heard } = await record(() => announce(text, { chime: true }))
    const chimeMs = heard.durationMs - without.heard.durationMs
    expect(chimeMs).toBeGreaterThan(300)
    const beforeWords = heard.gaps.filter(({ at }) => at < heard.onsetAt + chimeMs)
    // The chime fades out, and the speech begins softly.
    expect(Math.max(0, ...beforeWords.map(({ ms }) => ms))).toBeLessThan(200)
    expectWords(await heard.recognise([...wordsOf(text), ...otherWords]), text)
  })

  it('follows an earlier one without overlap', async () => {
    const [first, second] = ['The parcel is here.', 'The coffee is ready.']
    const firstOnly = await record(() => announce(first!))
    const { heard } = await record(() => Promise.all([announce(first!), announce(second!)]))
    expectWords(
      await heard.recognise([...wordsOf(`${first} ${second}`), ...otherWords]),
      `${first} ${second}`,
    )
    expect(heard.durationMs).toBeGreaterThan(1.6 * firstOnly.heard.durationMs)
  })

  it('interrupts a less important one at once', async () => {
    const alarm = 'Fire alarm.'
    const reports: unknown[] = []
    const { heard } = await record(async () => {
      const info = announce(long, { priority: 'info' })
      await delay(1000)
      reports.push(await announce(alarm, { priority: 'alarm' }), await info)
    })
    expect(reports).toMatchObject([
      { status: 'said' },
      { status: 'not said', reason: 'interrupted' },
    ])
    expect(heard.durationMs).toBeLessThan(4000)
  })

  it('is as loud as its volume, and the next one is as loud as before', async () => {
    const text = 'The garage door is open.'
    const levels: number[] = []
    for (const volume of [100, 50, 100]) {
      levels.push((await record(() => announce(text, { volume }))).heard.loudnessDb)
    }
    const [before, half, after] = levels as [number, number, number]
    expect(Math.abs(before - 6 - half)).toBeLessThan(1)
    expect(Math.abs(before - after)).toBeLessThan(1)
  })

  it('is silent at once after a stop', async () => {
    let stoppedAt = 0
    const { heard } = await record(async () => {
      const stopped = announce(long)
      await delay(1000)
      stoppedAt = performance.now()
      void announce('', { stop: true }).catch(() => {})
      expect(await stopped).toMatchObject({ status: 'not said', reason: 'stopped' })
    })
    expect(heard.endAt - stoppedAt).toBeLessThan(300)
  })
})
