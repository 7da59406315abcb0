import { type LocalService, startLocalService } from '@parlando/local-service'
import { afterAll, beforeAll, expect } from 'vitest'
import { keys } from '../secrets/keys.ts'

/** Starts a service for the forms of a test file. */
export function useHostedService() {
  let service: LocalService
  beforeAll(async () => {
    service = await startLocalService({ apiKey: keys.service, warmUp: false })
  })
  afterAll(() => service.close())
  return {
    serviceUrl: () => service.baseUrl,
    /** The part of a form that names the service. */
    hosted: (more: object = {}) => ({
      service: { location: 'hosted', baseUrl: service.baseUrl, apiKey: keys.service, ...more },
    }),
  }
}

export const someVoices = {
  voices: expect.arrayContaining([
    expect.objectContaining({ voiceId: 'Clara', langCode: 'EN_US' }),
  ]),
}
export const spoken = { text: 'Hello there.', voiceId: 'Clara', modelId: 'svc-tts-2' }
