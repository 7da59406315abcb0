import { expect, it, vi } from 'vitest'
import { Clones } from '../voices/store/clones.ts'
import { followStore } from '../voices/store/follow-store.ts'
import { createVoiceList } from '../voices/voice-list.ts'
import { createMetrics } from './service-metrics.ts'

it('the metrics say whether the store is there, how often a check failed, and how often voices changed', async () => {
  let version = async () => '1'
  const store = { version: () => version() } as Parameters<typeof followStore>[0]
  const clones = new Clones()
  const { state, end } = followStore(store, clones, () => {})
  const metrics = createMetrics({
    engines: new Map(),
    voiceList: { ...createVoiceList(), store: state },
  })
  const read = async () => (await metrics.write()).text.split('\n')
  const reads = (...lines: string[]) =>
    vi.waitFor(async () => expect(await read()).toEqual(expect.arrayContaining(lines)), 10_000)
  await reads(
    'parlando_store_up 1',
    'parlando_store_changes_total 0',
    'parlando_store_failures_total 0',
  )
  version = async () => '2'
  await reads('parlando_store_up 1', 'parlando_store_changes_total 1')
  version = () => Promise.reject(new Error('gone'))
  await reads('parlando_store_up 0')
  await end()
  expect(state.failures).toBeGreaterThan(0)
})

it('a service without a shared store has no metrics of one', async () => {
  const metrics = createMetrics({ engines: new Map(), voiceList: createVoiceList() })
  expect((await metrics.write()).text).not.toContain('parlando_store')
})
