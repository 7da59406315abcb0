import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import {
  createFakeSpeaker,
  type FakeSpeaker,
  provideFakeSpeaker,
} from '@parlando/test-support/speakers/fake-speaker'
import { describe, expect, it, vi } from 'vitest'
import type { ShownQuestion } from '../../speakers/display.ts'
import { nodeCase } from './ask.test-case.ts'

let speaker: FakeSpeaker
const { load, unload, userFolder } = useNodeRed({
  afterNodes: () => provideFakeSpeaker(speaker),
})

/** Half a second of speech. */
const spoken = audioLine(Buffer.alloc(24_000, 1))

/** A flow with an ask node, and a speaker that shows buttons. */
async function loadAsk(settings: object, service: object = {}) {
  const server = await startTestServer((response) => void response.end(spoken))
  speaker = createFakeSpeaker('kitchen')
  const shown: ShownQuestion[] = []
  let press = (_index: number) => {}
  speaker.driver.display = {
    showQuestion(question, onAnswer) {
      shown.push(question)
      press = onAnswer
    },
    hideQuestion() {},
    showHeard() {},
  }
  const place = { z: 'tab' }
  const outputs = ['yes', 'no', 'else', 'nobody']
  const flow = await load(
    [
      {
        id: 'service',
        type: 'parlando-service',
        location: 'hosted',
        baseUrl: server.baseUrl,
        ...service,
      },
      {
        ...place,
        id: 'ask',
        type: 'parlando-ask',
        service: 'service',
        ...nodeCase.settings,
        ...settings,
        wires: outputs.map((id) => [id]),
      },
      ...[...outputs, 'caught'].map((id) => ({ ...place, id, type: 'helper' })),
      { ...place, id: 'catch', type: 'catch', scope: ['ask'], wires: [['caught']] },
    ],
    { service: { apiKey: 'key' } },
  )
  return {
    flow,
    ask: (message: object) => flow.node('ask').receive({ ...message }),
    shown: async (text: string) =>
      await vi.waitFor(() => expect(shown.at(-1)).toMatchObject({ text })),
    press: (index: number) => press(index),
  }
}

it.each([
  { waitSeconds: '90' },
  { waitSeconds: 0 },
  { untilAnswered: true, everySeconds: 'often' },
])('a question is rejected with the settings %j', async (settings) => {
  const { ask, flow } = await loadAsk(settings)
  ask({ payload: 'Is the oven off?' })
  const [caught] = await flow.waitFor('caught', 1)
  expect(caught).toMatchObject({
    error: { code: 'INVALID_INPUT', message: 'ask.error.not-number' },
  })
})

describe('a question that is asked until somebody answers', () => {
  const settings = { untilAnswered: true, everySeconds: 60 }
  const saved = () =>
    JSON.parse(readFileSync(join(userFolder, 'parlando/questions.json'), 'utf8')) as object[]

  it('survives a restart with those that wait behind it, until then', async () => {
    const before = await loadAsk(settings)
    before.ask({ payload: 'Is the oven off?', floor: 2 })
    before.ask({ payload: 'Is the door shut?', floor: 1 })
    await before.shown('Is the oven off?')
    await unload()
    expect(before.flow.received('nobody')).toEqual([])
    expect(saved()).toHaveLength(2)

    const after = await loadAsk(settings)
    await after.shown('Is the oven off?')
    after.press(0)
    const [first] = await after.flow.waitFor('yes', 1)
    expect(first).toMatchObject({ payload: true, floor: 2, answer: { by: 'button' } })
    await after.shown('Is the door shut?')
    after.press(1)
    const [second] = await after.flow.waitFor('no', 1)
    expect(second).toMatchObject({ payload: false, floor: 1 })
    await unload()
    expect(saved()).toEqual([])
  })

  it('is not lost while it waits, if its text is next to a large picture', async () => {
    const withEvent = { ...settings, text: 'event.question', clean: true }
    const before = await loadAsk(withEvent)
    before.ask({ event: { question: 'Is the oven off?' } })
    const photo = Buffer.alloc(100_000)
    before.ask({ event: { question: 'Is the **door** shut?', photo }, floor: 1 })
    await before.shown('Is the oven off?')
    await unload()

    const after = await loadAsk(withEvent)
    await after.shown('Is the oven off?')
    after.press(0)
    await after.shown('Is the door shut?')
    after.press(1)
    expect(await after.flow.waitFor('no', 1)).toMatchObject([{ payload: false, floor: 1 }])
  })

  it('is not lost if the service cannot start after a restart', async () => {
    const before = await loadAsk(settings)
    before.ask({ payload: 'Is the oven off?' })
    await before.shown('Is the oven off?')
    await unload()

    const after = await loadAsk({ ...settings, standIn: 'none' }, { baseUrl: '' })
    await after.flow.waitFor('caught', 1)
    await unload()
    expect(saved()).toHaveLength(1)

    const later = await loadAsk(settings)
    await later.shown('Is the oven off?')
    later.press(0)
    expect(await later.flow.waitFor('yes', 1)).toMatchObject([{ payload: true }])
  })

  it('is forgotten when it is stopped', async () => {
    const { ask, shown } = await loadAsk(settings)
    ask({ payload: 'Is the oven off?' })
    ask({ payload: 'Is the door shut?' })
    await shown('Is the oven off?')
    ask({ stop: true })
    await unload()
    expect(saved()).toEqual([])
  })
})
