import { createClient } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { useExampleInOwnNodeRed } from '@parlando/test-support/node-red/example'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

// The clone of this test would appear in the voice lists of other tests.
const example = useExampleInOwnNodeRed('04 - Clone a voice.json')

let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ warmUp: false })
})
afterAll(() => service.close())

/** About ten seconds of speech by a person, if recordings are installed. */
async function recording(): Promise<Uint8Array<ArrayBuffer>> {
  const client = createClient({ baseUrl: service.baseUrl })
  const text =
    'The north wind and the sun were arguing which of them was stronger, when a traveller came along in a warm coat. They agreed that the one who first made him take it off was the stronger.'
  const { audio } = await client.synthesize({
    text,
    voiceId: 'Ralph',
    modelId: 'svc-tts-2',
    audioConfig: { audioEncoding: 'WAV', sampleRateHertz: 16_000 },
  })
  await client.close()
  return new Uint8Array(audio)
}

/** Sends the form as a browser does. */
function send(file: BlobPart, words: string, name = 'Grandma'): Promise<Response> {
  const form = new FormData()
  form.set('recording', new Blob([file], { type: 'audio/wav' }), 'me.wav')
  form.set('name', name)
  form.set('words', words)
  return example.fetch('/clone-a-voice', { method: 'POST', body: form })
}

it('serves a form with these fields, which asks for the right to use the voice', async () => {
  const page = await example.fetch('/clone-a-voice')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const html = await page.text()
  expect(html).toContain('Clone only a voice that you have the right to use')
  expect(html).toMatch(/<form action="clone-a-voice" method="post" enctype="multipart\/form-data">/)
  const names = [...html.matchAll(/name="(recording|name|words)"/g)].map(([, name]) => name)
  expect(names).toEqual(['recording', 'name', 'words'])
})

it('clones the voice of the recording and responds with its speech', async () => {
  const words = 'Hello! This is my new voice.'
  const response = await send(await recording(), words)
  expect(response.headers.get('content-type')).toBe('audio/wav')
  await expectSpoken(new Uint8Array(await response.arrayBuffer()), words)
  const [shown] = await example.debugTexts('new voice and warnings')
  const { voice, warnings } = JSON.parse(shown!)
  expect(voice).toMatchObject({ displayName: 'Grandma', langCode: 'EN_US' })
  expect(warnings).toEqual(expect.any(Array))
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})

it('replaces the earlier clone with the same name, and no other', async () => {
  const sample = await recording()
  const shown = (count: number) => example.debugTexts('new voice and warnings', count)
  const before = (await shown(0)).length
  for (const name of ['Mother', 'Mother', 'Father']) await send(sample, 'Hello!', name)
  await vi.waitFor(() => expect(example.statuses('delete it')).toContain('deleted'), 60_000)
  expect(example.statuses('delete it').filter((status) => status === 'deleted')).toHaveLength(1)
  const clones = (await shown(before + 3)).slice(before)
  expect(new Set(clones.map((text) => JSON.parse(text).voice.voiceId)).size).toBe(3)
})

it('explains the problem of a recording in one sentence', async () => {
  const response = await send('This is no sound.', 'Hello!')
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toMatch(/^[^\n]*not a WAV, MP3 or WEBM file[^\n]*$/)
})
