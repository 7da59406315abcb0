import { expect, it, onTestFinished, vi } from 'vitest'
import { createSearchQueue } from './search-queue.ts'

const isAwaited = () => true
const isSpoken = () => false

it('runs as many searches at a time as there are cores, and first those that somebody waits for', async () => {
  const queue = createSearchQueue(2)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const search = (name: string) => () => {
    started.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise(setImmediate)
  }
  for (const name of ['first', 'second', 'third']) void queue.run(search(name), isSpoken)
  void queue.run(search('awaited'), isAwaited)
  await new Promise(setImmediate)
  expect(started).toEqual(['first', 'second'])
  await end('first')
  expect(started).toEqual(['first', 'second', 'awaited'])
  await end('awaited')
  expect(started).toEqual(['first', 'second', 'awaited', 'third'])
})

it('a search that waits comes first as soon as somebody waits for it', async () => {
  const queue = createSearchQueue(1)
  const order: string[] = []
  const said = new Set<string>()
  const search = (name: string) => {
    return queue.run(
      async () => void order.push(name),
      () => said.has(name),
    )
  }
  const searches = ['first', 'second', 'third'].map(search)
  said.add('third')
  await Promise.all(searches)
  expect(order).toEqual(['first', 'third', 'second'])
})

it('a search that has waited for two seconds comes before those that somebody waits for', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const queue = createSearchQueue(1)
  const order: string[] = []
  const search = (name: string, isWanted: () => boolean) =>
    queue.run(async () => void order.push(name), isWanted)
  const searches = [search('first', isSpoken), search('recording', isSpoken)]
  vi.advanceTimersByTime(2_000)
  searches.push(search('later', isSpoken), search('awaited', isAwaited))
  await Promise.all(searches)
  expect(order).toEqual(['first', 'recording', 'awaited', 'later'])
})

it('the next search runs after one that fails', async () => {
  const queue = createSearchQueue(1)
  const failed = queue.run(async () => {
    throw new Error('no memory')
  }, isSpoken)
  await expect(failed).rejects.toThrow('no memory')
  await queue.run(async () => {}, isSpoken)
})
