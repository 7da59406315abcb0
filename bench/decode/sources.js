import { Readable } from 'node:stream'

export function toNodeStream(pieces) {
  let next = 0
  return new Readable({
    read() {
      this.push(pieces[next++] ?? null)
    },
  })
}

export function toWebStream(pieces) {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[next++]
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
}
