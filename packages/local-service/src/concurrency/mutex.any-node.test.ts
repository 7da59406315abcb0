import { describe, expect, it, vi } from 'vitest'
import { onAbort } from './abort-signals.ts'
import { createMutex } from './slots.ts'

describe('createMutex', () => {
  it('runs one task at a time, in the order of the calls', async () => {
    const run = createMutex()
    const events: string[] = []
    const task = (name: string) => async () => {
      events.push(`${name} starts`)
      await Promise.resolve()
      events.push(`${name} ends`)
      return name
    }
    expect(await Promise.all([run(task('one')), run(task('two'))])).toEqual(['one', 'two'])
    expect(events).toEqual(['one starts', 'one ends', 'two starts', 'two ends'])
  })

  it('passes on the error of a task and runs the next one', async () => {
    const run = createMutex()
    const failing = run(() => Promise.reject(new Error('no space')))
    const next = run(async () => 'done')
    await expect(failing).rejects.toThrow('no space')
    expect(await next).toBe('done')
  })
})

it('onAbort calls back once, also if the signal is aborted already', () => {
  const controller = new AbortController()
  const [before, after] = [vi.fn(), vi.fn()]
  onAbort(controller.signal, before)
  expect(before).not.toHaveBeenCalled()
  controller.abort()
  onAbort(controller.signal, after)
  expect([before, after].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})
