import type { Client } from '@parlando/core'
import type { NodeAPI } from 'node-red'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSpeechService } from './speech-service.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const unusedLimitMs = 10 * 60_000
const RED = { _: (key: string) => key } as unknown as NodeAPI
const { signal } = new AbortController()

function useService({ stopsWhenUnused = true } = {}) {
  const closed = vi.fn(async () => {})
  const open = vi.fn(() => ({
    ready: Promise.resolve(),
    client: async () => ({}) as Client,
    close: closed,
  }))
  const report = { warn: vi.fn(), error: vi.fn() }
  const options = { settings: {}, isOnDevice: true, stopsWhenUnused, open, report }
  const service = createSpeechService(RED, options)
  return { service, open, closed, report }
}

describe('a service on this device that stops when unused', () => {
  it('stops ten minutes after its last use, without a warning, and starts again for the next', async () => {
    const { service, open, closed, report } = useService()
    await service.use(signal, async () => {})
    await vi.advanceTimersByTimeAsync(unusedLimitMs - 1)
    expect(closed).not.toHaveBeenCalled()
    await service.use(signal, async () => {})
    await vi.advanceTimersByTimeAsync(unusedLimitMs - 1)
    expect(closed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(closed).toHaveBeenCalledTimes(1)
    await service.use(signal, async () => {})
    expect(open).toHaveBeenCalledTimes(2)
    expect(report.warn).not.toHaveBeenCalled()
    expect(report.error).not.toHaveBeenCalled()
  })

  it('stops ten minutes after the flow has started if no message arrives', async () => {
    const { service, open, closed } = useService()
    service.startAhead()
    expect(open).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(unusedLimitMs)
    expect(closed).toHaveBeenCalledTimes(1)
  })

  it('keeps running while any work continues, however long it takes', async () => {
    const { service, closed } = useService()
    let finish = () => {}
    const work = new Promise<void>((resolve) => {
      finish = resolve
    })
    const long = service.use(signal, () => work)
    await service.use(signal, async () => {})
    await vi.advanceTimersByTimeAsync(10 * unusedLimitMs)
    expect(closed).not.toHaveBeenCalled()
    finish()
    await long
    await vi.advanceTimersByTimeAsync(unusedLimitMs)
    expect(closed).toHaveBeenCalledTimes(1)
  })

  it('counts work that fails as use', async () => {
    const { service, closed } = useService()
    const failing = service.use(signal, () => Promise.reject(new Error('no such voice')))
    await expect(failing).rejects.toThrow('no such voice')
    await vi.advanceTimersByTimeAsync(unusedLimitMs)
    expect(closed).toHaveBeenCalledTimes(1)
  })

  it('leaves no timer behind when it is closed', async () => {
    const { service } = useService()
    await service.use(signal, async () => {})
    await service.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('a service that keeps running does not stop when it is unused', async () => {
  const { service, closed } = useService({ stopsWhenUnused: false })
  await service.use(signal, async () => {})
  await vi.advanceTimersByTimeAsync(10 * unusedLimitMs)
  expect(closed).not.toHaveBeenCalled()
})
