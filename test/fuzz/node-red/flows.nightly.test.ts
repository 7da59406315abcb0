import type { FlowNode } from '@parlando/test-support/node-red/example'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer, type TestServer } from '@parlando/test-support/servers/test-server'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { cases, fuzz } from '../cases.ts'
import { problemsOfError } from '../checks/error-problems.ts'
import { type EventLoopWatch, watchEventLoop } from '../checks/event-loop-watch.ts'
import {
  anyFlow,
  anyLocation,
  type FlowCase,
  makeFlow,
  needsOwnDeploy,
} from '../inputs/flow-cases.ts'
import { respondTo } from '../inputs/service-responses.ts'
import { type LogEntry, useLiveNodeRed } from '../setups/live-node-red.ts'
import { fuzzedNodes } from '../setups/nodes-flow.ts'
import { turn, until } from '../setups/wait.ts'
import type { Done } from '../setups/watched-messages.ts'

/** Cases that are deployed together, each with its own ids. Flows that could stop the others are deployed separately. */
const casesAtATime = 25

const live = useLiveNodeRed()

/** A flow that must keep working next to the changed flows. */
const bystander = (baseUrl: string): FlowNode[] => [
  { id: 'bystander-tab', type: 'tab' },
  {
    id: 'bystander-service',
    type: 'parlando-service',
    location: 'hosted',
    baseUrl,
    credentials: { apiKey: keys.service },
  },
  {
    ...fuzzedNodes[0]!.settings,
    id: 'bystander',
    type: 'parlando-speak',
    z: 'bystander-tab',
    x: 0,
    y: 0,
    service: 'bystander-service',
    wires: [],
  },
]

/** A valid message for one of our nodes. */
function messageFor({ type }: FlowNode): object {
  return { ...fuzzedNodes.find((node) => node.type === type)!.good }
}

/** Deploys the flows next to the bystander. @returns whether Node-RED accepts them. */
function deploy(flows: FlowNode[][], baseUrl: string): Promise<boolean> {
  const needed = ['bystander', 'bystander-service']
  return live.deploy([...flows.flat(), ...bystander(baseUrl)], needed)
}

interface Sent {
  id: string
  message: object
}

/**
 * An announcement or a question may be repeated until somebody reacts, and others wait behind it. A conversation waits for the
 * user, and a text whose flow pauses it for the flow.
 */
const waiting = new Set([
  'parlando-announce',
  'parlando-ask',
  'parlando-play',
  'parlando-converse',
  'parlando-read-aloud',
])

/** Sends a message to each of our nodes, and waits until all are done. */
async function sendMessages(flows: FlowNode[][], baseUrl: string): Promise<Sent[]> {
  const nodes = flows.flat().filter(({ type }) => fuzzedNodes.some((node) => node.type === type))
  const sent = [...nodes, bystander(baseUrl).at(-1)!].flatMap((node) => {
    const running = live.node(node.id)
    // Another node may have taken its id.
    if (running?.type !== node.type) return []
    const message = messageFor(node)
    running.receive(message)
    return [{ id: running.id, message }]
  })
  const isDone = ({ message }: Sent) => live.messages.doneWith(message).length > 0
  const mayWait = ({ id }: Sent) => waiting.has(live.node(id)?.type ?? '')
  await until(() => sent.every((one) => isDone(one) || mayWait(one)))
  if (!(await until(() => sent.every(isDone), 200))) {
    for (const { id } of sent.filter(mayWait)) live.node(id)?.receive({ stop: true })
    await until(() => sent.every(isDone))
  }
  for (let turns = 0; turns < 3; turns++) await turn()
  return sent
}

type Watchdog = EventLoopWatch<FlowNode[][]>

/** Deploys the flows and sends a message to each of our nodes. @returns the problems. */
async function tryFlows(
  flows: FlowNode[][],
  baseUrl: string,
  watchdog: Watchdog,
): Promise<string[] | 'rejected'> {
  live.forget()
  if (!(await deploy(flows, baseUrl))) return 'rejected'
  const sent = await watchdog.watch(flows, () => sendMessages(flows, baseUrl))
  const ends = sent.flatMap(({ id, message }) => {
    const dones = live.messages.doneWith(message).filter((done) => done.node === id)
    const isOnce = dones.length > 0 && dones.length <= live.messages.timesReceived(message, id)
    const problems = isOnce
      ? dones.flatMap(problemsOfEnd)
      : [`done was called ${dones.length} times`]
    if (id === 'bystander' && dones[0]?.error) problems.push(`failed: ${dones[0].error}`)
    return problems.map((problem) => `${id}: ${problem}`)
  })
  return [
    ...ends,
    ...live.log.flatMap(problemsOfEntry),
    ...live.uncaught.flatMap(problemsOfUncaught),
  ]
}

/** Measures the flows together, and if they hold the event loop, each one separately. */
async function expectNoHold(flows: FlowNode[][], baseUrl: string): Promise<void> {
  const holdOf = async (some: FlowNode[][]) => {
    await deploy(some, baseUrl)
    return measureHold(() => sendMessages(some, baseUrl))
  }
  if ((await holdOf(flows)) < maxHoldMs) return
  for (const flow of flows) {
    expect(await holdOf([flow]), JSON.stringify(flow)).toBeLessThan(maxHoldMs)
  }
}

/** A constructor may throw only in Node-RED's own part, and the previous deploy must have completed. */
function problemsOfEntry({ type, path, msg }: LogEntry & { path?: string }): string[] {
  if (!type?.startsWith('parlando-')) return []
  // A debug node converts the errors of the log to JSON.
  const stack = String((msg as Error).stack ?? msg).replaceAll('\\n', '\n')
  const isThrown = path === undefined && isOurs(stack)
  return isThrown || stack.includes('Close timed out') ? [`${type} has logged: ${stack}`] : []
}

/** Errors about invalid settings must be understandable without programming. */
function problemsOfEnd(done: Done): string[] {
  const { message = '' } = done.error ?? {}
  const isForProgrammers = /is not (a function|iterable)|^Cannot (?!read the )|is not defined/.test(
    message,
  )
  return [...problemsOfError(done), ...(isForProgrammers ? [message] : [])]
}

function problemsOfUncaught(reason: unknown): string[] {
  const stack = (reason as Error)?.stack
  // Errors that Node-RED's own nodes throw for invalid settings do not count.
  return stack === undefined || isOurs(stack) ? [`uncaught: ${stack ?? String(reason)}`] : []
}

function isOurs(stack: string): boolean {
  return /packages\/(core|local-service|node-red-nodes)\//.test(
    stack.split('\n').find((line) => /^ +at (?!.*node:)/.test(line)) ?? '',
  )
}

async function startService(): Promise<TestServer> {
  const valid = { kind: 'valid', status: 200, body: '', turns: 0 } as const
  return startTestServer((response, request) => respondTo(valid, request, response))
}

let before: string[] = []
beforeAll(() => {
  before = process.getActiveResourcesInfo()
})

const timers = (resources: string[]) => resources.filter((name) => name === 'Timeout').length

/** All processes, connections and timers of the flows have ended. */
async function expectNothingLeft(server: TestServer) {
  await live.deploy([])
  // Idle connections close after a few seconds.
  expect(await until(() => server.openSockets() === 0, 2000)).toBe(true)
  expect(await until(() => timers(process.getActiveResourcesInfo()) <= timers(before))).toBe(true)
  expect(await until(() => runningChildProcesses().length === 0)).toBe(true)
}

let rejected = 0
async function check(
  flows: FlowCase[],
  server: TestServer,
  watchdog: Watchdog,
  allowsDevice = false,
) {
  const service = { baseUrl: server.baseUrl, apiKey: keys.service, allowsDevice }
  const make = (flow: FlowCase, index: number) => makeFlow(flow, `copy${index}`, service)
  server.requests.length = 0
  const together = flows.filter((flow) => !needsOwnDeploy(flow))
  const separate = flows.filter(needsOwnDeploy)
  const problems = await tryFlows(together.map(make), server.baseUrl, watchdog)
  // One invalid flow makes Node-RED reject all of them.
  if (problems === 'rejected') separate.push(...together)
  else expect(problems).toEqual([])
  for (const flow of separate) {
    const found = await tryFlows([make(flow, 0)], server.baseUrl, watchdog)
    if (found === 'rejected') rejected += 1
    else expect(found).toEqual([])
  }
}

function severalOf(flow: fc.Arbitrary<FlowCase>, count: number) {
  const slot = fc.option(flow, { nil: undefined, freq: 100_000 })
  return fc
    .array(slot, { minLength: count, maxLength: count })
    .map((slots) => slots.filter((one) => one !== undefined))
}

it('runs flows with any JSON in any field without harm to other flows, and releases all resources', async () => {
  const server = await startService()
  const watchdog = watchEventLoop<FlowNode[][]>()
  await fuzz(severalOf(anyFlow, casesAtATime), (flows) => check(flows, server, watchdog), {
    each: casesAtATime,
  })
  for (const some of watchdog.stop()) await expectNoHold(some, server.baseUrl)
  expect(rejected).toBeLessThan(cases / 4)
  await expectNothingLeft(server)
})

it('runs flows with a service on this device or elsewhere, and stops every process', async () => {
  const server = await startService()
  const watchdog = watchEventLoop<FlowNode[][]>()
  await fuzz(severalOf(anyLocation, 5), (flows) => check(flows, server, watchdog, true), {
    each: 5,
    share: 0.002,
  })
  for (const some of watchdog.stop()) await expectNoHold(some, server.baseUrl)
  await expectNothingLeft(server)
})
