import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { ServiceError } from '../errors/service-error.ts'
import { createBodyBudget, limitBody } from './limit-body.ts'

/** An app with a budget of 100 bytes, whose handler reads the body and then waits for the test. */
function createHoldingApp() {
  const app = new Hono()
  const held: (() => void)[] = []
  app.post('/', limitBody(80, createBodyBudget(100)), async ({ req, text }) => {
    const body = await req.text()
    if (body.startsWith('hold')) await new Promise<void>((resolve) => held.push(resolve))
    return text(body)
  })
  app.onError(
    (error) => new Response(error.message, { status: (error as ServiceError).httpStatus }),
  )
  const post = (body: string, headers: Record<string, string> = {}) =>
    Promise.resolve(app.request('/', { method: 'POST', body, headers }))
  return { held, post }
}

it.each([
  ['of known length', { 'content-length': '60' }],
  ['of unknown length', {}],
])('a body %s counts until its handler responds', async (_what, headers) => {
  const { held, post } = createHoldingApp()
  const first = post('hold'.padEnd(60), headers)
  await expect.poll(() => held.length).toBe(1)
  const rejected = await post('x'.repeat(60), { 'content-length': '60' })
  expect(rejected.status).toBe(503)
  expect(await rejected.text()).toMatch(/too much data; try again in 2 s/)
  expect((await post('x'.repeat(40), { 'content-length': '40' })).status).toBe(200)
  held[0]?.()
  expect((await first).status).toBe(200)
  expect((await post('x'.repeat(60), { 'content-length': '60' })).status).toBe(200)
})

it('a body of unknown length counts with what has arrived', async () => {
  const { held, post } = createHoldingApp()
  const first = post('hold')
  await expect.poll(() => held.length).toBe(1)
  expect((await post('x'.repeat(60))).status).toBe(200)
  held[0]?.()
  await first
})

it.each([
  ['announced', { 'content-length': '100000' }],
  ['of unknown length', {}],
])('a body that is %s and does not arrive does not count', async (_what, headers) => {
  const app = new Hono()
  app.post('/', limitBody(100_000, createBodyBudget(100_000)), async ({ req, text }) =>
    text(await req.text()),
  )
  const endless = () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('x')) })
    return new Request('http://localhost/', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit)
  }
  for (let count = 0; count < 6; count++) void app.request(endless())
  const response = await app.request('/', { method: 'POST', body: 'x'.repeat(60_000) })
  expect(response.status).toBe(200)
})

it('a body that is too large does not count', async () => {
  const { post } = createHoldingApp()
  for (const headers of [{ 'content-length': '81' }, {}] as Record<string, string>[]) {
    const response = await post('x'.repeat(81), headers)
    expect([response.status, await response.text()]).toEqual([
      413,
      'The body is larger than 80 bytes',
    ])
  }
  expect((await post('x'.repeat(80))).status).toBe(200)
})

it.each(['gzip', 'deflate', 'br'])(
  'a body with Content-Encoding: %s is rejected',
  async (encoding) => {
    const response = await createHoldingApp().post('x', { 'content-encoding': encoding })
    expect(response.status).toBe(415)
    expect(await response.text()).toMatch(`does not accept ${encoding}; send the body without`)
  },
)

it('a body with Content-Encoding: identity is accepted', async () => {
  const response = await createHoldingApp().post('x', { 'content-encoding': 'identity' })
  expect(response.status).toBe(200)
})
