import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const { signal } = new AbortController()

describe('createSlots', () => {
  it('lets utterances wait in the order of their arrival', async () => {
    const slots = createSlots({ slots: 1, maxWaiting: 2 })
    const release = await slots.acquire(signal)
    const order: string[] = []
    const second = slots.acquire(signal).then((next) => {
      order.push('second')
      next()
    })
    const third = slots.acquire(signal).then(() => order.push('third'))
    expect(order).toEqual([])
    release()
    await Promise.all([second, third])
    expect(order).toEqual(['second', 'third'])
  })

  it('rejects an utterance if too many wait', async () => {
    const slots = createSlots({ slots: 1, maxWaiting: 0 })
    const release = await slots.acquire(signal)
    await expect(slots.acquire(signal)).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    release()
    await slots.acquire(signal)
  })

  it('gives a slot to one utterance only, even if it is released twice', async () => {
    const slots = createSlots({ slots: 1, maxWaiting: 0 })
    const release = await slots.acquire(signal)
    release()
    release()
    await slots.acquire(signal)
    await expect(slots.acquire(signal)).rejects.toThrow('already being recognised')
  })

  it('removes an utterance from the queue after an abort', async () => {
    const slots = createSlots({ slots: 1, maxWaiting: 1 })
    const release = await slots.acquire(signal)
    const abort = new AbortController()
    const waiting = slots.acquire(abort.signal)
    const reason = new Error('the caller disconnected')
    abort.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(slots.acquire(abort.signal)).rejects.toBe(reason)
    const next = slots.acquire(signal)
    release()
    await next
  })
})
