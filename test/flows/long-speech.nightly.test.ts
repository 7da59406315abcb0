import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient, type SpeechSocket } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { type FastPage, openFastPage } from '@parlando/test-support/speakers/fast-page'
import { afterAll, beforeAll, expect, it } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const speech = { voice: 'Clara', model: 'svc-tts-2', text: 'payload', textType: 'msg' }
const receive = (id: string, target: string) => [
  { ...place, id, type: 'http in', url: `/${id}`, method: 'post', wires: [[target, 'respond']] },
]
const file = (id: string) => ({
  ...place,
  id,
  type: 'file',
  filename: `${id}.txt`,
  appendNewline: true,
  overwriteFile: 'false',
  wires: [[]],
})
const record = (id: string, func: string) => [
  { ...place, id: `to ${id}`, type: 'function', func, outputs: 1, wires: [[id]] },
  file(id),
]
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'kitchen', type: 'parlando-speaker', kind: 'page', name: 'Kitchen', leadOut: '0' },
  ...receive('article', 'article text'),
  ...receive('question', 'question text'),
  ...['article', 'question'].map((id) => ({
    ...place,
    id: `${id} text`,
    type: 'function',
    func: 'return { payload: msg.payload.text }',
    outputs: 1,
    wires: [[id === 'article' ? 'announce' : 'chat']],
  })),
  { ...place, id: 'respond', type: 'http response', statusCode: '200', wires: [] },
  {
    ...place,
    ...speech,
    id: 'announce',
    type: 'parlando-announce',
    speaker: 'kitchen',
    chime: false,
    wires: [['to reports'], ['to reports'], []],
  },
  ...record('reports', 'return { payload: JSON.stringify(msg.announcement) }'),
  {
    ...place,
    id: 'chat',
    type: 'parlando-chat',
    output: 'sentences',
    wires: [['speak', 'to sentences']],
  },
  ...record('sentences', 'return msg.payload && { payload: msg.payload }'),
  {
    ...place,
    ...speech,
    id: 'speak',
    type: 'parlando-speak',
    encoding: 'PCM',
    sampleRate: '24000',
    output: 'chunks',
    wires: [['play']],
  },
  { ...place, id: 'play', type: 'parlando-play', speaker: 'kitchen', wires: [['to played']] },
  ...record('played', 'return { payload: String(msg.parts.index) }'),
  { ...place, id: 'catch', type: 'catch', scope: null, wires: [['to failures']] },
  ...record('failures', 'return { payload: msg.error.message }'),
]

let service: LocalService
let client: Client
let nodeRed: NodeRedProcess
let page: FastPage
beforeAll(async () => {
  service = await startLocalService({ warmUp: false })
  client = createClient({ baseUrl: service.baseUrl })
  nodeRed = await startNodeRed(flow)
  page = await openFastPage(nodeRed.baseUrl, 'kitchen')
})
afterAll(async () => {
  page?.close()
  await nodeRed?.close()
  await client?.close()
  await service?.close()
})

const linesOf = (name: string) => {
  try {
    return readFileSync(join(nodeRed.folder, `${name}.txt`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}
const post = (path: string, text: string) =>
  fetch(`${nodeRed.baseUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
const voice = {
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
} as const

/** Compares with what the service makes of the text, without keeping either. */
async function expectArticle(heard: AsyncIterator<Buffer>, text: string): Promise<void> {
  let rest = Buffer.alloc(0)
  let position = 0
  for await (const { audio } of client.synthesizeStream({ ...voice, text })) {
    while (rest.length < audio.length) {
      const { value, done } = await heard.next()
      if (done) throw new Error(`the sound ends after ${position} bytes`)
      rest = Buffer.concat([rest, value])
    }
    if (Buffer.compare(rest.subarray(0, audio.length), audio) !== 0)
      throw new Error(`another sound was heard at byte ${position}`)
    rest = rest.subarray(audio.length)
    position += audio.length
  }
  expect(rest.length).toBe(0)
  // The page reports the end of the last sound.
  expect(await heard.next()).toMatchObject({ done: true })
}

/** What *speak* makes of a sentence: usually through the socket that all sentences share, else with a request. */
async function speechOf(socket: SpeechSocket, text: string): Promise<Buffer[]> {
  const context = socket.context(voice)
  context.write(text)
  context.end()
  const chunks: Uint8Array[] = []
  for await (const { audio } of context) chunks.push(audio)
  const { audio } = await client.synthesize({ ...voice, text })
  return [Buffer.concat(chunks), Buffer.from(audio)]
}

async function expectSentences(sounds: AsyncIterator<Buffer>, texts: string[]): Promise<void> {
  const chunks: Buffer[] = []
  for (;;) {
    const { value, done } = await sounds.next()
    if (done) break
    chunks.push(value)
  }
  let rest = Buffer.concat(chunks)
  const socket = client.speechSocket()
  for (const text of texts) {
    const candidates = await speechOf(socket, text)
    const heard = candidates.find((audio) => audio.equals(rest.subarray(0, audio.length)))
    if (!heard) throw new Error(`another sound was heard instead of: ${text}`)
    rest = rest.subarray(heard.length)
  }
  await socket.close()
  expect(rest.length).toBe(0)
}

const minutes = 60
const maxGrowthBytes = 150 * 1024 * 1024

it('an article is heard whole and in order, in a limited amount of memory', {
  timeout: 1_200_000,
}, async () => {
  const paragraph = (index: number) =>
    `This is paragraph ${index}. The north wind and the sun were arguing which of them was stronger, when a traveller arrived in a warm coat. `
  const count = Math.ceil((minutes * 60 * 15.5) / paragraph(100).length)
  const article = Array.from({ length: count }, (_, index) => paragraph(index + 1)).join('')
  const before = nodeRed.residentBytes()
  let highest = before
  const watch = setInterval(() => {
    highest = Math.max(highest, nodeRed.residentBytes())
  }, 100)
  try {
    await post('article', article)
    await expectArticle(page.nextSounds(1), article)
    await expect.poll(() => linesOf('reports'), { timeout: 60_000 }).toHaveLength(1)
  } finally {
    clearInterval(watch)
  }
  const report = JSON.parse(linesOf('reports')[0]!)
  expect(report).toMatchObject({ status: 'said', times: 1 })
  expect(report.durationSeconds).toBeGreaterThan(minutes * 40)
  expect(highest - before).toBeLessThan(maxGrowthBytes)
})

it('an answer of 200 sentences is heard whole and in order', { timeout: 600_000 }, async () => {
  const question = Array.from({ length: 200 }, (_, index) => `This is sentence ${index + 1}.`)
  await post('question', question.join(' '))
  await expect.poll(() => linesOf('sentences').join(' '), { timeout: 60_000 }).toContain('200.')
  const sentences = linesOf('sentences')
  expect(sentences.join(' ')).toContain(question.join(' '))
  await expectSentences(page.nextSounds(sentences.length), sentences)
  const all = sentences.map((_, index) => String(index))
  await expect.poll(() => linesOf('played').slice(0, all.length), { timeout: 60_000 }).toEqual(all)
  expect(linesOf('failures')).toEqual([])
  await expect.poll(() => nodeRed.statuses('play').at(-1)).toMatch(/^played/)
})
