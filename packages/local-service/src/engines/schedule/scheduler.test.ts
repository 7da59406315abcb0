import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Scheduler } from './scheduler.ts'

const { signal } = new AbortController()

/** A scheduler whose only slot is busy until `release`, and a record of the tasks that ran. */
function busyScheduler(maxWaiting?: number) {
  const scheduler = new Scheduler(1, maxWaiting)
  const ran: string[] = []
  let release = () => {}
  const busy = scheduler.schedule({
    isFirst: false,
    signal,
    run: () => new Promise<void>((resolve) => (release = resolve)),
  })
  const add = (name: string, isFirst: boolean, taskSignal = signal) =>
    scheduler.schedule({ isFirst, signal: taskSignal, run: async () => void ran.push(name) })
  /** Adds a later phrase whose listener runs out of audio in the given number of seconds. */
  const addLater = (name: string, seconds: number) => {
    const neededAtMs = () => performance.now() + seconds * 1000
    const run = async () => void ran.push(name)
    return scheduler.schedule({ isFirst: false, neededAtMs, signal, run })
  }
  /** Adds a first phrase of a caller, which takes some milliseconds of `performance.now()`. */
  const addOf = (caller: string, tookMs: number) => {
    const run = async () => {
      ran.push(caller)
      if (tookMs > 0) vi.advanceTimersByTime(tookMs)
    }
    return scheduler.schedule({ isFirst: true, caller, signal, run })
  }
  return { scheduler, ran, add, addLater, addOf, busy, release: () => release() }
}

describe('Scheduler', () => {
  it('runs first phrases before later ones, each in order of arrival', async () => {
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

  it('runs the later phrase whose listener runs out of audio first', async () => {
    const { ran, add, addLater, release } = busyScheduler()
    const all = [
      addLater('far ahead', 90),
      addLater('has nothing yet', Number.POSITIVE_INFINITY),
      addLater('soon silent', 1),
      addLater('a little ahead', 4),
      add('first', true),
    ]
    await Promise.resolve()
    release()
    await Promise.all(all)
    const order = ['first', 'soon silent', 'a little ahead', 'far ahead', 'has nothing yet']
    expect(ran).toEqual(order)
  })

  it('runs a phrase whose listener is about to run out of audio before first phrases', async () => {
    const { ran, add, addLater, release } = busyScheduler()
    const all = [add('first', true), addLater('runs out', 0.05), addLater('has time', 0.4)]
    await Promise.resolve()
    release()
    await Promise.all(all)
    expect(ran).toEqual(['runs out', 'first', 'has time'])
  })

  it('runs a stream that has been silent for a long time before a new first phrase', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { ran, add, addLater, release } = busyScheduler()
    const all = [addLater('in silence', -1), add('came soon', true)]
    vi.advanceTimersByTime(1000)
    all.push(add('came late', true))
    await Promise.resolve()
    release()
    await Promise.all(all)
    expect(ran).toEqual(['came soon', 'in silence', 'came late'])
  })

  it('runs the phrase of the caller for whom it has worked least', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { ran, addOf, release } = busyScheduler()
    const all = [
      ...Array.from({ length: 4 }, () => addOf('many', 20)),
      ...Array.from({ length: 2 }, () => addOf('few', 20)),
    ]
    await Promise.resolve()
    release()
    await Promise.all(all)
    expect(ran).toEqual(['many', 'few', 'many', 'few', 'many', 'many'])
  })

  it('runs a phrase that is needed soon before one of another caller that is not', async () => {
    const { scheduler, ran, addLater, addOf, release } = busyScheduler()
    const all = [addOf('much', 0), addLater('far ahead', 90)]
    all.push(
      scheduler.schedule({
        isFirst: false,
        caller: 'much',
        neededAtMs: () => performance.now() + 100,
        signal,
        run: async () => void ran.push('soon silent'),
      }),
    )
    await Promise.resolve()
    release()
    await Promise.all(all)
    expect(ran).toEqual(['much', 'soon silent', 'far ahead'])
  })

  it('lets a first phrase interrupt others only if their listeners have audio to spare', async () => {
    const scheduler = new Scheduler(1, 200, 'costly')
    let spareSeconds = 0
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    const running = scheduler.schedule({
      isFirst: true,
      neededAtMs: () => performance.now() + spareSeconds * 1000,
      signal,
      run: () => isOver,
    })
    const ran: string[] = []
    const add = (name: string, isFirst: boolean) =>
      scheduler.schedule({ isFirst, signal, run: async () => void ran.push(name) })
    const first = add('first', true)
    const later = add('later', false)
    scheduler.noteSound()
    await Promise.resolve()
    expect(ran).toEqual([])
    spareSeconds = 10
    scheduler.noteSound()
    await first
    expect(ran).toEqual(['first'])
    end()
    await Promise.all([running, later])
    expect(ran).toEqual(['first', 'later'])
  })

  it.each([
    ['free', ['far ahead', 'runs out']],
    ['costly', ['far ahead']],
  ] as const)(
    'lets a phrase whose listener runs out of audio interrupt others if that is %s: %s',
    async (interruption, expected) => {
      const scheduler = new Scheduler(1, 200, interruption)
      const ran: string[] = []
      const ends: (() => void)[] = []
      const add = (name: string, spareMs: number) =>
        scheduler.schedule({
          isFirst: false,
          neededAtMs: () => performance.now() + spareMs,
          signal,
          run() {
            ran.push(name)
            return new Promise<void>((resolve) => void ends.push(resolve))
          },
        })
      const all = [add('far ahead', 5_000)]
      await Promise.resolve()
      all.push(add('runs out', 50))
      await Promise.resolve()
      all.push(add('has time', 400))
      await Promise.resolve()
      expect(ran).toEqual(expected)
      while (ran.length < 3 || ends.length > 0) {
        ends.shift()?.()
        await Promise.resolve()
      }
      await Promise.all(all)
    },
  )

  it('ranks the phrases that run by who runs out of audio first, also when that changes', async () => {
    const scheduler = new Scheduler(1, 200, 'free')
    const ranks: (() => number)[] = []
    const ends: (() => void)[] = []
    const spareMs = [5_000, Number.POSITIVE_INFINITY]
    const all: Promise<void>[] = []
    for (const index of spareMs.keys()) {
      all.push(
        scheduler.schedule({
          isFirst: true,
          neededAtMs: () => performance.now() + spareMs[index]!,
          signal,
          run({ rank }) {
            ranks.push(rank)
            return new Promise<void>((resolve) => void ends.push(resolve))
          },
        }),
      )
      await Promise.resolve()
    }
    expect(ranks.map((rank) => rank())).toEqual([1, 0])
    spareMs[1] = 6_000
    expect(ranks.map((rank) => rank())).toEqual([0, 1])
    for (const end of ends) end()
    await Promise.all(all)
  })

  it('lets the first phrase of a caller interrupt those of one for whom it has worked more', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const scheduler = new Scheduler(1, 200, 'costly')
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    let workedMs = () => 0
    const running = scheduler.schedule({
      isFirst: true,
      caller: 'many',
      signal,
      run(progress) {
        workedMs = progress.workedMs
        return isOver
      },
    })
    await Promise.resolve()
    vi.advanceTimersByTime(40)
    await scheduler.schedule({
      isFirst: true,
      caller: 'few',
      signal,
      run: async () => void vi.advanceTimersByTime(30),
    })
    end()
    await running
    expect(workedMs()).toBe(40 + 30 / 2)
  })

  it('gives a slow listener no precedence', async () => {
    const { ran, add, addLater, release } = busyScheduler()
    const all = [addLater('slow', -100), add('first', true)]
    await Promise.resolve()
    release()
    await Promise.all(all)
    expect(ran).toEqual(['first', 'slow'])
  })

  it('rejects first phrases, but not later ones, when too many wait', async () => {
    const { scheduler, ran, add, release } = busyScheduler(2)
    const kept = [add('first 1', true), add('first 2', true)]
    await expect(add('rejected', true)).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    kept.push(add('later', false))
    expect(scheduler.waiting).toBe(3)
    release()
    await Promise.all(kept)
    expect(ran).toEqual(['first 1', 'first 2', 'later'])
    await add('first again', true)
  })

  it('drops a waiting task that is aborted', async () => {
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

  it('rejects a task whose signal is already aborted', async () => {
    const { add } = busyScheduler()
    await expect(add('late', true, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('continues after a failed task', async () => {
    const scheduler = new Scheduler(1)
    const run = () => Promise.reject(new Error('broken'))
    await expect(scheduler.schedule({ isFirst: true, signal, run })).rejects.toThrow('broken')
    expect(await scheduler.schedule({ isFirst: true, signal, run: async () => 7 })).toBe(7)
  })

  it('runs as many tasks in parallel as it has slots', async () => {
    const scheduler = new Scheduler(2)
    let running = 0
    let maxRunning = 0
    const run = async () => {
      maxRunning = Math.max(maxRunning, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
    }
    await Promise.all(
      Array.from({ length: 6 }, () => scheduler.schedule({ isFirst: true, signal, run })),
    )
    expect(maxRunning).toBe(2)
  })
})
