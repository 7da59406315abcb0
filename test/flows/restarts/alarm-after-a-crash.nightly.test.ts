import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { afterAll, beforeAll, expect, it } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const inject = { ...place, type: 'inject', wires: [['announce']] }
/** Writes files, because the editor misses what happens before it is connected again. */
const file = (id: string) => ({
  ...place,
  id,
  type: 'file',
  filename: `${id}.txt`,
  appendNewline: true,
  overwriteFile: 'false',
  wires: [[]],
})
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'kitchen', type: 'parlando-speaker', kind: 'another-node', name: 'Kitchen' },
  { ...inject, id: 'smoke', props: [{ p: 'payload' }], payload: 'Smoke!', payloadType: 'str' },
  {
    ...inject,
    id: 'acknowledge',
    props: [{ p: 'acknowledge', v: 'true', vt: 'bool' }],
  },
  {
    ...place,
    id: 'announce',
    type: 'parlando-announce',
    speaker: 'kitchen',
    priority: 'alarm',
    untilAcknowledged: true,
    everySeconds: '60',
    chime: false,
    outputs: 3,
    wires: [['report'], ['report'], ['fetch']],
  },
  // A player.
  { ...place, id: 'fetch', type: 'http request', method: 'GET', ret: 'bin', wires: [['play']] },
  {
    ...place,
    id: 'play',
    type: 'function',
    func: 'return { played: true, url: msg.url, payload: msg.url }',
    outputs: 1,
    wires: [['announce', 'plays']],
  },
  {
    ...place,
    id: 'report',
    type: 'function',
    func: 'return { payload: JSON.stringify(msg.announcement) }',
    outputs: 1,
    wires: [['reports']],
  },
  file('plays'),
  file('reports'),
]

let nodeRed: NodeRedProcess
beforeAll(async () => {
  nodeRed = await startNodeRed(flow)
})
afterAll(() => nodeRed.close())

/** The complete lines: a new file is empty at first. */
const linesOf = (name: string) =>
  readFileSync(join(nodeRed.folder, name), 'utf8').split('\n').slice(0, -1)
const savedAlarms = () =>
  JSON.parse(readFileSync(join(nodeRed.folder, 'parlando/alarms.json'), 'utf8'))
const limit = { timeout: 30_000 }

it('an alarm is said once more after Node-RED was killed, and counts how often it was said before', async () => {
  await nodeRed.inject('smoke')
  await expect.poll(savedAlarms, limit).toMatchObject([{ text: 'Smoke!', times: 1 }])
  await expect.poll(() => linesOf('plays.txt'), limit).toHaveLength(1)

  await nodeRed.killAndRestart()
  await expect.poll(savedAlarms, limit).toMatchObject([{ text: 'Smoke!', times: 2 }])
  await expect.poll(() => linesOf('plays.txt'), limit).toHaveLength(2)

  await nodeRed.inject('acknowledge')
  await expect.poll(() => linesOf('reports.txt'), limit).toHaveLength(1)
  expect(JSON.parse(linesOf('reports.txt')[0]!)).toMatchObject({
    status: 'said',
    acknowledged: true,
    times: 2,
  })
  expect(linesOf('plays.txt')).toHaveLength(2)
  await expect.poll(savedAlarms, limit).toEqual([])

  await nodeRed.killAndRestart()
  expect(savedAlarms()).toEqual([])
})
