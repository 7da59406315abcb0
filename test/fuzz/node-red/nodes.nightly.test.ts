import type { Server } from 'node:http'
import { inspect, isDeepStrictEqual } from 'node:util'
import { keys } from '@parlando/test-support/secrets/keys'
import { startSocketServer } from '@parlando/test-support/servers/socket-server'
import { startTestServer, type TestServer } from '@parlando/test-support/servers/test-server'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'
import { fuzz } from '../cases.ts'
import { watchEventLoop } from '../checks/event-loop-watch.ts'
import { isQuiet, problemsOf } from '../checks/node-problems.ts'
import { anyBatch, casesAtATime, makeMessage, type NodeCase } from '../inputs/node-messages.ts'
import { audio, respondTo, type ServiceResponse } from '../inputs/service-responses.ts'
import { useLiveNodeRed } from '../setups/live-node-red.ts'
import { type FuzzedNode, fuzzedNodes, nodesFlow } from '../setups/nodes-flow.ts'
import { turn, until } from '../setups/wait.ts'

const valid: ServiceResponse = { kind: 'valid', turns: 0, status: 200, body: '' }

const nodeOf = (id: string) => fuzzedNodes.find((one) => one.id === id) as FuzzedNode
const live = useLiveNodeRed()
/** A message that a node received. */
interface Sent {
  given: NodeCase
  message: Record<string, unknown>
  before: PropertyDescriptorMap
}

async function sendEach(batch: NodeCase[]): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const given of batch) {
    const message = makeMessage(given)
    sent.push({ given, message, before: Object.getOwnPropertyDescriptors(message) })
    live.node(given.node)!.receive(message)
    for (let turns = 0; turns < given.serviceResponse.turns; turns++) await turn()
  }
  return sent
}

async function sendAll(batch: NodeCase[]): Promise<Sent[]> {
  const sent = await sendEach(batch)
  const isDone = ({ message }: Sent) => live.messages.doneWith(message).length > 0
  const isIdle = () => fuzzedNodes.every(({ id }) => live.messages.statusOf(id)?.fill !== 'blue')
  // A sound waits for the rest of its sequence, which may never arrive, and others wait behind it. A conversation waits
  // for the user, and so does a text that is paused.
  const collecting = [
    'parlando-play',
    'parlando-listen',
    'parlando-converse',
    'parlando-read-aloud',
  ]
  if (!(await until(() => sent.every(isDone) && isIdle(), 500))) {
    for (const { id } of fuzzedNodes.filter(({ type }) => collecting.includes(type))) {
      live.node(id)!.receive({ stop: true })
    }
  }
  const isWaiting = (one: Sent) => one.given.node === 'speak-expression' && !isDone(one)
  await until(() => sent.every((one) => isDone(one) || isWaiting(one)))
  // An expression waits for a promise of the message, which may never settle.
  if (!(await until(() => sent.every(isDone), 200))) {
    live.node('speak-expression')!.receive({ stop: true })
    await until(() => sent.every(isDone))
  }
  await until(isIdle)
  for (let turns = 0; turns < 3; turns++) await turn()
  return sent
}

/** A text goes on after a deploy, and the next one waits for it. Each good message adds a reminder, of which there may be 200. */
function stopKept(): void {
  const keeping = ['parlando-read-aloud', 'parlando-remind']
  for (const { id } of fuzzedNodes.filter(({ type }) => keeping.includes(type))) {
    live.node(id)!.receive({ stop: true })
  }
}

function findProblems({ given, message, before }: Sent): string[] {
  return problemsOf({
    node: nodeOf(given.node),
    message,
    before,
    dones: live.messages.doneWith(message).filter(({ node }) => node === given.node),
    sent: live.messages.sentBy(given.node),
  })
}

/** A message with a property that throws `null` ends Node-RED itself, whichever node sends it. */
function isOfNodeRed(reason: unknown): boolean {
  return /reading 'stack'\)\n +at deliverMessageToDestination/.test((reason as Error)?.stack ?? '')
}

let scriptedResponses: ServiceResponse[] = []

async function startService(): Promise<TestServer> {
  let requests = 0
  const service = await startTestServer((response, request) => {
    const scripted = scriptedResponses[requests++ % scriptedResponses.length]
    return respondTo(scripted ?? valid, request, response)
  })
  await serveSockets(service.server)
  return service
}

/** Ends each conversation after a response, and each context of speech when its text ends. */
function serveSockets(server: Server) {
  return startSocketServer({
    server,
    onMessage({ send, webSocket }, { type, close_context }) {
      if (close_context) webSocket.close(1011)
      if (type !== 'response.create') return
      const response = { id: 'r1', status: 'completed' }
      send({ type: 'response.created', response })
      send({ type: 'response.done', response })
      webSocket.close(1000)
    },
  })
}

it('each node calls done once for any message, and processes the next one', async () => {
  const server = await startService()
  const prototypes = () =>
    [Object.prototype, Array.prototype].flatMap((one) =>
      Reflect.ownKeys(one).map((name) => [name, Object.getOwnPropertyDescriptor(one, name)?.value]),
    )
  const untouched = prototypes()
  let batches = 0
  const watchdog = watchEventLoop<NodeCase[]>()

  const check = async (batch: (NodeCase | undefined)[]) => {
    const given = batch.filter((one) => one !== undefined)
    scriptedResponses = given.map(({ serviceResponse }) => serviceResponse)
    if (batches++ % 20 === 0) await live.deploy(nodesFlow(server.baseUrl, keys.service))
    live.forget()
    server.requests.length = 0
    try {
      const sent = await watchdog.watch(given, () => sendAll(given))
      expect(sent.flatMap(findProblems)).toEqual([])
      expect(live.uncaught.filter((reason) => !isOfNodeRed(reason))).toEqual([])
      const shown = fuzzedNodes.map(({ id }) => live.messages.statusOf(id))
      expect(shown.filter((status) => !isQuiet(status))).toEqual([])
      expect(inspect([shown, live.log], { depth: 6 })).not.toContain(keys.service)
      expect(isDeepStrictEqual(prototypes(), untouched)).toBe(true)
      scriptedResponses = []
      stopKept()
      await expectGoodMessages(batches % 5 ? [nodeOf('speak-chunks')] : fuzzedNodes)
    } catch (error) {
      batches = 0
      throw error
    }
  }
  await fuzz(anyBatch, check, { each: casesAtATime })
  for (const batch of watchdog.stop()) {
    await live.deploy(nodesFlow(server.baseUrl, keys.service))
    await expectNoHold(batch)
  }
})

it('a deploy ends the work with any messages, and the nodes process the next ones', async () => {
  const server = await startService()
  const flow = nodesFlow(server.baseUrl, keys.service)
  await live.deploy(flow)
  const check = async (batch: (NodeCase | undefined)[]) => {
    const given = batch.filter((one) => one !== undefined)
    live.forget()
    scriptedResponses = given.map(({ serviceResponse }) => serviceResponse)
    await sendEach(given)
    const hasDeployed = await live.deploy(
      flow,
      fuzzedNodes.map(({ id }) => id),
    )
    expect(hasDeployed).toBe(true)
    for (let turns = 0; turns < 3; turns++) await turn()
    expect(live.uncaught.filter((reason) => !isOfNodeRed(reason))).toEqual([])
    scriptedResponses = []
    stopKept()
    await expectGoodMessages(fuzzedNodes)
  }
  await fuzz(anyBatch, check, { each: casesAtATime, share: 0.2 })
})

/** Measures the messages together, and if they hold the event loop, each one separately. */
async function expectNoHold(batch: NodeCase[]): Promise<void> {
  if ((await holdOf(batch)) < maxHoldMs) return
  for (const given of batch)
    expect(await holdOf([given]), inspect(given, { depth: 9 })).toBeLessThan(maxHoldMs)
}

function holdOf(batch: NodeCase[]): Promise<number> {
  scriptedResponses = batch.map(({ serviceResponse }) => serviceResponse)
  return measureHold(async () => {
    await sendAll(batch)
    // The messages may have left sequences open.
    for (const { id } of fuzzedNodes) live.node(id)!.receive({ stop: true })
  })
}

/** Two hours of speech. Cleaning a text takes time in proportion to its length. */
const longTextCharacters = 100_000
const textParts = [' ', '.', 'a', 'a ', '. ', '中', '\u0301', '<', '[a](', '\\', '{"a":', '*', '\n']
const others = ['a'.repeat(1_000_000), Buffer.alloc(5 * 1024 * 1024)]

/** Without a thorough run, one node of each type. */
const nodesWithLargeMessages = fuzzedNodes.filter(
  ({ type }, index) =>
    isThoroughRun || index === fuzzedNodes.findIndex((other) => other.type === type),
)

describe('a large message', () => {
  it.each(nodesWithLargeMessages)(
    'does not hold the event loop: $id',
    async ({ id, reads, good }) => {
      const server = await startService()
      scriptedResponses = []
      await live.deploy(nodesFlow(server.baseUrl, keys.service))
      const texts = textParts.map(
        (part) => ['payload', repeated(part, longTextCharacters)] as const,
      )
      const properties = reads
        .filter((name) => name !== '_msgid' && name !== 'payload')
        .flatMap((name) => others.map((value) => [name, value] as const))
      for (const [name, value] of [...texts, ...properties]) {
        const held = await measureHold(() => sendAndStop(id, { ...good, [name]: value }))
        expect(held, `${name}: ${inspect(value).slice(0, 40)}`).toBeLessThan(maxHoldMs)
      }
    },
  )
})

function repeated(part: string, characters: number): string {
  return part.repeat(characters / part.length)
}

/** Stops the work of the message after a moment: only its beginning handles all of the message at once. */
async function sendAndStop(id: string, message: object): Promise<void> {
  const running = live.node(id)!
  live.forget()
  running.receive(message)
  const isDone = () => live.messages.doneWith(message).length > 0
  if (await until(isDone, 100)) return
  running.receive({ stop: true })
  await until(isDone)
}

/** Valid messages succeed, and speech is complete. */
async function expectGoodMessages(nodes: FuzzedNode[]) {
  live.forget()
  const given = nodes.map(({ id, good, needsDevice }) => {
    const message = { ...good, ...(id === 'speak-expression' && { payload: { text: 'Hello.' } }) }
    live.node(id)!.receive(message)
    const error = needsDevice ? expect.stringContaining('no microphone') : undefined
    return { id, message, error }
  })
  await until(() => given.every(({ message }) => live.messages.doneWith(message).length > 0))
  for (const { id, message, error } of given) {
    const dones = live.messages
      .doneWith(message)
      .map(({ node, error }) => [node, error && String(error)])
    expect(dones, id).toEqual([[id, error]])
  }
  const spoken = live.messages
    .sentBy('speak-chunks')
    .map((sent) => (sent as { payload: Buffer }).payload)
  expect(Buffer.concat(spoken).equals(audio)).toBe(true)
}
