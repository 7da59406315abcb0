import { describe, expect, it } from 'vitest'
import { needsPrograms, useThisMachine } from './use-this-machine.ts'

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

const train = 'The train to the coast leaves at noon.'
const texts = [train, 'Hey Jarvis.', 'What is the time?', 'Yes, please.'] as const

describe('a wake word on this machine', needsPrograms, () => {
  const { nodeRed, say, received, until } = useThisMachine(flow, texts)

  const status = (id: string) => nodeRed().statuses(id).at(-1) ?? ''

  it('is silent until it hears it, holds a conversation, and asks a question', async () => {
    await until(() => expect(status('microphone')).toContain('waiting'))
    await say(train)
    expect(status('microphone')).toContain('waiting')
    await say('Hey Jarvis.', 'What is the time?')
    await until(() => expect(nodeRed().debugTexts('understood')[0]).toMatch(/time/))
    await until(() => expect(status('ask')).toBe('listening'))
    await say('Yes, please.')
    await until(() => expect(received('yes')).toHaveLength(1))
    expect(received('yes')[0]).toMatchObject({ value: true, by: 'voice' })
    expect(nodeRed().debugTexts('recorded')).toHaveLength(1)
  })
})
