import { describe, expect, it } from 'vitest'
import { tooBusy } from '../errors/service-error.ts'
import { createSlots } from './slots.ts'

const { signal } = new AbortController()

const open = ({ slots, maxWaiting }: { slots: number; maxWaiting: number }) =>
  createSlots({
    slots,
    limit: {
      maxWaiting,
      toError: ({ running, waiting }) => tooBusy(`${running} pots are on, ${waiting} wait`),
    },
  })

describe('createSlots', () => {
  it('lets work wait in the order of their arrival', async () => {
    const slots = open({ slots: 1, maxWaiting: 2 })
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

  it('rejects work if too much waits', async () => {
    const slots = open({ slots: 1, maxWaiting: 0 })
    const release = await slots.acquire(signal)
    await expect(slots.acquire(signal)).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    release()
    await slots.acquire(signal)
  })

  it('gives a slot to one caller only, even if it is released twice', async () => {
    const slots = open({ slots: 1, maxWaiting: 0 })
    const release = await slots.acquire(signal)
    release()
    release()
    await slots.acquire(signal)
    await expect(slots.acquire(signal)).rejects.toThrow(
      '1 pots are on, 0 wait; try again in a moment',
    )
  })

  it('removes work from the queue after an abort', async () => {
    const slots = open({ slots: 1, maxWaiting: 1 })
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

  it('gives a free slot to the lowest rank, whose numbers it compares one by one', async () => {
    const slots = open({ slots: 1, maxWaiting: 4 })
    const release = await slots.acquire(signal)
    const order: string[] = []
    const wait = async (name: string, ...rank: number[]) => {
      const next = await slots.acquire(signal, { rank: () => rank })
      order.push(name)
      next()
    }
    const all = [wait('late', 9), wait('soon', 1, 2), wait('also soon', 1, 2), wait('next', 1, 1)]
    release()
    await Promise.all(all)
    expect(order).toEqual(['next', 'soon', 'also soon', 'late'])
  })

  it('lets work wait that was accepted, even if too much waits', async () => {
    const slots = open({ slots: 1, maxWaiting: 0 })
    const release = await slots.acquire(signal)
    expect(() => slots.rejectWhenFull()).toThrow('try again')
    const next = slots.acquire(signal, { isAccepted: true })
    expect(slots).toMatchObject({ running: 1, waiting: 1 })
    release()
    await next
  })
})
