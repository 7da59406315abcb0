import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { type FlowNode, nodeNamed } from '@parlando/test-support/node-red/example'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { chatEnd, chatEvent } from '@parlando/test-support/servers/chat-events'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import {
  createFakeSpeaker,
  type FakePlayback,
  provideFakeSpeaker,
} from '@parlando/test-support/speakers/fake-speaker'
import { expect, it } from 'vitest'

/**
 * Flows that users saved with earlier versions, as they were: examples of three points in time. The first says `beside` for
 * *parallel*, and none has a setting that was added later.
 */
const folder = new URL('../../../test-support/src/node-red/earlier-flows/', import.meta.url)

const speaker = createFakeSpeaker('kitchen')
speaker.isInstant = true
const { load } = useNodeRed({ afterNodes: () => provideFakeSpeaker(speaker) })

const voices = JSON.stringify({ voices: [{ voiceId: 'Clara', langCode: 'EN_US' }] })

/** Loads an earlier flow with a simulated service. Nodes of Node-RED that make or show messages keep what they receive. */
async function loadEarlier(name: string, respond: Parameters<typeof startTestServer>[0]) {
  const saved: FlowNode[] = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
  const server = await startTestServer((response, request, bytes) =>
    request.method === 'GET' ? void response.end(voices) : respond(response, request, bytes),
  )
  const service = { id: 'service', type: 'parlando-service', location: 'hosted' }
  const flow = saved
    .filter(({ type }) => type !== 'tab' && type !== 'parlando-service')
    .map((node) => ({ ...node, z: 'tab', ...('service' in node && { service: 'service' }) }))
    .map((node) => (/^(parlando-|join$)/.test(node.type) ? node : { ...node, type: 'helper' }))
  const loaded = await load([...flow, { ...service, baseUrl: server.baseUrl }], {
    service: { apiKey: 'key' },
  })
  const idOf = (node: string) => nodeNamed(saved, node).id
  return {
    ...loaded,
    server,
    idOf,
    textOf: (node: string): string => nodeNamed(saved, node)['payload'],
    spokenTexts: () =>
      server.requests.flatMap(({ body }) => (body as { text?: string }).text ?? []),
  }
}

const audio = tone({ seconds: 0.3, hertz: 440, sampleRateHertz: 24_000 })

it('chunks of a text go to its file, and requests of a page are spoken in parallel', async () => {
  const pages: ServerResponse[] = []
  const flow = await loadEarlier('chunks-and-page', (response) => {
    response.write(audioLine(audio))
    // Those of the page end later.
    if (pages.length > 0 || flow.spokenTexts().length > 1) pages.push(response)
    else response.end(audioLine(audio))
  })
  const text = flow.textOf('write while it is spoken')
  flow.node(flow.idOf('speak in chunks')).receive({ payload: text })
  const chunks = await flow.waitFor('parlando-02-file', 3)
  expect(chunks.at(-1)).toMatchObject({ complete: true, parts: { count: 3 } })
  const written = Buffer.concat(chunks.map(({ payload }) => payload as Buffer))
  expect(written.equals(Buffer.concat([audio, audio]))).toBe(true)

  for (const word of ['One.', 'Two.']) {
    flow.node(flow.idOf('speak in one piece')).receive({ payload: { text: word } })
  }
  await expect.poll(() => pages.length).toBe(2)
  for (const response of pages) response.end()
  const whole = await flow.waitFor('parlando-02-say-out', 2)
  expect(whole.every(({ payload }) => audio.equals(payload as Buffer))).toBe(true)
  expect(flow.spokenTexts().sort()).toEqual([text, 'One.', 'Two.'].sort())
})

it('announcements are heard in their order', async () => {
  const flow = await loadEarlier(
    'home-announcement',
    (response) => void response.end(audioLine(audio)),
  )
  const texts = ['front door opens', 'the dishwasher is done', 'water in the cellar'].map(
    flow.textOf,
  )
  for (const payload of texts) {
    flow.node(flow.idOf('announce')).receive({ payload, topic: payload })
  }
  const said = await flow.waitFor(flow.idOf('said'), 3)
  expect(said.map(({ topic }) => topic)).toEqual(texts)
  expect(speaker.played.map(({ text }) => text)).toEqual(texts)
  expect(flow.spokenTexts()).toEqual(texts)
  expect(flow.received(flow.idOf('not said'))).toEqual([])
})

it('sentences of an answer are spoken, played, and written to one file', async () => {
  const mp3 = await encodeMp3(audio, { sampleRateHertz: 24_000 })
  speaker.played.length = 0
  const flow = await loadEarlier('ask-and-hear', (response, { url }) => {
    if (!url!.startsWith('/v1/chat')) return void response.end(audioLine(mp3))
    response.end(
      chatEvent({ content: 'Boil it for six minutes. ' }) +
        chatEvent({ content: 'Enjoy it.' }) +
        chatEnd,
    )
  })
  flow.node(flow.idOf('answer')).receive({ payload: flow.textOf('ask'), topic: 'kitchen' })
  await expect.poll(() => speaker.played.map(({ isWhole }) => isWhole)).toEqual([true])
  const [{ audio: heard }] = speaker.played as [FakePlayback]
  expect(heard.length).toBeGreaterThan(1.5 * audio.length)
  expect(flow.spokenTexts()).toEqual(['Boil it for six minutes.', 'Enjoy it.'])
  const [written] = await flow.waitFor('parlando-05-file', 1)
  expect(written!.payload).toEqual(Buffer.concat([mp3, mp3]))
  expect(flow.server.requests[0]!.body).toMatchObject({
    messages: [{ role: 'system' }, { role: 'user', content: flow.textOf('ask') }],
  })
})
