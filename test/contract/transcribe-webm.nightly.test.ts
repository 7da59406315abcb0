import { createClient } from '@parlando/core'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { browserRecording } from '@parlando/test-support/audio/browser-recording'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { keys } from '@parlando/test-support/secrets/keys'
import { expect, it, onTestFinished } from 'vitest'

const apiKey = keys.service

it('client.transcribe understands WebM, as browsers record it', needsRecogniser(), async () => {
  const service = await startLocalServiceProcess({ apiKey, warmUp: false })
  onTestFinished(() => service.close())
  const client = createClient({ baseUrl: service.baseUrl, apiKey })
  onTestFinished(() => client.close())
  const { text } = await client.transcribe({ audio: browserRecording })
  expect(text).toMatch(/^good morning everyone the coffee is ready/)
})
