import { createServer, type Socket } from 'node:net'
import type { RecogniserCase } from '../../part-registry/part-test-case.ts'
import { createConnection } from '../../remote/wyoming/wyoming-connection.ts'

const attribution = { name: 'Test', url: '' }
const artifact = { name: 'test', attribution, installed: true, description: null, version: null }
const info = { asr: [{ ...artifact, models: [{ ...artifact, languages: ['en'] }] }] }

/** A server that recognises "Good morning everyone" in any sound. */
async function serve(socket: Socket): Promise<void> {
  const connection = createConnection(socket)
  let isSilent = true
  for await (const { type, payload } of connection.events) {
    if (type === 'describe') await connection.send({ type: 'info', data: info })
    isSilent &&= payload.every((byte) => byte === 0)
    if (type !== 'audio-stop') continue
    const text = isSilent ? '' : 'Good morning everyone'
    await connection.send({ type: 'transcript', data: { text } })
  }
  connection.end()
}

const startCase: RecogniserCase = async () => {
  const server = createServer((socket) => void serve(socket).catch(() => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    options: { wyomingRecogniser: `tcp://127.0.0.1:${port}` },
    close: async () => void server.close(),
  }
}

export default startCase
