import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { needsPrograms, useThisMachine } from './use-this-machine.ts'

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

describe('this machine, whose microphone hears its speaker', needsPrograms, () => {
  const machine = useThisMachine(flow, ['Yes, please.', 'Stop.'])
  const { say, received, until } = machine

  /** Begins to play a text. @returns a second or two later. */
  const press = async (node: string) => {
    const recording = await machine.pulse().record()
    await machine.nodeRed().inject(node)
    await recording.heard
    await recording.stop()
    await delay(3500)
  }

  it('hears the answer to a question while it says it', async () => {
    const before = received('yes').length
    await press('press-ask')
    expect(received('yes')).toHaveLength(before)
    await say('Yes, please.')
    // Nobody says it again.
    await until(() => expect(received('yes')).toHaveLength(before + 1))
    expect(received('yes').at(-1)).toMatchObject({ value: true, by: 'voice' })
  }, 120_000)

  it('does not stop an announcement that says "stop", and stops it when somebody else says it', async () => {
    const [said, stopped] = [received('said').length, received('not-said').length]
    await press('press-announce')
    await until(() => expect(received('said')).toHaveLength(said + 1))
    await press('press-announce')
    await say('Stop.')
    await until(() => expect(received('not-said')).toHaveLength(stopped + 1))
    expect(received('not-said').at(-1)).toMatchObject({ reason: 'stopped' })
    expect(received('said')).toHaveLength(said + 1)
  }, 240_000)
})
