import { createServer, type Socket } from 'node:net'
import type { WakeWordCase } from '../../part-registry/part-test-case.ts'
import { createConnection } from '../../remote/wyoming/wyoming-connection.ts'

const attribution = { name: 'Test', url: '' }
const artifact = { name: 'hey_test', attribution, installed: true, version: null }
const info = {
  wake: [{ ...artifact, models: [{ ...artifact, phrase: 'hey test', languages: ['en'] }] }],
}

/** Sound that is found: a second in which every sample is the same. */
const spoken = new Int16Array(24_000).fill(4321, 8000, 16_000)

/** A server that finds half a second of this sample. */
async function serve(socket: Socket): Promise<void> {
  const connection = createConnection(socket)
  let found = 0
  let count = 0
  for await (const { type, data, payload } of connection.events) {
    if (type === 'describe') await connection.send({ type: 'info', data: info })
    const samples = new Int16Array(new Uint8Array(payload).buffer)
    for (const sample of samples) {
      found = sample === 4321 ? found + 1 : 0
      if (found !== 8000) continue
      count += 1
      const timestamp = data['timestamp']
      await connection.send({ type: 'detection', data: { name: 'hey_test', timestamp } })
    }
    if (type === 'audio-stop' && count === 0) await connection.send({ type: 'not-detected' })
  }
  connection.end()
}

const startCase: WakeWordCase = async () => {
  const server = createServer((socket) => void serve(socket).catch(() => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    options: { wyomingWakeWords: `tcp://127.0.0.1:${port}` },
    spoken: { phrase: 'hey test', samples: spoken },
    close: async () => void server.close(),
  }
}

export default startCase
