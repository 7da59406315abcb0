import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FlowNode, nodeNamed, readExample } from '@parlando/test-support/node-red/example'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { type Mosquitto, startMosquitto } from '@parlando/test-support/programs/mosquitto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const jobCount = 1000
const names = ['one', 'two', 'three']
const place = { x: 0, y: 0, z: 'tab' }
const folder = await mkdtemp(join(tmpdir(), 'parlando-several-'))
/** Its file is complete also after a kill, because it is written before the next message. */
const record = (id: string, line: string, result = 'null') => ({
  ...place,
  id,
  type: 'function',
  libs: [{ var: 'fs', module: 'node:fs' }],
  func: `fs.appendFileSync('${join(folder, id)}', JSON.stringify(${line}) + '\\n'); return ${result}`,
  outputs: 1,
  wires: [['parlando-24-announce']],
})

/** The worker of example 24 with a player that has finished at once. */
function workerFlow(port: number, name: string): FlowNode[] {
  const flow = readExample('24 - Say shared announcements.json')
  nodeNamed(flow, 'Broker of all Node-REDs')['port'] = String(port)
  const announce = nodeNamed(flow, 'announce')
  Object.assign(announce, { speaker: 'room', chime: 'none', outputs: 3 })
  announce.wires!.push([`played by ${name}`])
  return [
    ...flow,
    { id: 'tab', type: 'tab', label: 'Player' },
    { id: 'room', type: 'parlando-speaker', kind: 'another-node', name: 'Room' },
    record(
      `played by ${name}`,
      '{ ...msg.job, url: msg.payload }',
      '{ played: true, url: msg.payload }',
    ),
  ]
}

/** The sender of example 23 with a button that sends all jobs, and a record of what it publishes. */
function senderFlow(port: number): FlowNode[] {
  const flow = readExample('23 - Share announcements.json')
  nodeNamed(flow, 'Broker of all Node-REDs')['port'] = String(port)
  nodeNamed(flow, 'deadline')['timeout'] = '10'
  nodeNamed(flow, 'send, and repeat').wires![0]!.push('published')
  nodeNamed(flow, 'send, and repeat').wires![1]!.push('finished')
  return [
    ...flow,
    record('published', 'msg.payload'),
    record('finished', 'msg.payload'),
    { ...place, id: 'start', type: 'inject', props: [], wires: [['all jobs']] },
    {
      ...place,
      id: 'all jobs',
      type: 'function',
      // One text, whose sound is kept: nothing here depends on what it says.
      func: `for (let number = 1; number <= ${jobCount}; number++) node.send({ payload: 'Dinner' })`,
      outputs: 1,
      wires: [['parlando-23-jobs']],
    },
  ]
}

interface Entry {
  id: string
  round: number
  status?: string
}
/** What a function node has recorded, line by line. */
function linesOf(id: string): Entry[] {
  const file = join(folder, id)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

describe('three Node-REDs that share announcements over a real broker', needs('mosquitto'), () => {
  let broker: Mosquitto
  let nodeReds: NodeRedProcess[] = []
  beforeAll(async () => {
    broker = (await startMosquitto())!
    const flows = names.map((name) => workerFlow(broker.port, name))
    flows[0]!.push(...senderFlow(broker.port))
    nodeReds = await Promise.all(flows.map((flow) => startNodeRed(flow)))
  }, 120_000)
  afterAll(async () => {
    await Promise.all(nodeReds.map((nodeRed) => nodeRed.close()))
    await broker?.close()
    await rm(folder, { recursive: true })
  })

  it('say each of 1,000 jobs once, although one of them is killed in the middle', async () => {
    const [sender, killed] = nodeReds as [NodeRedProcess, NodeRedProcess]
    const connections = () =>
      nodeReds.map((nodeRed) => nodeRed.log().split('Connected to broker').length - 1)
    await expect.poll(connections, { timeout: 60_000 }).toEqual([2, 1, 1])
    await sender.inject('start')
    await expect
      .poll(() => linesOf('played by two').length, { timeout: 120_000 })
      .toBeGreaterThan(100)
    await killed.killAndRestart()
    const finished = () => linesOf('finished')
    await expect.poll(() => finished().length, { timeout: 300_000 }).toBe(jobCount)

    expect(new Set(finished().map(({ id }) => id)).size).toBe(jobCount)
    expect(finished().filter(({ status }) => status !== 'said')).toEqual([])
    const played = names.flatMap((name) => linesOf(`played by ${name}`))
    // Only what the killed one was just saying, or had said without answering yet, may be heard twice.
    const secondRounds = played.filter(({ round }) => round > 1)
    expect(secondRounds.length).toBeLessThanOrEqual(1)
    const firstRounds = played.filter(({ round }) => round === 1)
    expect(new Set(firstRounds.map(({ id }) => id)).size).toBe(firstRounds.length)
    expect(new Set(played.map(({ id }) => id)).size).toBe(jobCount)
    // The sender has repeated jobs that were still waiting, and none of them was said twice.
    expect(linesOf('published').length - jobCount).toBeGreaterThan(100)
  }, 500_000)
})
