import type { Server } from 'node:http'
import { inspect, isDeepStrictEqual } from 'node:util'
import { maxHoldMs, measureHold } from '@parlando/test-support/event-loop'
import { startSocketServer } from '@parlando/test-support/socket-server'
import { startTestServer, type TestServer } from '@parlando/test-support/test-server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzz } from './cases.ts'
import { isQuiet, key, problemsOfError, turn, until } from './checks.ts'
import { watchEventLoop } from './event-loop-watch.ts'
import { useLiveNodeRed } from './live-node-red.ts'
import { type FuzzedNode, fuzzedNodes, likelyValues, nodesFlow } from './nodes-flow.ts'
import { anyValue, make, type Recipe, thrown } from './odd-values.ts'
import { anyResponse, audio, respondTo, type ServiceResponse } from './service-responses.ts'

type Property = { is: Recipe } | { throws: keyof typeof thrown }

/** One message to one node, and the response to its request. */
interface Case {
  node: string
  properties: Record<string, Property>
  shape: 'plain' | 'frozen' | 'sealed' | 'without a prototype' | 'of a class'
  serviceResponse: ServiceResponse
}

const casesAtATime = 25
const valid: ServiceResponse = { kind: 'valid', turns: 0, status: 200, body: '' }
const node = (id: string) => fuzzedNodes.find((one) => one.id === id) as FuzzedNode

const live = useLiveNodeRed()
const response = anyResponse(key)

const anyProperty: fc.Arbitrary<Property> = fc.oneof(
  { weight: 15, arbitrary: fc.record({ is: anyValue(likelyValues) }) },
  fc.record({ throws: fc.constantFrom(...(Object.keys(thrown) as (keyof typeof thrown)[])) }),
)

/** A valid message with some properties of any value, and some unused ones. */
const anyCase: fc.Arbitrary<Case> = fc.constantFrom(...fuzzedNodes).chain(({ id, reads, good }) =>
  fc.record({
    node: fc.constant(id),
    properties: fc
      .tuple(
        fc.dictionary(fc.constantFrom(...reads.filter((name) => name !== '_msgid')), anyProperty, {
          maxKeys: 4,
        }),
        fc.dictionary(fc.string({ maxLength: 8 }), anyProperty, { maxKeys: 2 }),
      )
      .map(([read, other]) => ({
        ...asProperties(good),
        bystander: { is: { plain: [id] } },
        ...other,
        ...read,
      })),
    shape: fc.oneof(
      { weight: 20, arbitrary: fc.constant('plain' as const) },
      fc.constantFrom('frozen', 'sealed', 'without a prototype', 'of a class'),
    ),
    serviceResponse: response,
  }),
) as fc.Arbitrary<Case>

/** As many cases for each batch. Shrinking removes them one by one. */
const anyBatch = fc.array(fc.option(anyCase, { nil: undefined, freq: 100_000 }), {
  minLength: casesAtATime,
  maxLength: casesAtATime,
})

function asProperties(values: Record<string, unknown>): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(values).map(([name, plain]) => [name, { is: { plain } }]),
  )
}

let messages = 0
function makeMessage({ properties, shape }: Case): Record<string, unknown> {
  class Message {}
  const message =
    shape === 'of a class'
      ? new Message()
      : shape === 'without a prototype'
        ? Object.create(null)
        : {}
  for (const [name, property] of Object.entries(properties)) {
    Object.defineProperty(message, name, {
      enumerable: true,
      configurable: true,
      ...('is' in property
        ? { value: make(property.is), writable: true }
        : {
            get() {
              throw thrown[property.throws]()
            },
          }),
    })
  }
  message._msgid = `message-${++messages}`
  if (shape === 'frozen') Object.freeze(message)
  if (shape === 'sealed') Object.seal(message)
  return message
}

interface Sent {
  given: Case
  message: Record<string, unknown>
  before: PropertyDescriptorMap
}

async function sendEach(batch: Case[]): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const given of batch) {
    const message = makeMessage(given)
    sent.push({ given, message, before: Object.getOwnPropertyDescriptors(message) })
    live.node(given.node)!.receive(message)
    for (let turns = 0; turns < given.serviceResponse.turns; turns++) await turn()
  }
  return sent
}

async function sendAll(batch: Case[]): Promise<Sent[]> {
  const sent = await sendEach(batch)
  const isDone = ({ message }: Sent) => live.doneWith(message).length > 0
  const isIdle = () => fuzzedNodes.every(({ id }) => live.statusOf(id)?.fill !== 'blue')
  // A sound waits for the rest of its sequence, which may never arrive, and others wait behind it. A conversation waits
  // for the user.
  const collecting = ['parlando-play', 'parlando-listen', 'parlando-converse']
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

/** Finds deviations from the documentation. */
function problemsOf({ given, message, before }: Sent): string[] {
  const dones = live.doneWith(message).filter(({ node }) => node === given.node)
  if (dones.length !== 1) return [`done was called ${dones.length} times`]
  const outgoing = live
    .sentBy(given.node)
    .filter((sent) => (sent as { _msgid?: string })._msgid === before['_msgid']!.value)
  return [
    ...problemsOfError(dones[0]!),
    ...(dones[0]!.error && !outgoing.includes(message) ? changes(before, message, []) : []),
    ...outgoing.flatMap((sent) => problemsOfSent(given, before, sent, sent === message)),
  ]
}

const shapes: Record<string, (value: never) => boolean> = {
  audio: (audio: Record<string, unknown>) =>
    typeof audio['encoding'] === 'string' &&
    typeof audio['bytes'] === 'number' &&
    audio['channels'] === 1,
  chat: (chat: Record<string, unknown>) => Array.isArray(chat['toolCalls']),
  parts: (parts: Record<string, unknown>) => typeof parts === 'object',
  warnings: (warnings: unknown[]) => warnings.every((warning) => typeof warning === 'string'),
}

function problemsOfSent(
  given: Case,
  before: PropertyDescriptorMap,
  sent: object,
  isSame: boolean,
): string[] {
  const { sets } = node(given.node)
  const wrong = sets.flatMap((name) => {
    const value = Object.getOwnPropertyDescriptor(sent, name)?.value
    const isSet = value !== undefined && !Object.is(before[name]?.value, value)
    return isSet && shapes[name] && !shapes[name](value as never)
      ? [`${name} is not as documented`]
      : []
  })
  if (isSame) return [...wrong, ...changes(before, sent, sets)]
  const { bystander } = sent as { bystander?: unknown }
  const isKept = isDeepStrictEqual(bystander, before['bystander']!.value)
  return [...wrong, ...(isKept ? [] : ['a property that the node does not set has changed'])]
}

/** Node-RED removes these while it clones a message, and does not restore all of them. */
const changedByNodeRed = ['req', 'res']

/** Finds added, removed and changed properties, except those in `except`. */
function changes(before: PropertyDescriptorMap, message: object, except: string[]): string[] {
  const after = Object.getOwnPropertyDescriptors(message) as PropertyDescriptorMap
  return [...new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(after)])]
    .filter((name) => !except.includes(String(name)) && !changedByNodeRed.includes(String(name)))
    .filter((name) => !isSameProperty(before[name as string], after[name as string]))
    .map((name) => `${String(name)} has changed`)
}

function isSameProperty(one?: PropertyDescriptor, other?: PropertyDescriptor): boolean {
  return Object.is(one?.value, other?.value) && one?.get === other?.get
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
  const watchdog = watchEventLoop<Case[]>()

  const check = async (batch: (Case | undefined)[]) => {
    const given = batch.filter((one) => one !== undefined)
    scriptedResponses = given.map(({ serviceResponse }) => serviceResponse)
    if (batches++ % 20 === 0) await live.deploy(nodesFlow(server.baseUrl, key))
    live.forget()
    server.requests.length = 0
    try {
      const sent = await watchdog.watch(given, () => sendAll(given))
      expect(sent.flatMap(problemsOf)).toEqual([])
      expect(live.uncaught.filter((reason) => !isOfNodeRed(reason))).toEqual([])
      const shown = fuzzedNodes.map(({ id }) => live.statusOf(id))
      expect(shown.filter((status) => !isQuiet(status))).toEqual([])
      expect(inspect([shown, live.log], { depth: 6 })).not.toContain(key)
      expect(isDeepStrictEqual(prototypes(), untouched)).toBe(true)
      scriptedResponses = []
      await expectGoodMessages(batches % 5 ? [node('speak-chunks')] : fuzzedNodes)
    } catch (error) {
      batches = 0
      throw error
    }
  }
  await fuzz(anyBatch, check, { each: casesAtATime })
  for (const batch of watchdog.stop()) {
    await live.deploy(nodesFlow(server.baseUrl, key))
    await expectNoHold(batch)
  }
})

it('a deploy ends the work with any messages, and the nodes process the next ones', async () => {
  const server = await startService()
  const flow = nodesFlow(server.baseUrl, key)
  await live.deploy(flow)
  const check = async (batch: (Case | undefined)[]) => {
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
    await expectGoodMessages(fuzzedNodes)
  }
  await fuzz(anyBatch, check, { each: casesAtATime, share: 0.2 })
})

/** Measures the messages together, and if they hold the event loop, each one separately. */
async function expectNoHold(batch: Case[]): Promise<void> {
  if ((await holdOf(batch)) < maxHoldMs) return
  for (const given of batch)
    expect(await holdOf([given]), inspect(given, { depth: 9 })).toBeLessThan(maxHoldMs)
}

function holdOf(batch: Case[]): Promise<number> {
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

describe('a large message', () => {
  it.each(fuzzedNodes)('does not hold the event loop: $id', async ({ id, reads, good }) => {
    const server = await startService()
    scriptedResponses = []
    await live.deploy(nodesFlow(server.baseUrl, key))
    const texts = textParts.map((part) => ['payload', repeated(part, longTextCharacters)] as const)
    const properties = reads
      .filter((name) => name !== '_msgid' && name !== 'payload')
      .flatMap((name) => others.map((value) => [name, value] as const))
    for (const [name, value] of [...texts, ...properties]) {
      const held = await measureHold(() => sendAndStop(id, { ...good, [name]: value }))
      expect(held, `${name}: ${inspect(value).slice(0, 40)}`).toBeLessThan(maxHoldMs)
    }
  })
})

function repeated(part: string, characters: number): string {
  return part.repeat(characters / part.length)
}

/** Stops the work of the message after a moment: only its beginning handles all of the message at once. */
async function sendAndStop(id: string, message: object): Promise<void> {
  const running = live.node(id)!
  live.forget()
  running.receive(message)
  const isDone = () => live.doneWith(message).length > 0
  if (await until(isDone, 100)) return
  running.receive({ stop: true })
  await until(isDone)
}

/** Valid messages succeed, and speech is complete. */
async function expectGoodMessages(nodes: FuzzedNode[]) {
  live.forget()
  const given = nodes.map(({ id, good }) => {
    const message = { ...good, ...(id === 'speak-expression' && { payload: { text: 'Hello.' } }) }
    live.node(id)!.receive(message)
    return { id, message }
  })
  await until(() => given.every(({ message }) => live.doneWith(message).length > 0))
  for (const { id, message } of given) {
    expect(live.doneWith(message), id).toEqual([{ node: id, error: undefined }])
  }
  const spoken = live.sentBy('speak-chunks').map((sent) => (sent as { payload: Buffer }).payload)
  expect(Buffer.concat(spoken).equals(audio)).toBe(true)
}
