import { createClient } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'

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
