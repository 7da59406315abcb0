import { type LocalService, startLocalService } from '@parlando/local-service'
import { decodeAudio, expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { speak } from '@parlando/test-support/audio/speak'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AssistSocket } from './home-assistant/assist-pipeline.ts'
import { type RealHomeAssistant, startHomeAssistant } from './home-assistant/run-home-assistant.ts'

const programs = [
  'ffmpeg',
  'pocketsphinx_batch',
  'pocketsphinx_continuous',
  '/usr/share/pocketsphinx/model/en-us',
] as const
const question = 'What time is it?'
const words = 'The coffee is ready, and the kitchen window is open.'
const asks = 5

describe('a real Home Assistant with the voices and recognisers of the service', {
  ...needs(...programs),
  timeout: 600_000,
}, () => {
  let service: LocalService
  let homeAssistant: RealHomeAssistant
  let socket: AssistSocket
  beforeAll(async () => {
    const wyomingPort = await freePort()
    service = await startLocalService({ wyomingPort })
    homeAssistant = await startHomeAssistant(process.env)
    await homeAssistant.add('wyoming', { host: '127.0.0.1', port: wyomingPort })
    socket = await AssistSocket.open(homeAssistant)
  }, 1_800_000)
  afterAll(async () => {
    socket?.close()
    await homeAssistant?.close()
    await service?.close()
  })
  const fetchSpeech = async (path: string) => {
    const response = await fetch(homeAssistant.address + path)
    expect(response.status).toBe(200)
    return new Uint8Array(await response.arrayBuffer())
  }

  it('speaks with the voice that it is told', async () => {
    const speech = { engine_id: 'tts.parlando', language: 'en-US', message: words, cache: false }
    const said = await Promise.all(
      ['Clara', 'Kit'].map(async (voice) => {
        const request = { ...speech, options: { voice } }
        const { path } = Object(await homeAssistant.request('POST', '/api/tts_get_url', request))
        return expectSpoken(await fetchSpeech(path), words)
      }),
    )
    expect(said[0]!.seconds).not.toBe(said[1]!.seconds)
  })

  it('understands speech', async () => {
    const response = await fetch(`${homeAssistant.address}/api/stt/stt.parlando`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${homeAssistant.token}`,
        'x-speech-content':
          'format=wav; codec=pcm; sample_rate=16000; bit_rate=16; channel=1; language=en-US',
      },
      body: new Uint8Array(await speak(question)),
    })
    expect(await response.json()).toEqual({ text: 'what time is it', result: 'success' })
  })

  it('hears a question, answers it, and says the answer', async () => {
    const { id } = await socket.command('assist_pipeline/pipeline/create', {
      name: 'Parlando',
      language: 'en',
      conversation_engine: 'conversation.home_assistant',
      conversation_language: 'en',
      stt_engine: 'stt.parlando',
      stt_language: 'en-US',
      tts_engine: 'tts.parlando',
      tts_language: 'en-US',
      tts_voice: 'Clara',
      wake_word_entity: null,
      wake_word_id: null,
    })
    const sound = await speak(question)
    const figures: object[] = []
    for (let count = 0; count < asks; count++) {
      const { heard, answer, speechPath, heardMs, answeredMs } = await socket.ask(String(id), sound)
      expect(heard).toBe('what time is it')
      expect(answer).toMatch(/^\d+:\d\d [AP]M$/)
      const { seconds, loudness } = await decodeAudio(await fetchSpeech(speechPath))
      expect(seconds).toBeGreaterThan(0.5)
      expect(loudness).toBeGreaterThan(0.03)
      figures.push({ heardMs, answeredMs })
    }
    console.log(`Home Assistant, after the end of the voice: ${JSON.stringify(figures)}`)
  })
})
