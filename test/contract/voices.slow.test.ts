import { type Client, createClient, type Voice } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let service: LocalService
let client: Client
beforeAll(async () => {
  service = await startLocalService({ warmUp: false })
  client = createClient({ baseUrl: service.baseUrl })
})
afterAll(async () => {
  await client.close()
  await service.close()
})

async function listAll(request: Parameters<Client['listAllVoices']>[0]): Promise<Voice[]> {
  const voices: Voice[] = []
  for await (const voice of client.listAllVoices(request)) voices.push(voice)
  return voices
}

describe('the voices of the library', () => {
  it('are the same in one list and on all pages', async () => {
    const { voices, totalSize, nextPageToken } = await client.listVoices()
    expect(voices.length).toBeGreaterThanOrEqual(4)
    expect([totalSize, nextPageToken]).toEqual([voices.length, undefined])
    for (const pageSize of [1, 3, voices.length, 2000]) {
      expect(await listAll({ pageSize })).toEqual(voices)
    }
  })

  it('are ordered and filtered', async () => {
    const { voices } = await client.listVoices()
    const byName = await listAll({ orderBy: 'display_name desc', pageSize: 2 })
    const names = voices.map(({ displayName }) => displayName as string)
    expect(byName.map(({ displayName }) => displayName)).toEqual(names.sort().reverse())
    const women = voices.filter(
      ({ gender, langCode }) => gender === 'female' && langCode?.startsWith('EN'),
    )
    const filter = 'source = "SYSTEM" AND lang_code = "en" AND gender = "female"'
    expect(await listAll({ filter, languages: ['en', 'de'] })).toEqual(women)
    expect(women.length).toBeGreaterThan(0)
  })

  it.each([
    [{ filter: 'age = "old"' }, /filter: age is not a known field; use .*lang_code/],
    [{ orderBy: 'age' }, /orderBy: age is not an order/],
    [{ pageToken: '1-20' }, /pageToken: it was not issued by this service/],
    [{ languages: 'English' }, /languages: English is not a language code; write EN_US/],
  ])('are not listed for %j', async (request, message) => {
    const failure = { code: 'INVALID_ARGUMENT', status: 400, message }
    await expect(client.listVoices(request)).rejects.toMatchObject(failure)
  })

  it('can be read one by one, but not changed or deleted', async () => {
    const { voices } = await client.listVoices()
    for (const voice of voices) expect(await client.getVoice(voice.voiceId)).toEqual(voice)
    const failure = { code: 'PERMISSION_DENIED', status: 403, retryable: false, message: /library/ }
    const change = { voiceId: 'Clara', displayName: 'Karla' }
    await expect(client.updateVoice(change)).rejects.toMatchObject(failure)
    await expect(client.deleteVoice('Clara')).rejects.toMatchObject(failure)
    expect((await client.listVoices()).voices).toEqual(voices)
  })

  it('have a preview', async () => {
    const { voices } = await client.listVoices()
    const oneOfEachLanguage = new Map(voices.map((voice) => [voice.langCode, voice])).values()
    for (const { voiceId } of isThoroughRun ? voices : oneOfEachLanguage) {
      const preview = await client.previewVoice({ voiceId, modelId: 'svc-tts-2-flash' })
      expect(preview.mediaType).toBe('audio/mpeg')
      expect(preview.audio.length).toBeGreaterThan(10_000)
    }
  })
})

describe('a voice that does not exist', () => {
  it.each(['Nobody', 'my__voice', '../Clara', 'a/b:publish', 'Clara?', '100 %', 'Zoë'])(
    'is unknown: %s',
    async (voiceId) => {
      const failure = { code: 'NOT_FOUND', status: 404, retryable: false }
      await expect(client.getVoice(voiceId)).rejects.toMatchObject(failure)
      await expect(client.updateVoice({ voiceId, tags: [] })).rejects.toMatchObject(failure)
      await expect(client.deleteVoice(voiceId)).rejects.toMatchObject(failure)
      const preview = client.previewVoice({ voiceId, modelId: 'svc-tts-2' })
      await expect(preview).rejects.toMatchObject(failure)
    },
  )
})

it('the service cannot design or publish voices, and says what to do instead', async () => {
  const designPrompt = 'A calm woman in her fifties with a low voice'
  const design = client.designVoice({ langCode: 'EN_US', designPrompt })
  const failure = { code: 'UNIMPLEMENTED', status: 501, retryable: false }
  await expect(design).rejects.toMatchObject({ ...failure, message: /clone one/ })
  const publication = client.publishVoice({ voiceId: 'my__voice', displayName: 'Mine' })
  await expect(publication).rejects.toMatchObject({ ...failure, message: /nothing to publish/ })
})
