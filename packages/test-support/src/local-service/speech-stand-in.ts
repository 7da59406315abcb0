import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const seconds = 1.5

/** What the servers of tests speak: a tone of 1.5 s, whose pitch depends on the text. @returns PCM with 16 bits, mono. */
export function toneOfText(text: string, sampleRateHertz: number): Buffer {
  const hash = [...text].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)!) % 1009, 7)
  const radiansPerSample = (2 * Math.PI * (200 + hash)) / sampleRateHertz
  const samples = Int16Array.from({ length: seconds * sampleRateHertz }, (_, index) =>
    Math.round(8000 * Math.sin(index * radiansPerSample)),
  )
  return Buffer.from(samples.buffer)
}

/** Starts an HTTP server for a whole test file. */
export async function openHttpServer(
  handler: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    handler(request, Buffer.concat(pieces).toString(), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
