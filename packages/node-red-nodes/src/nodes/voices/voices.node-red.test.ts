import { type LocalService, startLocalService } from '@parlando/local-service'
import { send, sendAndCatch } from '@parlando/test-support/node-red/flows/flow-harness'
import { useVoicesNode } from '@parlando/test-support/node-red/flows/voices-flow'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ warmUp: false })
})
afterAll(() => service.close())

const { loadNode, unload } = useVoicesNode('parlando-voices', {
  operation: 'list',
  voice: '',
  languages: '',
  search: '',
  output: 'whole',
})

/** The parts of a message in a sequence that is nested in another one. */
type Outer = { parts: { index: number } }

const idsOf = (payload: unknown) => (payload as { voiceId: string }[]).map(({ voiceId }) => voiceId)

describe('a list', () => {
  it('is one message with all voices and the other properties of the message', async () => {
    const flow = await loadNode(service)
    const [message] = await send(flow, 'node', { payload: 'go', topic: 'mine' })
    expect(idsOf(message?.payload)).toEqual(expect.arrayContaining(['Clara', 'Ralph', 'Kit']))
    expect(message).toMatchObject({ topic: 'mine' })
    expect(flow.statuses('node').at(-1)).toMatchObject({ fill: 'green' })
  })

  it('is a message for each voice, ready for speak, which join combines into an array', async () => {
    const flow = await loadNode(service, { output: 'each' })
    const messages = await send(flow, 'node', { payload: 'go' })
    expect(messages.length).toBeGreaterThan(3)
    expect(messages[0]).toMatchObject({ voiceId: 'Heart', payload: { displayName: 'Heart' } })
    const [joined] = await flow.waitFor('joined', 1)
    expect(idsOf(joined?.payload)).toEqual(messages.map(({ voiceId }) => voiceId))
  })

  it('is joined into one array even if the incoming message ended another sequence', async () => {
    const flow = await loadNode(service, { output: 'each' })
    const messages = await send(flow, 'node', { payload: 'go', complete: true })
    const [joined] = await flow.waitFor('joined', 1)
    expect(idsOf(joined?.payload)).toEqual(messages.map(({ voiceId }) => voiceId))
  })

  it('is messages without shared objects, so that a flow may change their parts', async () => {
    const flow = await loadNode(service, { output: 'each' })
    const outerOf = (message: object) => (message as { parts: Outer }).parts.parts
    flow.node('out').on('input', (message) => {
      outerOf(message).index += 1
    })
    const messages = await send(flow, 'node', { parts: { id: 'outer', index: 0 } })
    expect(new Set(messages.map((message) => outerOf(message).index))).toEqual(new Set([1]))
  })

  it.each([
    ['a language', { languages: 'DE_DE' }, ['Greta']],
    ['words, all of which must fit', { search: 'scottish LIVELY' }, ['Angus']],
    ['words that fit nothing', { search: 'scottish robot' }, []],
  ])('is filtered by %s, from the form or the message', async (_what, narrowed, ids) => {
    const empty = { operation: '', languages: '', search: '' }
    const [fromForm] = await send(await loadNode(service, narrowed), 'node', empty)
    await unload()
    const [fromMessage] = await send(await loadNode(service), 'node', narrowed)
    expect([fromForm, fromMessage].map((message) => idsOf(message?.payload))).toEqual([ids, ids])
  })

  it('is the default of a hand-written flow', async () => {
    const flow = await loadNode(service, { operation: undefined })
    const [message] = await send(flow, 'node', { payload: 'go' })
    expect(idsOf(message?.payload)).toContain('Clara')
  })

  it('is complete if the flow was saved without filters', async () => {
    const flow = await loadNode(service, { languages: undefined, search: undefined })
    const [message] = await send(flow, 'node', {})
    expect(idsOf(message?.payload).length).toBeGreaterThan(3)
  })

  it('takes its filters from the message for that message only', async () => {
    const flow = await loadNode(service)
    await send(flow, 'node', { languages: ['DE_DE'] })
    const [narrowed, all] = await send(flow, 'node', {})
    expect(idsOf(narrowed?.payload)).toEqual(['Greta'])
    expect(idsOf(all?.payload).length).toBeGreaterThan(3)
  })
})

describe('one voice', () => {
  it('can be read', async () => {
    const flow = await loadNode(service, { operation: 'get' })
    const [message] = await send(flow, 'node', { voiceId: 'Clara' })
    expect(message).toMatchObject({
      voiceId: 'Clara',
      payload: { voiceId: 'Clara', langCode: 'EN_US' },
    })
  })

  it('can be changed and deleted with message properties', async () => {
    const server = await startTestServer((response) => {
      response.end(JSON.stringify({ voiceId: 'w__mine', displayName: 'New' }))
    })
    const flow = await loadNode({ baseUrl: server.baseUrl })
    await send(flow, 'node', {
      operation: 'update',
      voiceId: 'w__mine',
      displayName: 'New',
      tags: ['a'],
    })
    const messages = await send(flow, 'node', { operation: 'delete', voiceId: 'w__mine' })
    expect(messages).toMatchObject([
      { payload: { displayName: 'New' }, voiceId: 'w__mine' },
      { payload: { voiceId: 'w__mine' }, voiceId: 'w__mine' },
    ])
    expect(server.requests).toMatchObject([
      {
        method: 'PATCH',
        url: '/voices/v1/voices/w__mine',
        body: { displayName: 'New', tags: ['a'] },
      },
      { method: 'DELETE', url: '/voices/v1/voices/w__mine' },
    ])
  })
})

describe('a failure', () => {
  it.each([
    ['an unknown voice', { operation: 'get', voiceId: 'Nobody' }, 'NOT_FOUND', /Nobody/],
    ['no voice', { operation: 'delete' }, 'INVALID_INPUT', /no-voice/],
    ['an unknown operation', { operation: 'clean' }, 'INVALID_INPUT', /operation/],
    ['an operation that is not text', { operation: {} }, 'INVALID_INPUT', /operation/],
    [
      'nothing to change',
      { operation: 'update', voiceId: 'Clara' },
      'INVALID_INPUT',
      /at least one of displayName, description and tags/,
    ],
  ])('reaches Catch: %s', async (_what, message, code, sentence) => {
    const flow = await loadNode(service)
    expect(await sendAndCatch(flow, 'node', message)).toMatchObject({
      ...message,
      error: { code, message: expect.stringMatching(sentence) },
    })
    expect(flow.received('out')).toEqual([])
  })
})
