import { describe, expect, it } from 'vitest'
import { createScheduler } from './scheduler.ts'

const { signal } = new AbortController()

/** A scheduler with one slot that is taken until `release`, and a record of what ran. */
function busyScheduler() {
  const scheduler = createScheduler(1)
  const ran: string[] = []
  let release = () => {}
  const busy = scheduler.schedule({
    isFirst: false,
    signal,
    run: () => new Promise<void>((resolve) => (release = resolve)),
  })
  const add = (name: string, isFirst: boolean, taskSignal = signal) =>
    scheduler.schedule({ isFirst, signal: taskSignal, run: async () => void ran.push(name) })
  return { scheduler, ran, add, busy, release: () => release() }
}

describe('createScheduler', () => {
  it('serves first phrases before later ones, each in order of arrival', async () => {
    const { ran, add, release } = busyScheduler()
    const all = [
      add('later 1', false),
      add('first 1', true),
      add('later 2', false),
      add('first 2', true),
    ]
    await Promise.resolve()
    release()
    await Promise.all(all)
    expect(ran).toEqual(['first 1', 'first 2', 'later 1', 'later 2'])
  })

  it('drops what is aborted while it waits', async () => {
    const { scheduler, ran, add, release } = busyScheduler()
    const controller = new AbortController()
    const dropped = add('dropped', true, controller.signal)
    const kept = add('kept', false)
    controller.abort(new Error('gone'))
    await expect(dropped).rejects.toThrow('gone')
    expect(scheduler.waiting).toBe(1)
    release()
    await kept
    expect(ran).toEqual(['kept'])
  })

  it('refuses what was aborted before it came', async () => {
    const { add } = busyScheduler()
    await expect(add('late', true, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('goes on after a task that failed', async () => {
    const scheduler = createScheduler(1)
    const run = () => Promise.reject(new Error('broken'))
    await expect(scheduler.schedule({ isFirst: true, signal, run })).rejects.toThrow('broken')
    expect(await scheduler.schedule({ isFirst: true, signal, run: async () => 7 })).toBe(7)
  })

  it('runs as many at a time as it has slots', async () => {
    const scheduler = createScheduler(2)
    let running = 0
    let most = 0
    const run = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
    }
    await Promise.all(
      Array.from({ length: 6 }, () => scheduler.schedule({ isFirst: true, signal, run })),
    )
    expect(most).toBe(2)
  })
})
