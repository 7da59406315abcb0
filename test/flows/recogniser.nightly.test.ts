import { createClient } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const text = 'The laundry is done, and the dishes are clean.'
let service: LocalService
let speech: Uint8Array
beforeAll(async () => {
  service = await startLocalService({ warmUp: false })
  const client = createClient({ baseUrl: service.baseUrl })
  const audioConfig = { audioEncoding: 'MP3', sampleRateHertz: 24_000 } as const
  speech = (await client.synthesize({ text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }))
    .audio
  await client.close()
})
afterAll(() => service.close())

describe('the recogniser of the flow tests', needsRecogniser(), () => {
  it('recognises the text of speech', () => expectSpoken(speech, text))

  it('rejects another text of the same length', async () => {
    const other = 'Tomorrow there will be a lot of rain in Spain.'
    await expect(expectSpoken(speech, other)).rejects.toThrow('the recogniser understood')
  })
})

it('expectSpoken rejects a truncated file and a text', async () => {
  const cut = speech.subarray(0, 3000)
  await expect(expectSpoken(cut, text)).rejects.toThrow()
  await expect(expectSpoken(Buffer.from(text), text)).rejects.toThrow()
})
