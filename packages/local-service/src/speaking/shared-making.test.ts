import { describe, expect, it } from 'vitest'
import { SharedMaking } from './shared-making.ts'

const maxBytes = 100
const { signal } = new AbortController()

/** Makes ten chunks of 30 bytes. */
function share() {
  const state = { made: 0, isTooLong: false, ended: [] as unknown[] }
  const making = new SharedMaking({
    async *make() {
      for (; state.made < 10; ) yield { audio: new Uint8Array(30), number: state.made++ }
    },
    maxBytes,
    onTooLong() {
      state.isTooLong = true
    },
    onEnd: (items) => state.ended.push(items),
  })
  const readers = [making.read(signal), making.read(signal)] as const
  return { state, readers }
}

type Reader = ReturnType<typeof share>['readers'][number]

const next = async (reader: Reader) => (await reader.next()).value?.number
async function rest(reader: Reader) {
  const numbers: number[] = []
  for await (const { number } of reader) numbers.push(number)
  return numbers
}

describe('audio that is too long to be kept', () => {
  it('is made no further than the limit ahead of the slowest reader', async () => {
    const { state, readers } = share()
    const [fast, slow] = readers
    expect(await next(slow)).toBe(0)
    const reading = rest(fast)
    // The fast reader can go on as soon as the slow one does.
    for (let number = 1; number < 10; number++) {
      await new Promise(setImmediate)
      expect(state.made).toBeLessThanOrEqual(number + 4)
      expect(await next(slow)).toBe(number)
    }
    expect(await reading).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await next(slow)).toBeUndefined()
    expect(state).toEqual({ made: 10, isTooLong: true, ended: [undefined] })
  })

  it('is made to its end for the fast reader when the slow one leaves', async () => {
    const { state, readers } = share()
    const [fast, slow] = readers
    await next(slow)
    const reading = rest(fast)
    await new Promise(setImmediate)
    await slow.return()
    expect(await reading).toHaveLength(10)
    expect(state.ended).toEqual([undefined])
  })
})
