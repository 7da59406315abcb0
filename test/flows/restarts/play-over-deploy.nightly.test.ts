import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { afterAll, beforeAll, expect, it } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
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
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'kitchen', type: 'parlando-speaker', kind: 'another-node', name: 'Kitchen' },
  {
    ...place,
    id: 'inject',
    type: 'inject',
    props: [{ p: 'topic', vt: 'str', v: 'bell' }],
    wires: [['sound']],
  },
  {
    ...place,
    id: 'sound',
    type: 'function',
    // Ten seconds of silence.
    func: "return { ...msg, payload: Buffer.alloc(480000), audio: { encoding: 'PCM' } }",
    outputs: 1,
    wires: [['play']],
  },
  {
    ...place,
    id: 'play',
    type: 'parlando-play',
    speaker: 'kitchen',
    outputs: 2,
    wires: [['heard'], ['handed']],
  },
  ...record('heard', "return { payload: 'heard' }"),
  ...record('handed', "return { payload: 'handed out' }"),
  { ...place, id: 'catch', type: 'catch', scope: ['play'], wires: [['caught']] },
  ...record(
    'caught',
    'return { payload: JSON.stringify({ topic: msg.topic, error: msg.error.message }) }',
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

it('Catch receives the sound that a full deploy has cut, when the flow has started again', async () => {
  await nodeRed.inject('inject')
  await expect.poll(() => linesOf('handed.txt'), limit).toHaveLength(1)
  await nodeRed.deploy(flow)
  await expect.poll(() => linesOf('caught.txt'), limit).toHaveLength(1)
  expect(JSON.parse(linesOf('caught.txt')[0]!)).toEqual({
    topic: 'bell',
    error: 'The sound was not played: ended by a deploy',
  })
  expect(linesOf('heard.txt')).toEqual([])
})
