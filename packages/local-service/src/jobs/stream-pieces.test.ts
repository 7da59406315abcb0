import { expect, it } from 'vitest'
import { streamPieces } from './stream-pieces.ts'

const pieces = ['abc', 'defg', 'hi'].map((text) => Buffer.from(text))
const whole = Buffer.concat(pieces)
const buffer = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer())

/** Reads a part of a file of three pieces. @returns it, and which pieces were read. */
async function readPart(start: number, end: number) {
  const asked: number[] = []
  const stream = streamPieces({
    pieceBytes: pieces.map(({ length }) => length),
    start,
    end,
    async read(piece) {
      asked.push(piece)
      return pieces[piece]
    },
    abort: (controller, reason) => controller.error(reason),
  })
  return { part: (await buffer(stream)).toString(), asked }
}

it('each part of a file has its bytes', async () => {
  for (let start = 0; start < whole.length; start += 1) {
    for (let end = start + 1; end <= whole.length; end += 1) {
      expect((await readPart(start, end)).part).toBe(whole.toString('utf8', start, end))
    }
  }
})

it('a part reads only the pieces that it needs', async () => {
  expect((await readPart(3, 7)).asked).toEqual([1])
  expect((await readPart(6, 8)).asked).toEqual([1, 2])
  expect((await readPart(0, 9)).asked).toEqual([0, 1, 2])
})

it('an empty file is an empty stream', async () => {
  const stream = streamPieces({
    ...{ pieceBytes: [], start: 0, end: 0 },
    read: async () => undefined,
    abort() {},
  })
  expect(await buffer(stream)).toHaveLength(0)
})

it('a missing piece ends the stream with an error', async () => {
  const stream = streamPieces({
    ...{ pieceBytes: [3], start: 0, end: 3 },
    read: () => Promise.reject(new Error('The disk has failed')),
    abort: (controller, reason) => controller.error(reason),
  })
  await expect(buffer(stream)).rejects.toThrow('cannot be read')
})
