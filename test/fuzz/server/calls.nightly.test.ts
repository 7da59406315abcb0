import { createRequire } from 'node:module'
import { call } from '@parlando/test-support/local-service/clients/call-client'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { createCalls } from '../../../packages/local-service/src/conversation/calls/running-calls.ts'
import { fuzz } from '../cases.ts'
import { damaged } from '../inputs/bytes.ts'

const testApp = useTestApp()

/** Values that replace one word of a line. */
const word = fc.constantFrom(
  '',
  'x',
  '0',
  '-1',
  '1',
  '99999999999',
  '0.0.0.0',
  'active',
  'a:b',
  '*',
)

/** The offer with up to three words of its lines replaced, or with damaged bytes. */
const anyOffer = (offer: string) => {
  const change = fc.tuple(fc.nat(), fc.nat(), word)
  const replaced = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const lines = offer.split('\r\n').map((line) => line.split(/(?<=[ :=/])/))
    for (const [row, column, put] of changes) {
      const words = lines[row % lines.length]!
      words[column % words.length] = put
    }
    return lines.map((words) => words.join('')).join('\r\n')
  })
  return fc.oneof({ weight: 3, arbitrary: replaced }, { weight: 2, arbitrary: damaged(offer, 1) })
}

it('any offer becomes a call or is rejected with a sentence, in the same process', async () => {
  const failures: unknown[] = []
  const calls = createCalls({
    isLocal: true,
    findWebRtc: () => createRequire(import.meta.url).resolve('@parlando/webrtc'),
    warn: (message) => failures.push(message),
  })
  onTestFinished(() => calls.close())
  const app = createTestApp(testApp.flite, (error) => failures.push(error), undefined, { calls })
  const { baseUrl } = await openTestServer({ fetch: app.fetch })
  const url = `${baseUrl}/v1/realtime/calls`
  const client = await call(url)
  await client.next('session.created')
  const headers = { 'content-type': 'application/sdp' }
  let accepted = 0
  await fuzz(
    anyOffer(client.offer),
    async (offer) => {
      const response = await fetch(url, { method: 'POST', body: offer, headers })
      const text = await response.text()
      if (response.status === 201) {
        accepted += 1
        return expect(text).toMatch(/^v=0\r\n/)
      }
      expect(response.status).toBe(400)
      expect(JSON.parse(text).error.message).toMatch(/^sdp: the offer [^\n]{5,200}$/)
    },
    { lanes: 4 },
  )
  expect(accepted).toBeGreaterThan(0)
  expect(failures).toEqual([])
  // The first call has survived all others.
  client.send({ type: 'session.update', session: { instructions: 'Be kind.' } })
  await client.next('session.updated')
})
