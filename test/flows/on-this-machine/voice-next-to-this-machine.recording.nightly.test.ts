import { setTimeout as delay } from 'node:timers/promises'
import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { speak } from '@parlando/test-support/audio/speak'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const debug = { ...place, type: 'debug', active: true, tosidebar: true, targetType: 'msg' }
const inject = { ...place, type: 'inject', props: [{ p: 'payload' }], payloadType: 'str' }
const question =
  'The washing machine in the cellar is done, and the laundry is still in it, which is not good for the shirts. Shall I remind you again in an hour?'
// Longer than a busy machine needs to recognise a word.
const news = Array(4)
  .fill(
    'The bus will stop at the station, and then it goes on to the market, where you can buy apples and a cake for tomorrow.',
  )
  .join(' ')
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  {
    id: 'desk',
    type: 'parlando-speaker',
    kind: 'machine',
    name: 'Desk',
    hearing: 'yes',
    volume: '40',
  },
  { ...inject, id: 'press-ask', payload: question, wires: [['ask']] },
  {
    ...place,
    id: 'ask',
    type: 'parlando-ask',
    speaker: 'desk',
    language: 'en-US',
    waitSeconds: '20',
    wires: [['yes'], [], [], []],
  },
  { ...debug, id: 'yes', complete: 'answer' },
  { ...inject, id: 'press-announce', payload: news, wires: [['announce']] },
  {
    ...place,
    id: 'announce',
    type: 'parlando-announce',
    speaker: 'desk',
    language: 'en-US',
    wires: [['said'], ['not-said'], []],
  },
  { ...debug, id: 'said', complete: 'announcement' },
  { ...debug, id: 'not-said', complete: 'announcement' },
]

describe('this machine, whose microphone hears its speaker', {
  ...needs(...pulsePrograms),
  ...needsRecogniser(),
}, () => {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  const speech = new Map<string, Buffer>()
  beforeAll(async () => {
    for (const text of ['Yes, please.', 'Stop.']) speech.set(text, await speak(text))
    pulse = await startPulse()
    nodeRed = await startNodeRed(flow, { environment: pulse.environment })
  }, 120_000)
  afterAll(async () => {
    await nodeRed?.close()
    await pulse?.stop()
  })

  /** Begins to play a text. @returns a second or two later. */
  const press = async (node: string) => {
    const recording = await pulse.record()
    await nodeRed.inject(node)
    await recording.heard
    await recording.stop()
    await delay(3500)
  }
  const say = (text: string) => pulse.play(speech.get(text)!)
  const reports = (node: string) => nodeRed.debugTexts(node).map((text) => JSON.parse(text))
  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

  it('hears the answer to a question while it says it', async () => {
    const before = reports('yes').length
    await press('press-ask')
    expect(reports('yes')).toHaveLength(before)
    await say('Yes, please.')
    // Nobody says it again.
    await until(() => expect(reports('yes')).toHaveLength(before + 1))
    expect(reports('yes').at(-1)).toMatchObject({ value: true, by: 'voice' })
  }, 120_000)

  it('does not stop an announcement that says "stop", and stops it when somebody else says it', async () => {
    const [said, stopped] = [reports('said').length, reports('not-said').length]
    await press('press-announce')
    await until(() => expect(reports('said')).toHaveLength(said + 1))
    await press('press-announce')
    await say('Stop.')
    await until(() => expect(reports('not-said')).toHaveLength(stopped + 1))
    expect(reports('not-said').at(-1)).toMatchObject({ reason: 'stopped' })
    expect(reports('said')).toHaveLength(said + 1)
  }, 240_000)
})
