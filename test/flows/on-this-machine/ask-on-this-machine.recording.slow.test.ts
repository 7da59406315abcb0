import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { speak } from '@parlando/test-support/audio/speak'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const debug = {
  ...place,
  type: 'debug',
  active: true,
  tosidebar: true,
  complete: 'answer',
  targetType: 'msg',
}
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'desk', type: 'parlando-speaker', kind: 'machine', name: 'Desk' },
  {
    ...place,
    id: 'press',
    type: 'inject',
    props: [{ p: 'payload' }],
    payload: 'Shall I turn on the light?',
    payloadType: 'str',
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
  ...['yes', 'no', 'else', 'nobody'].map((id) => ({ ...debug, id })),
  { ...place, id: 'failed', type: 'catch', scope: ['ask'], wires: [['failure']] },
  { ...debug, id: 'failure', complete: 'error' },
]

const texts = ['Yes, please.', 'No, thank you.'] as const

describe('a question on this machine', {
  ...needs(...pulsePrograms),
  ...needsRecogniser(),
}, () => {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  const speech = new Map<string, Buffer>()
  beforeAll(async () => {
    for (const text of texts) speech.set(text, await speak(text))
    pulse = await startPulse()
    nodeRed = await startNodeRed(flow, { environment: pulse.environment })
  }, 120_000)
  afterAll(async () => {
    await nodeRed?.close()
    await pulse?.stop()
  })

  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
  const count = (status: string) => nodeRed.statuses('ask').filter((text) => text === status).length
  const listening = async (times: number) => until(() => expect(count('listening')).toBe(times))
  /** The microphone of this machine hears what its speaker plays. */
  const say = (text: string) => pulse.play(Buffer.concat([Buffer.alloc(8000), speech.get(text)!]))
  const answers = (output: string) => nodeRed.debugTexts(output).map((text) => JSON.parse(text))

  it.each([
    [texts[0], 'yes', true],
    [texts[1], 'no', false],
  ])('is answered by what somebody says: %s', async (text, output, value) => {
    const before = count('listening')
    await nodeRed.inject('press')
    await listening(before + 1)
    await say(text)
    await until(() => expect(answers(output)).toHaveLength(1))
    expect(answers(output)[0]).toMatchObject({ name: output, value, by: 'voice' })
    expect(nodeRed.debugTexts('failure')).toEqual([])
  })
})
