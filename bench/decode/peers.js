// Other clients. Each reads from the kind of source that it is made for.
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import ndjson from 'ndjson'
import split2 from 'split2'
import {
  readLikeLiveKit,
  readWithElevenLabs,
  readWithOpenAi,
  toAudio,
} from '../shared/peer-loops.js'
import { toNodeStream, toWebStream } from './sources.js'

export const peers = [
  {
    name: 'readline',
    run: ({ pieces }, onAudio) =>
      new Promise((resolve) => {
        createInterface({ input: toNodeStream(pieces), crlfDelay: Number.POSITIVE_INFINITY })
          .on('line', (line) => onAudio(toAudio(JSON.parse(line))))
          .once('close', resolve)
      }),
  },
  { name: 'split2', run: ({ pieces }, onAudio) => pipe(pieces, split2(JSON.parse), onAudio) },
  { name: 'ndjson', run: ({ pieces }, onAudio) => pipe(pieces, ndjson.parse(), onAudio) },
  { name: 'livekit', run: ({ pieces }, onAudio) => readLikeLiveKit(toWebStream(pieces), onAudio) },
  { name: 'openai', run: ({ pieces }, onAudio) => readWithOpenAi(toWebStream(pieces), onAudio) },
  {
    name: 'elevenlabs',
    run: ({ pieces }, onAudio) => readWithElevenLabs(toWebStream(pieces), onAudio),
  },
]

function pipe(pieces, parser, onAudio) {
  parser.on('data', (line) => onAudio(toAudio(line)))
  return pipeline(toNodeStream(pieces), parser)
}
