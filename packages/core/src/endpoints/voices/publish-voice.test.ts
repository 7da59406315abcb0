import { startTestServer } from '@parlando/test-support/test-server'
import { expect, it } from 'vitest'
import { createTransport } from '../../http/transport.ts'
import { resolveOptions } from '../../options.ts'
import { publishVoice } from './publish-voice.ts'

async function transportOf(answer: object) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(answer)))
  return { server, transport: createTransport(resolveOptions({ baseUrl: server.baseUrl })) }
}

it('keeps a designed voice, with a name or as it is', async () => {
  const voice = { voiceId: 'work__new one', displayName: 'Nora', source: 'TVD' }
  const { server, transport } = await transportOf(voice)
  const { voiceId } = voice
  const texts = { displayName: 'Nora', description: 'Warm', tags: ['warm'] }
  expect(await publishVoice(transport, { voiceId, ...texts })).toEqual(voice)
  expect(await publishVoice(transport, { voiceId })).toEqual(voice)
  const url = '/voices/v1/voices/work__new%20one:publish'
  expect(server.requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
    { method: 'POST', url, body: texts },
    { method: 'POST', url, body: {} },
  ])
})

it('refuses what the call does not know', async () => {
  const { server, transport } = await transportOf({ voiceId: 'Nora' })
  const request = { voiceId: 'Nora', name: 'Nora' }
  await expect(publishVoice(transport, request)).rejects.toThrow(
    /Voice publication not valid.*name/,
  )
  expect(server.requests).toEqual([])
})
