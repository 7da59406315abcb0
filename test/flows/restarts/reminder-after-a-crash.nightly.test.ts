import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { afterAll, beforeAll, expect, it } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const inject = (id: string, payload: string) => ({
  ...place,
  id,
  type: 'inject',
  props: [{ p: 'payload' }, { p: 'topic', vt: 'str' }],
  payload,
  payloadType: 'str',
  topic: 'kitchen',
  wires: [['remind']],
})
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  inject('egg', 'in ten minutes the egg'),
  inject('cake', 'in two hours the cake'),
  {
    ...place,
    id: 'remind',
    type: 'parlando-remind',
    language: 'en-US',
    timeZone: 'Europe/Berlin',
    wires: [['report'], []],
  },
  {
    ...place,
    id: 'report',
    type: 'function',
    func: 'return { payload: JSON.stringify(msg) }',
    outputs: 1,
    wires: [['messages']],
  },
  // A file, because the editor misses what happens before it is connected again.
  {
    ...place,
    id: 'messages',
    type: 'file',
    filename: 'messages.txt',
    appendNewline: true,
    overwriteFile: 'false',
    wires: [[]],
  },
]

let nodeRed: NodeRedProcess
beforeAll(async () => {
  nodeRed = await startNodeRed(flow)
})
afterAll(() => nodeRed.close())

const file = () => join(nodeRed.folder, 'parlando/reminders.json')
const saved = () => JSON.parse(readFileSync(file(), 'utf8'))
const messages = () =>
  readFileSync(join(nodeRed.folder, 'messages.txt'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const limit = { timeout: 30_000 }

it('a reminder is due after Node-RED was killed, and one that was missed says so', async () => {
  await nodeRed.inject('cake')
  await expect.poll(saved, limit).toMatchObject([{ name: 'the cake' }])
  await nodeRed.inject('egg')
  await expect.poll(saved, limit).toMatchObject([{ name: 'the cake' }, { name: 'the egg' }])
  // As if the power had been off for three hours, and the egg were due now. Until Node-RED is killed, neither is said.
  const hours = 60 * 60_000
  const [cake, egg] = saved()
  const later = [
    { ...cake, dueMs: cake.dueMs - 3 * hours },
    { ...egg, dueMs: Date.now() + 2_000 },
  ]
  writeFileSync(file(), JSON.stringify(later))

  await nodeRed.killAndRestart()
  await expect.poll(messages, limit).toHaveLength(2)
  const [late, due] = messages()
  expect(late).toMatchObject({
    topic: 'kitchen',
    payload: expect.stringMatching(/^The cake\. This reminder is late, it was due .+\.$/),
    reminder: { event: 'late', name: 'the cake' },
  })
  expect(due).toMatchObject({ topic: 'kitchen', payload: 'the egg', reminder: { event: 'due' } })
  await expect.poll(saved, limit).toEqual([])
})
