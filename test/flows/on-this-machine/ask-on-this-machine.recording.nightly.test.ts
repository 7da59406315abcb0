import { describe, expect, it } from 'vitest'
import { needsPrograms, useThisMachine } from './use-this-machine.ts'

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

describe('a question on this machine', needsPrograms, () => {
  const { nodeRed, say, received, until } = useThisMachine(flow, texts)

  const count = (status: string) =>
    nodeRed()
      .statuses('ask')
      .filter((text) => text === status).length
  const listening = async (times: number) => until(() => expect(count('listening')).toBe(times))

  it.each([
    [texts[0], 'yes', true],
    [texts[1], 'no', false],
  ])('is answered by what somebody says: %s', async (text, output, value) => {
    const before = count('listening')
    await nodeRed().inject('press')
    await listening(before + 1)
    await say(text)
    await until(() => expect(received(output)).toHaveLength(1))
    expect(received(output)[0]).toMatchObject({ name: output, value, by: 'voice' })
    expect(nodeRed().debugTexts('failure')).toEqual([])
  })
})
