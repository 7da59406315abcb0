import { BoundedQueue, createDecoder } from '../shared/core-internals.js'
import { toNodeStream } from './sources.js'

/** The decoder without a stream, in a plain loop: its cost must be linear. */
export const push = {
  name: 'parlando',
  run({ pieces }, onAudio) {
    const decoder = createDecoder(onAudio)
    for (const piece of pieces) decoder.push(piece)
    decoder.end()
  },
}

/** Like `consume` of the client. */
export const pushFromStream = {
  name: 'stream to callback',
  run: ({ pieces }, onAudio) =>
    new Promise((resolve, reject) => {
      const source = toNodeStream(pieces)
      listen(source, (audio) => onAudio(audio), resolve)
      source.once('error', reject)
    }),
}

/** Like `for await` over a stream of the client. */
export const iterateStream = {
  name: 'stream to for await',
  async run({ pieces }, onAudio) {
    const source = toNodeStream(pieces)
    const queue = new BoundedQueue({
      maxItems: 16,
      onFull: () => source.pause(),
      onEmpty: () => source.resume(),
      onClose: () => source.destroy(),
    })
    listen(
      source,
      (audio) => queue.push({ audio }),
      () => queue.end(),
    )
    source.once('error', (error) => queue.fail(error))
    for await (const { audio } of { [Symbol.asyncIterator]: () => queue }) onAudio(audio)
  },
}

function listen(source, onAudio, onEnd) {
  const decoder = createDecoder(onAudio)
  source.on('data', decoder.push)
  source.once('end', () => {
    decoder.end()
    onEnd()
  })
}
