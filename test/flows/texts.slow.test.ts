import { type LocalService, startLocalService } from '@parlando/local-service'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { nodeCases, serviceNodes } from '@parlando/test-support/node-red/node-cases'
import { useSharedNodeRed } from '@parlando/test-support/node-red/shared-process'
import { afterAll, describe, expect, it, vi } from 'vitest'

const cases = Object.entries(nodeCases).map(([type, nodeCase]) => ({ type, ...nodeCase }))

let service: LocalService
const nodeRed = useSharedNodeRed(async () => {
  service = await startLocalService({ warmUp: false })
  const hosted = { id: 'service', type: 'parlando-service', location: 'hosted' }
  const tab = { id: 'tab', type: 'tab', label: 'texts' }
  return [tab, { ...hosted, baseUrl: service.baseUrl }, ...cases.flatMap(flowOf)]
})
afterAll(() => service?.close())

/** A node with a service and one whose service does not exist, and buttons for success and failure. */
function flowOf({ type, settings, bad, good, shown }: (typeof cases)[number]): object[] {
  const place = { z: 'tab', x: 100, y: 100 }
  const button = (id: string, message: object, node: string) => ({
    ...place,
    id,
    type: 'inject',
    props: Object.entries(message).map(([p, v]) => ({ p, v: JSON.stringify(v), vt: 'json' })),
    wires: [[node]],
  })
  const common = { ...place, type, busy: 'wait', wires: [[]] }
  return [
    button(`${type}-bad`, bad, type),
    button(`${type}-good`, shown ? good : bad, type),
    button(`${type}-without-button`, bad, `${type}-without`),
    { ...common, ...settings, id: type, service: 'service' },
    { ...common, ...settings, id: `${type}-without`, service: 'deleted' },
    {
      ...place,
      id: `${type}-catch`,
      type: 'catch',
      scope: [type, `${type}-without`],
      wires: [[`${type}-failures`]],
    },
    {
      ...place,
      id: `${type}-failures`,
      type: 'debug',
      active: true,
      tosidebar: true,
      complete: 'error.message',
      targetType: 'msg',
    },
  ]
}

const sentence = /^\S+( \S+){4,}$/
const failures = (type: string, count: number) =>
  vi.waitFor(() => {
    const messages = nodeRed.debugTexts(`${type}-failures`)
    expect(messages.length).toBe(count)
    return messages.at(-1)
  }, 60_000)

describe.each(cases)('$type in a real Node-RED', ({ type }) => {
  // Without a recogniser, a conversation already fails when it begins.
  const options = type === 'parlando-converse' ? needsRecogniser() : {}
  it(
    'reports errors as sentences, not as locale keys, and their cause in the status',
    options,
    async () => {
      await nodeRed.inject(`${type}-bad`)
      const failure = await failures(type, 1)
      expect(failure).toMatch(sentence)
      const [cause] = failure!.split(': ')
      await vi.waitFor(() => expect(nodeRed.statuses(type).at(-1)).toBe(cause))
    },
  )
})

describe.each(serviceNodes)('$type in a real Node-RED', ({ type }) => {
  it('reports a missing service', async () => {
    await nodeRed.inject(`${type}-without-button`)
    expect(await failures(type, 2)).toMatch(/^The service is missing or disabled/)
    await vi.waitFor(() =>
      expect(nodeRed.statuses(`${type}-without`).at(-1)).toBe('The service is missing or disabled'),
    )
  })
})

// A clone needs a recording, which an inject node cannot contain.
const buttons = cases.filter(({ shown }) => shown)

it.each(buttons)('$type in a real Node-RED shows its result', async ({ type, shown }) => {
  await nodeRed.inject(`${type}-good`)
  await vi.waitFor(() => expect(nodeRed.statuses(type).at(-1)).toMatch(shown!), 60_000)
  expect(nodeRed.statuses(type).join('\n')).not.toContain('Hello')
})
