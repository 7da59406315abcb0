import { setTimeout } from 'node:timers/promises'

const bytesPerMs = 32
const pieceMs = 100
export const pieceBytes = pieceMs * bytesPerMs

/**
 * Sends an utterance in real time and ends the turn. The stream detects no turns.
 * @param events the iterator of the stream.
 * @returns the time from the sending of the last piece to the final text, and the times between interim results.
 */
export async function speakTurn(stream, events, pcm) {
  const interimAt = []
  const final = readFinal(events, interimAt)
  // A failure of the stream also ends the reader, which reports it.
  final.catch(() => {})
  const startedAt = performance.now()
  let lastPieceAt = 0
  for (let start = 0; start < pcm.length; start += pieceBytes) {
    await setTimeout(Math.max(0, startedAt + start / bytesPerMs - performance.now()))
    lastPieceAt = performance.now()
    await stream.write(pcm.subarray(start, start + pieceBytes))
  }
  stream.endTurn()
  const text = await final
  return {
    text,
    finalMs: performance.now() - lastPieceAt,
    interimMs: interimAt.slice(1).map((at, index) => at - interimAt[index]),
  }
}

async function readFinal(events, interimAt) {
  for (;;) {
    const { value: event, done } = await events.next()
    if (done) throw new Error('The stream ended before the final text')
    if (event.type === 'interim') interimAt.push(performance.now())
    if (event.type === 'final') return event.text
  }
}
