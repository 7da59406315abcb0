import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { speak } from '@parlando/test-support/audio/speak'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const debug = { ...place, type: 'debug', active: true, tosidebar: true, targetType: 'msg' }
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'desk', type: 'parlando-speaker', kind: 'machine', name: 'Desk' },
  {
    ...place,
    id: 'microphone',
    type: 'parlando-microphone',
    kind: 'machine',
    starts: 'wake-word',
    wires: [['converse', 'ends']],
  },
  { ...place, id: 'converse', type: 'parlando-converse', wires: [[], ['understood'], []] },
  { ...debug, id: 'understood', complete: 'payload' },
  {
    ...place,
    id: 'ends',
    type: 'switch',
    property: 'complete',
    propertyType: 'msg',
    rules: [{ t: 'true' }],
    checkall: 'true',
    outputs: 1,
    wires: [['question', 'recorded']],
  },
  { ...debug, id: 'recorded', complete: 'complete' },
  {
    ...place,
    id: 'question',
    type: 'change',
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'Shall I turn on the light?', tot: 'str' }],
    wires: [['ask']],
  },
  {
    ...place,
    id: 'ask',
    type: 'parlando-ask',
    speaker: 'desk',
    language: 'en-US',
    waitSeconds: '20',
    wires: [['yes'], ['no'], ['else'], ['nobody']],
  },
  ...['yes', 'no', 'else', 'nobody'].map((id) => ({ ...debug, id, complete: 'answer' })),
]

describe('a wake word on this machine', {
  ...needs(...pulsePrograms),
  ...needsRecogniser(),
}, () => {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  beforeAll(async () => {
    pulse = await startPulse()
    nodeRed = await startNodeRed(flow, { environment: pulse.environment })
  }, 120_000)
  afterAll(async () => {
    await nodeRed?.close()
    await pulse?.stop()
  })

  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
  const status = (id: string) => nodeRed.statuses(id).at(-1) ?? ''
  /** The microphone of this machine hears what its speaker plays. */
  const say = async (...texts: string[]) => {
    const spoken = await Promise.all(texts.map((text) => speak(text)))
    await pulse.play(Buffer.concat([Buffer.alloc(8000), ...spoken]))
  }

  it('is silent until it hears it, holds a conversation, and asks a question', async () => {
    await until(() => expect(status('microphone')).toContain('waiting'))
    await say('The train to the coast leaves at noon.')
    expect(status('microphone')).toContain('waiting')
    await say('Hey Jarvis.', 'What is the time?')
    await until(() => expect(nodeRed.debugTexts('understood')[0]).toMatch(/time/))
    await until(() => expect(status('ask')).toBe('listening'))
    await say('Yes, please.')
    await until(() => expect(nodeRed.debugTexts('yes')).toHaveLength(1))
    expect(JSON.parse(nodeRed.debugTexts('yes')[0]!)).toMatchObject({ value: true, by: 'voice' })
    expect(nodeRed.debugTexts('recorded')).toHaveLength(1)
  })
})
