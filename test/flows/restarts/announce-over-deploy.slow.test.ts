import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { afterAll, beforeAll, expect, it } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const inject = (id: string, payload: string) => ({
  ...place,
  id,
  type: 'inject',
  props: [{ p: 'payload' }],
  payload,
  payloadType: 'str',
  wires: [['announce']],
})
/** Writes a line to a file, because the editor misses what happens before it is connected again. */
const record = (id: string, func: string) => [
  { ...place, id, type: 'function', func, outputs: 1, wires: [[`${id} file`]] },
  {
    ...place,
    id: `${id} file`,
    type: 'file',
    filename: `${id}.txt`,
    appendNewline: true,
    overwriteFile: 'false',
    wires: [[]],
  },
]
const longText = 'A long text that takes some seconds until it was heard to its end.'
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  // Its player fetches each sound, and plays it for a while.
  { id: 'kitchen', type: 'parlando-speaker', kind: 'another-node', name: 'Kitchen' },
  inject('long', longText),
  inject('short', 'Waits.'),
  {
    ...place,
    id: 'announce',
    type: 'parlando-announce',
    speaker: 'kitchen',
    chime: false,
    outputs: 3,
    wires: [['reports'], ['reports'], ['fetch']],
  },
  {
    ...place,
    id: 'fetch',
    type: 'http request',
    method: 'GET',
    ret: 'bin',
    wires: [['fetched']],
  },
  ...record('fetched', "return { payload: 'fetched' }"),
  ...record(
    'reports',
    'return { payload: JSON.stringify({ text: msg.payload, ...msg.announcement }) }',
  ),
]

let nodeRed: NodeRedProcess
beforeAll(async () => {
  nodeRed = await startNodeRed(flow)
})
afterAll(() => nodeRed.close())

const linesOf = (name: string) => {
  try {
    return readFileSync(join(nodeRed.folder, name), 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}
const limit = { timeout: 30_000 }

it('what a full deploy has cut leaves at the second output, when the flow has started again', async () => {
  await nodeRed.inject('long')
  await expect.poll(() => linesOf('fetched.txt'), limit).toHaveLength(1)
  await nodeRed.inject('short')
  await nodeRed.deploy(flow)
  await expect.poll(() => linesOf('reports.txt'), limit).toHaveLength(2)
  const reports = linesOf('reports.txt').map((line) => JSON.parse(line))
  const cut = { status: 'not said', reason: 'deploy' }
  expect(reports).toMatchObject([cut, cut])
  expect(reports.map(({ text }) => text).sort()).toEqual([longText, 'Waits.'])
})
