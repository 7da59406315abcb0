import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { createFakeSpeaker, provideFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { beforeEach, expect, it, vi } from 'vitest'
import { fileNameOf } from '../saved/saved-file.ts'
import { nodeCase as announce } from './announce/announce.test-case.ts'
import { nodeCase as ask } from './ask/ask.test-case.ts'
import { nodeCase as chat } from './chat/chat.test-case.ts'
import { nodeCase as readAloud } from './read-aloud/read-aloud.test-case.ts'
import { nodeCase as speak } from './speak/speak.test-case.ts'

const speaker = createFakeSpeaker('kitchen')
// Somebody could answer a question there.
speaker.driver.display = { showQuestion() {}, hideQuestion() {}, showHeard() {} }
const { load, deploy, userFolder } = useNodeRed({ afterNodes: () => provideFakeSpeaker(speaker) })
const folder = join(userFolder, 'parlando')
beforeEach(() => rmSync(folder, { recursive: true, force: true }))

const tomorrow = Date.now() + 86_400_000
const message = { payload: 'Is the oven off?' }
/** What the nodes have saved, by its file. Nothing of it is due. */
const entries = {
  reminders: {
    nodeId: 'remind',
    name: 'oven',
    setMs: 0,
    dueMs: tomorrow,
    timeZone: 'UTC',
    language: 'en-US',
    message: {},
  },
  alarms: { nodeId: 'announce', message, text: 'Fire!', times: 1, againAt: tomorrow },
  questions: { nodeId: 'ask', message },
  readings: { nodeId: 'read-aloud', message: {}, sentences: ['One.', 'Two.'] },
  'reading-positions': { nodeId: 'read-aloud', index: 1, order: 0, hasBegun: true, isPaused: true },
  'long-texts': {
    nodeId: 'speak',
    message: {},
    request: { voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig: { audioEncoding: 'PCM' } },
    parts: [{ text: 'One.' }],
    jobNames: ['ttsAsyncJobs/1/operations/1'],
    isPaused: true,
  },
}
const files = Object.keys(entries)
const everything = [...files, 'budgets', 'conversations']
const conversations = join('conversations', fileNameOf('chat'))
const path = (name: string) => join(folder, `${name}.json`)
const read = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'))

function writeEverything() {
  const texts = { budgets: { service: {} }, [conversations]: [] }
  const lists = Object.entries(entries).map(([name, entry]) => [name, [{ id: name, ...entry }]])
  for (const [name, value] of Object.entries({ ...texts, ...Object.fromEntries(lists) })) {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), JSON.stringify(value))
  }
}

/** The names of the files that hold something of a node. */
const kept = () => [
  ...files.filter((name) => read(name).length > 0),
  ...(Object.keys(read('budgets')).length > 0 ? ['budgets'] : []),
  ...(existsSync(path(conversations)) ? ['conversations'] : []),
]

/** A flow with each node that saves something, and a service that makes no sound and has not done the job of a long text. */
async function createFlow() {
  const { baseUrl } = await startTestServer((response, { url = '' }) => {
    if (url.includes('/operations/')) response.end('{"name":"ttsAsyncJobs/1","done":false}')
  })
  const node = (type: string, { settings }: { settings: object }, more: object = {}) => ({
    ...settings,
    id: type,
    z: 'tab',
    type: `parlando-${type}`,
    service: 'service',
    wires: [],
    ...more,
  })
  return [
    { id: 'tab', type: 'tab' },
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
    node('remind', { settings: { timeZone: 'UTC' } }, { wires: [[], ['answers']] }),
    { id: 'answers', z: 'tab', type: 'helper' },
    node('announce', announce),
    node('ask', ask, { untilAnswered: true }),
    node('read-aloud', readAloud),
    node('speak', speak, { output: 'whole' }),
    node('chat', chat, { keep: true }),
  ]
}

/** What a user can do in the editor. */
const disabled = {
  'its tab': (flow: object[]) =>
    flow.map((node) => ('z' in node || 'baseUrl' in node ? node : { ...node, disabled: true })),
  'each node': (flow: object[]) =>
    flow.map((node) => ('z' in node || 'baseUrl' in node ? { ...node, d: true } : node)),
}

const start = async () => {
  const flow = await createFlow()
  writeEverything()
  const { node } = await load(flow, { service: { apiKey: 'key' } })
  return { flow, node }
}
const deleteAll = async () => {
  await deploy([{ id: 'another tab', type: 'tab' }])
  await vi.waitFor(() => expect(kept()).toEqual([]))
}

it.each(['its tab', 'each node'] as const)(
  'what a node has saved is there again if a user disables %s, and enables it later',
  async (what) => {
    const { flow, node } = await start()
    await deploy(disabled[what](flow))
    expect(node('remind')).toBeNull()
    expect(kept()).toEqual(everything)
    await deploy(flow)
    expect(kept()).toEqual(everything)
    const answered = vi.fn()
    node('answers').on('input', answered)
    node('remind').receive({ payload: 'how long is left?' })
    await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce())
    expect(answered.mock.calls[0]![0]).toMatchObject({
      reminder: { event: 'listed', name: 'oven' },
    })
    await deleteAll()
  },
)

it('what a node has saved is removed if a user deletes it after it was disabled', async () => {
  const { flow } = await start()
  await deploy(disabled['each node'](flow))
  expect(kept()).toEqual(everything)
  await deleteAll()
})

it('what a node in a subflow has saved follows the instance of the subflow', async () => {
  writeEverything()
  const entry = { id: 'one', ...entries.reminders, nodeId: 'instance-remind' }
  writeFileSync(path('reminders'), JSON.stringify([entry]))
  const instance = { id: 'instance', type: 'subflow:sub', z: 'tab', wires: [] }
  const flow = [
    { id: 'tab', type: 'tab' },
    { id: 'sub', type: 'subflow', name: 'Sub', in: [], out: [] },
    { id: 'remind', type: 'parlando-remind', z: 'sub', timeZone: 'UTC', wires: [] },
  ]
  await load([...flow, instance])
  await deploy([...flow, { ...instance, d: true }])
  expect(read('reminders')).toHaveLength(1)
  await deploy([...flow, instance])
  expect(read('reminders')).toHaveLength(1)
  await deploy(flow)
  await vi.waitFor(() => expect(read('reminders')).toEqual([]))
})
