import { describe, expect, it } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'

function watchedQueue() {
  const calls: string[] = []
  const queue = new BoundedQueue<number>({
    maxItems: 16,
    onFull: () => calls.push('full'),
    onEmpty: () => calls.push('empty'),
    onClose: () => calls.push('close'),
  })
  return { queue, calls }
}

const done = { done: true, value: undefined }

describe('Queue', () => {
  it('returns items pushed before and after next() was called, in order', async () => {
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

  it('calls onFull once when it is full and onEmpty once when it is empty again', async () => {
    const { queue, calls } = watchedQueue()
    for (let item = 1; item <= 20; item++) queue.push(item)
    expect(calls).toEqual(['full'])
    for (let item = 1; item <= 20; item++) await queue.next()
    expect(calls).toEqual(['full', 'empty'])
  })

  it('throws a failure once, after the items before it, and is then done', async () => {
    const { queue } = watchedQueue()
    queue.push(1)
    queue.fail(new Error('broke off'))
    expect(await queue.next()).toEqual({ done: false, value: 1 })
    await expect(queue.next()).rejects.toThrow('broke off')
    expect(await queue.next()).toEqual(done)
  })

  it('throws a failure to a waiting reader and is then done', async () => {
    const { queue } = watchedQueue()
    const waiting = queue.next()
    queue.fail(new Error('broke off'))
    await expect(waiting).rejects.toThrow('broke off')
    expect(await queue.next()).toEqual(done)
  })

  it('gives each of several waiting readers its own item, and the end to the last', async () => {
    const { queue } = watchedQueue()
    const reads = [queue.next(), queue.next(), queue.next()]
    queue.push(1)
    queue.push(2)
    queue.end()
    const values = (await Promise.all(reads)).map(({ value }) => value)
    expect(values).toEqual([1, 2, undefined])
  })

  it('drops its items when the reader stops', async () => {
    const { queue, calls } = watchedQueue()
    queue.push(1)
    expect(await queue.return?.()).toEqual(done)
    expect(calls).toEqual(['close'])
    expect(await queue.next()).toEqual(done)
  })

  it('ends every pending next() when the reader stops', async () => {
    const { queue } = watchedQueue()
    const waiting = [queue.next(), queue.next()]
    await queue.return?.()
    expect(await Promise.all(waiting)).toEqual([done, done])
  })

  it('throws the reason of an abort at once, then is done', async () => {
    const { queue } = watchedQueue()
    queue.push(1)
    queue.abort(new Error('enough'))
    await expect(queue.next()).rejects.toThrow('enough')
    expect(await queue.next()).toEqual(done)
  })

  it('throws the reason of an abort instead of a failure that the reader has not seen yet', async () => {
    const { queue } = watchedQueue()
    queue.fail(new Error('connection lost'))
    queue.abort(new Error('enough'))
    await expect(queue.next()).rejects.toThrow('enough')
  })

  it('ignores an abort after the reader has seen the end', async () => {
    const { queue } = watchedQueue()
    queue.end()
    expect(await queue.next()).toEqual(done)
    queue.abort(new Error('too late'))
    expect(await queue.next()).toEqual(done)
  })

  it.each<[string, (queue: BoundedQueue<number>) => void]>([
    ['the end', (queue) => queue.end()],
    ['a failure', (queue) => queue.fail(new Error('connection lost'))],
    ['an abort', (queue) => queue.abort(new Error('enough'))],
  ])('calls onClose once, when the reader has seen %s', async (_what, finish) => {
    const { queue, calls } = watchedQueue()
    queue.push(1)
    finish(queue)
    expect(calls).toEqual([])
    for (let count = 0; count < 3; count++) await queue.next().catch(() => {})
    await queue.return()
    expect(calls).toEqual(['close'])
  })
})
