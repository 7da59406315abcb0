import { expect, it } from 'vitest'
import { findChatModel } from './find-chat-model.ts'
import type { ChatUpstream } from './upstream/chat-upstream.ts'

/** An upstream with these models. It receives no request here. */
function upstreamWith(...names: string[]): ChatUpstream {
  return { listModels: async () => names, forward: () => Promise.reject(new Error('unexpected')) }
}

it('without an upstream, only the echo responds, and no other model is found', async () => {
  for (const name of ['svc/models/echo', 'echo', 'auto']) {
    expect(await findChatModel(name, undefined)).toEqual({ kind: 'echo' })
  }
  expect(await findChatModel('llama', undefined)).toBeUndefined()
})

it.each([
  ['svc/models/echo', { kind: 'echo' }],
  ['echo', { name: 'echo' }],
  ['llama', { name: 'llama' }],
  ['svc/models/llama', { name: 'llama' }],
  ['auto', { name: 'first' }],
])('with an upstream, %s is found as %o', async (name, found) => {
  expect(await findChatModel(name, upstreamWith('svc/models/first', 'second'))).toMatchObject(found)
})

it('auto keeps its name for an upstream that lists no models', async () => {
  expect(await findChatModel('auto', upstreamWith())).toMatchObject({ name: 'auto' })
})
