import { once } from 'node:events'
import { createServer } from 'node:http'

/** Mono PCM, 16 bits, 24 kHz: a tenth of a second in each line of speech. */
export const lineMs = 100
export const bytesPerMs = 48
export const lineBytes = lineMs * bytesPerMs

/** Serves until the parent process disconnects; sends its address as the first message. */
export async function serve(onRequest) {
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.once('end', () => onRequest(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send({ baseUrl: `http://127.0.0.1:${server.address().port}` })
}

export function toLine(audio) {
  return Buffer.from(`{"result":{"audioContent":"${audio.toString('base64')}"}}\n`)
}
