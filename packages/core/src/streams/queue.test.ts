import { describe, expect, it } from 'vitest'
import { createQueue } from './queue.ts'

function watchedQueue() {
  const calls: string[] = []
  const queue = createQueue<number>({
    onFull: () => calls.push('full'),
    onRoom: () => calls.push('room'),
    onLeave: () => calls.push('leave'),
  })
  return { queue, calls }
}

const done = { done: true, value: undefined }

describe('createQueue', () => {
  it('hands out what was pushed before and after it was asked for, in order', async () => {
    const { queue } = watchedQueue()
    queue.push(1)
    const [first, second] = [queue.next(), queue.next()]
    queue.push(2)
    queue.end()
    expect([await first, await second, await queue.next(), await queue.next()]).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      done,
      done,
    ])
  })

  it('says once when it is full and once when it is empty again', async () => {
    const { queue, calls } = watchedQueue()
    for (let item = 1; item <= 20; item++) queue.push(item)
    expect(calls).toEqual(['full'])
    for (let item = 1; item <= 20; item++) await queue.next()
    expect(calls).toEqual(['full', 'room'])
  })

  it('throws a failure once, after what came before it, and then is done', async () => {
    const { queue } = watchedQueue()
    queue.push(1)
    queue.fail(new Error('broke off'))
    expect(await queue.next()).toEqual({ done: false, value: 1 })
    await expect(queue.next()).rejects.toThrow('broke off')
    expect(await queue.next()).toEqual(done)
  })

  it('throws a failure to a reader that waits, and then is done', async () => {
    const { queue } = watchedQueue()
    const waiting = queue.next()
    queue.fail(new Error('broke off'))
    await expect(waiting).rejects.toThrow('broke off')
    expect(await queue.next()).toEqual(done)
  })

  it('answers readers that ask at once, each with its own item, and all at the end', async () => {
    const { queue } = watchedQueue()
    const asked = [queue.next(), queue.next(), queue.next()]
    queue.push(1)
    queue.push(2)
    queue.end()
    const values = (await Promise.all(asked)).map(({ value }) => value)
    expect(values).toEqual([1, 2, undefined])
  })

  it('drops what waits when the reader leaves', async () => {
    const { queue, calls } = watchedQueue()
    queue.push(1)
    expect(await queue.return?.()).toEqual(done)
    expect(calls).toEqual(['leave'])
    expect(await queue.next()).toEqual(done)
  })

  it('lets readers go that wait when one of them leaves', async () => {
    const { queue } = watchedQueue()
    const waiting = [queue.next(), queue.next()]
    await queue.return?.()
    expect(await Promise.all(waiting)).toEqual([done, done])
  })
})
