import { createServer } from 'node:http'
import type { RecogniserCase } from '../../part-registry/part-test-case.ts'

const words = ['Good', 'morning', 'everyone'].map((word, index) => ({
  word,
  start: index / 5,
  end: index / 5 + 0.1,
}))

/** A server that recognises "Good morning everyone" in any sound. */
const startCase: RecogniserCase = async () => {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const start = body.indexOf('RIFF') + 44
    const samples = body.subarray(start, body.indexOf('\r\n--', start))
    const isSilent = samples.every((byte) => byte === 0)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isSilent ? { text: '' } : { text: 'Good morning everyone', words }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    options: {
      transcriptionUpstream: `http://127.0.0.1:${port}/v1`,
      transcriptionUpstreamModel: 'test',
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export default startCase
