import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { type FlowNode, nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it, onTestFinished } from 'vitest'

/** What Home Assistant 2025.4 with its integration 4.1.2 sends for "Announce that the washing machine has finished", without what the flow does not use. */
const recognised = {
  payload: {
    entities: { message: { name: 'message', value: 'the washing machine has finished' } },
  },
  satellite: null,
}
const message = recognised.payload.entities.message.value

const example = useExample('19 - Tell Home Assistant what to announce.json', replaceHomeAssistant)

it('announces what somebody told Home Assistant', async () => {
  const tab = example.openEditor()
  onTestFinished(() => tab.close())
  const recording = await tab.record()
  await example.press('tell everybody')
  expect(await example.debugTexts('said')).toEqual([message])
  await expectHeard(await recording.stop(), message)
})

it('announces the message of the button, without Home Assistant', async () => {
  const tab = example.openEditor()
  onTestFinished(() => tab.close())
  await example.press('without Home Assistant')
  expect(await example.debugTexts('said', 2)).toEqual([message, 'dinner is ready'])
})

/** Its nodes are in another package. */
function replaceHomeAssistant(flow: FlowNode[]): void {
  flow.splice(
    flow.findIndex(({ type }) => type === 'server'),
    1,
  )
  const sentence = nodeNamed(flow, 'tell everybody')
  const sent = sentence['outputProperties'].map(({ property }: { property: string }) => property)
  expect(sent).toEqual(Object.keys(recognised))
  Object.assign(sentence, {
    type: 'inject',
    props: Object.entries(recognised).map(([p, v]) => ({ p, v: JSON.stringify(v), vt: 'json' })),
    server: undefined,
  })
}
