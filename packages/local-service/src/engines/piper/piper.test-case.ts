import { writeWavHeader } from '@parlando/core/audio'
import { openHttpServer, toneOfText } from '@parlando/test-support/local-service/speech-stand-in'
import type { EngineCase } from '../../part-registry/part-test-case.ts'

const sampleRateHertz = 22_050

/** A server with one voice that sends a WAV file. */
const startCase: EngineCase = async () => {
  const { baseUrl, close } = await openHttpServer((request, body, response) => {
    if (request.url === '/voices') {
      response.end(JSON.stringify({ 'en_US-test-medium': { language: { code: 'en_US' } } }))
    } else {
      const { text } = JSON.parse(body) as { text: string }
      const audio = toneOfText(text, sampleRateHertz)
      const header = writeWavHeader({ sampleRateHertz, dataBytes: audio.length })
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(Buffer.concat([header, audio]))
    }
  })
  return { options: { piper: baseUrl }, close }
}

export default startCase
