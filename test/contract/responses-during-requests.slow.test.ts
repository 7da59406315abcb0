import { type Client, createClient } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'
import { keys } from '@parlando/test-support/secrets/keys'
import { beforeAll, expect, it, onTestFinished } from 'vitest'

const apiKey = keys.service
let baseUrl: string
beforeAll(async () => {
  const service = await startLocalService({ apiKey, warmUp: false, logLevel: 'silent' })
  baseUrl = service.baseUrl
  return () => service.close()
})

function connect(key: string): Client {
  const client = createClient({ baseUrl, apiKey: key, maxRetries: 0 })
  onTestFinished(() => client.close())
  return client
}

/** The outcomes of concurrent calls with a body of 2 MB, above the limit for speech. */
async function sendLargeBodies(client: Client): Promise<unknown[]> {
  const request = { text: 'Hello.', voiceId: 'x'.repeat(2_000_000), modelId: 'svc-tts-2' }
  const calls = Array.from({ length: 20 }, () => client.synthesize(request))
  const outcomes = await Promise.allSettled(calls)
  return outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
}

it.each([
  ['INVALID_ARGUMENT', apiKey],
  ['UNAUTHENTICATED', 'wrong'],
])(
  'a client gets the reason for each large request that the service rejects: %s',
  async (code, key) => {
    expect(new Set(await sendLargeBodies(connect(key)))).toEqual(new Set([code]))
  },
)

it('the requests after rejected ones succeed', async () => {
  const client = connect(apiKey)
  await sendLargeBodies(client)
  const listings = Array.from({ length: 20 }, () => client.listVoices())
  const outcomes = await Promise.allSettled(listings)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
})
