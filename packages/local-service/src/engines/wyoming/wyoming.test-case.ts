import { createServer, type Socket } from 'node:net'
import { toneOfText } from '@parlando/test-support/local-service/speech-stand-in'
import type { EngineCase } from '../../part-registry/part-test-case.ts'
import { audioFormat } from '../../remote/wyoming/event.ts'
import { createConnection } from '../../remote/wyoming/wyoming-connection.ts'

const rateHertz = 16_000
const format = audioFormat(rateHertz)
const attribution = { name: 'Test', url: '' }
const artifact = { attribution, installed: true, description: null, version: null }
const voice = { ...artifact, name: 'en_US-test', languages: ['en_US'], speakers: null }
const info = { tts: [{ ...artifact, name: 'test', voices: [voice] }] }

/** A server with one voice that sends its audio in two chunks. */
async function serve(socket: Socket): Promise<void> {
  const connection = createConnection(socket)
  for await (const { type, data } of connection.events) {
    if (type === 'describe') await connection.send({ type: 'info', data: info })
    if (type !== 'synthesize') continue
    const audio = toneOfText(String(data['text']), rateHertz)
    await connection.send({ type: 'audio-start', data: format })
    for (const payload of [audio.subarray(0, 10_000), audio.subarray(10_000)]) {
      await connection.send({ type: 'audio-chunk', data: format, payload })
    }
    await connection.send({ type: 'audio-stop' })
  }
  connection.end()
}

const startCase: EngineCase = async () => {
  const server = createServer((socket) => void serve(socket).catch(() => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    options: { wyomingSpeech: `tcp://127.0.0.1:${port}` },
    close: async () => void server.close(),
  }
}

export default startCase
