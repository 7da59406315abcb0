import { type LocalService, startLocalService } from '@parlando/local-service'
import { folderOf, serviceNodes } from '@parlando/test-support/node-red/node-cases'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

/** No word of Node-RED and of its nodes. */
const secret = 'marmalade'
const text = `The code of the safe is ${secret}, and this is a secret.`
const place = { x: 0, y: 0, z: 'tab' }

const hosted = { type: 'parlando-service', location: 'hosted' }
const servicesAt = (baseUrl: string) => [
  { ...hosted, id: 'works', baseUrl, credentials: { apiKey: keys.service } },
  { ...hosted, id: 'rejects', baseUrl, credentials: { apiKey: keys.wrong } },
  { ...hosted, id: 'away', baseUrl: unreachableUrl, credentials: { apiKey: keys.service } },
  { type: 'parlando-service', location: 'device', id: 'device' },
]
const serviceIds = servicesAt('').map(({ id }) => id)
const cases = serviceIds.flatMap((service) =>
  serviceNodes.flatMap(({ type, settings, good, bad }) =>
    Object.entries({ good, bad }).map(([kind, message]) => {
      return { id: `${service}-${folderOf(type)}-${kind}`, service, type, settings, message }
    }),
  ),
)

/** What an inject node sends: the message, and the text wherever a text of a user can be. */
function propertiesOf({ payload, ...others }: Record<string, unknown>) {
  const texts = {
    system: text,
    prompts: [text],
    ...others,
    payload: payload === 'Hello' ? text : payload,
  }
  return Object.entries(texts).map(([p, value]) =>
    Buffer.isBuffer(value)
      ? { p, v: JSON.stringify([...value]), vt: 'bin' }
      : { p, v: JSON.stringify(value), vt: 'json' },
  )
}

const nodes = cases.flatMap(({ id, service, type, settings, message }) => [
  { ...place, id: `${id}-in`, type: 'inject', props: propertiesOf(message), wires: [[id]] },
  { ...place, ...settings, id, name: id, type, service, wires: [] },
  { ...place, id: `${id}-end`, type: 'complete', scope: [id], wires: [[`${id}-out`]] },
  { ...place, id: `${id}-out`, type: 'debug', active: true, tosidebar: true, complete: '_msgid' },
])

const planted = [
  {
    ...place,
    id: 'planted-in',
    type: 'inject',
    props: propertiesOf({ payload: text }),
    wires: [['planted']],
  },
  { ...place, id: 'planted', type: 'function', func: 'node.warn(msg.payload)', wires: [] },
]

let service: LocalService
let nodeRed: NodeRedProcess
beforeAll(async () => {
  service = await startLocalService({ apiKey: keys.service, warmUp: false })
  const logging = { console: { level: 'debug', metrics: false, audit: false } }
  nodeRed = await startNodeRed([], { settings: { logging } })
  const tab = { id: 'tab', type: 'tab' }
  await nodeRed.deploy([tab, ...servicesAt(service.baseUrl), ...nodes, ...planted])
})
afterAll(async () => {
  await nodeRed?.close()
  await service?.close()
})

const linesWith = (secrets: readonly string[]) =>
  nodeRed
    .log()
    .split('\n')
    .filter((line) => secrets.some((one) => line.includes(one)))

it('the log of Node-RED contains no text and no key of a user', async () => {
  for (const { id } of cases) await nodeRed.inject(`${id}-in`)
  // A failure that no Catch node receives is in the log.
  const hasEnded = ({ id }: (typeof cases)[number]) =>
    nodeRed.debugTexts(`${id}-out`).length > 0 || nodeRed.log().includes(`:${id}]`)
  await vi.waitFor(() => {
    expect(cases.filter((one) => !hasEnded(one)).map(({ id }) => id)).toEqual([])
  }, 180_000)
  expect(linesWith([secret, keys.service, keys.wrong])).toEqual([])
}, 240_000)

it('the log contains what a node of the flow writes to it', async () => {
  await nodeRed.inject('planted-in')
  await vi.waitFor(() => expect(linesWith([secret])).not.toEqual([]))
})
