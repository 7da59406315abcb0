// pocketsphinx without the service. For each utterance, it sends how long the recogniser takes from the arrival of the last
// piece.

import { findPocketsphinx } from '../../packages/local-service/src/recognisers/pocketsphinx/find-pocketsphinx.ts'
import { createWordDecoder } from '../../packages/local-service/src/recognisers/pocketsphinx/pocketsphinx-decoder.ts'
import { loadPocketsphinx } from '../../packages/local-service/src/recognisers/pocketsphinx/pocketsphinx-library.ts'
import { pieceBytes } from './speak-turn.js'

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const files = findPocketsphinx()
const decoder = files && (await createWordDecoder(loadPocketsphinx(files), files.model))

process.on('message', async ({ pcm }) => {
  const samples = new Int16Array(Uint8Array.from(Buffer.from(pcm, 'base64')).buffer)
  decoder.start('words')
  let lastPieceAt = 0
  for (let start = 0; start < samples.length; start += pieceBytes / 2) {
    lastPieceAt = performance.now()
    await decoder.process(samples.subarray(start, start + pieceBytes / 2))
  }
  await decoder.end()
  const { text } = decoder
  process.send({ finalMs: performance.now() - lastPieceAt, text })
})
process.send({ isInstalled: files !== undefined })
