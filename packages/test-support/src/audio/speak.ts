import { type AudioEncoding, type Client, createClient } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'

const sampleText =
  'The laundry is done, and the dishes are clean. Now it is time for a cup of tea in the garden, before it rains again.'

/** Speaks a text with a voice of this device. @returns 16-bit mono PCM at 16 kHz, as microphones record it. */
export async function speak(text: string): Promise<Buffer> {
  const service = await startLocalService({ warmUp: false })
  const client = createClient({ baseUrl: service.baseUrl })
  try {
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16_000 } as const
    const speech = { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }
    return Buffer.from((await client.synthesize(speech)).audio)
  } finally {
    await client.close()
    await service.close()
  }
}

/** Lets the service speak for a few seconds. @returns the audio, for use like a recording of a person. */
export async function makeVoiceSample(client: Client, audioEncoding: AudioEncoding = 'WAV') {
  const audioConfig = { audioEncoding, sampleRateHertz: 16000 } as const
  const speech = { text: sampleText, voiceId: 'Angus', modelId: 'svc-tts-2', audioConfig }
  return (await client.synthesize(speech)).audio
}
