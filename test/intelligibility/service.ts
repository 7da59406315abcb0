import { type Client, createClient, type Voice } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll } from 'vitest'

/** The nightly workflow runs these tests in full; otherwise they judge a sample, in less than a minute. */
export const isNightly = process.env['PARLANDO_NIGHTLY'] === 'true'

const patience = { firstByteTimeoutMs: 600_000, silenceTimeoutMs: 600_000 }

/** Starts a service for the tests of a file. @returns a function that returns its client. */
export function useService(): () => Client {
  const apiKey = keys.service
  let service: ChildService
  let client: Client
  beforeAll(async () => {
    service = await startLocalServiceProcess({ apiKey, warmUp: false })
    // These tests run for hours, with a low priority.
    client = createClient({ baseUrl: service.baseUrl, apiKey, ...patience })
  })
  afterAll(async () => {
    await client?.close()
    await service?.close()
  })
  return () => client
}

/** The texts and recognisers of these tests are English. */
export async function listEnglishVoices(client: Client): Promise<Voice[]> {
  const { voices } = await client.listVoices()
  return voices.filter(({ langCode }) => langCode?.startsWith('EN'))
}

/** As many as the service recognises in parallel on two cores. */
const parallel = 2

/** @returns the results in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const takeTurns = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: parallel }, takeTurns))
  return results
}
