import { openHttpServer, toneOfText } from '@parlando/test-support/local-service/speech-stand-in'
import type { EngineCase } from '../../part-registry/part-test-case.ts'

/** A server with two voices that sends PCM in two pieces, cut within a sample. */
const startCase: EngineCase = async () => {
  const { baseUrl, close } = await openHttpServer((request, body, response) => {
    if (request.url === '/v1/audio/voices') {
      response.end(JSON.stringify({ voices: ['af_heart', { id: 'bm_lewis', name: 'Lewis' }] }))
    } else {
      const { input } = JSON.parse(body) as { input: string }
      const audio = toneOfText(input, 24_000)
      response.setHeader('content-type', 'audio/pcm')
      response.write(audio.subarray(0, 10_001))
      response.end(audio.subarray(10_001))
    }
  })
  return { options: { speechUpstream: `${baseUrl}/v1` }, close }
}

export default startCase
