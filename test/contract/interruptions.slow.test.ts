import { createClient, type RealtimeEvent } from '@parlando/core'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const testApp = useTestApp()
const bytesPerMs = 48
const limits = { timeout: 60_000, interval: 20 }

/** Makes a sound during a response. @param words what the recogniser finds in it. */
async function interruptWith(words: string, response = 'One. Two. Three. Four. Five. Six. Seven.') {
  const recogniser = createFakeRecogniser()
  recogniser.utterance = { text: words }
  const served = createTestApp(testApp.flite, () => {}, undefined, {
    recognisers: new Map([['fake', recogniser]]),
  })
  const { baseUrl } = await openTestServer({ fetch: served.fetch })
  const client = createClient({ baseUrl })
  onTestFinished(() => client.close())
  const conversation = client.realtime({ audio: { input: { transcription: {} } } })
  const events: RealtimeEvent[] = []
  const collect = async () => {
    for await (const event of conversation) events.push(event)
  }
  collect().catch(() => {})
  const seen = <Type extends RealtimeEvent['type']>(type: Type) =>
    vi.waitFor(() => {
      const event = events.find((one) => one.type === type)
      if (!event) throw new Error(`${type} is missing in ${events.map((one) => one.type).join()}`)
      return event as Extract<RealtimeEvent, { type: Type }>
    }, limits)

  conversation.sendText(response)
  await seen('response.output_audio.delta')
  const sound = voicedSound({ seconds: 0.4, sampleRateHertz: 24_000 })
  void conversation.sendAudio(Buffer.from(sound.buffer))
  void conversation.sendAudio(Buffer.alloc(800 * bytesPerMs))
  return { events, seen }
}

describe('a sound during a response of the local service', () => {
  it('without words only pauses the response, which is played to its end', async () => {
    const { events, seen } = await interruptWith('')
    const { response } = await seen('response.done')
    expect(response).toMatchObject({
      status: 'completed',
      output: [{ content: [{ transcript: expect.stringMatching(/One\. .*Seven\.$/) }] }],
    })
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => type === 'paused' || type === 'resumed')).toEqual([
      'paused',
      'resumed',
    ])
    expect(types).not.toContain('interrupted')
    expect(types).not.toContain('conversation.item.truncated')
  })

  it('with a short word, which may be a noise, only pauses the response', async () => {
    const { events, seen } = await interruptWith('the', 'One two three four five six. '.repeat(10))
    expect((await seen('resumed')).isComplete).toBe(false)
    expect(events.map(({ type }) => type)).not.toContain('interrupted')
  })

  it('with words discards the part of the response that was not heard', async () => {
    const { seen } = await interruptWith('Stop.')
    const { unheard } = await seen('interrupted')
    expect((await seen('response.done')).response).toMatchObject({
      status: 'cancelled',
      status_details: { reason: 'turn_detected' },
      output: [{ content: [{ transcript: expect.not.stringContaining('Seven.') }] }],
    })
    // On a busy machine, everything that had arrived was heard.
    for (const { heardMs } of unheard) {
      expect(await seen('conversation.item.truncated')).toMatchObject({ audio_end_ms: heardMs })
    }
  })
})
