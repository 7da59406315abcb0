import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import {
  createTestApp,
  makeClonedVoice,
  speechRequest,
} from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createVoiceList } from '../../../packages/local-service/src/voices/voice-list.ts'
import { fuzz } from '../cases.ts'
import { damaged } from '../inputs/bytes.ts'
import { anyJson, mutated } from '../inputs/json.ts'

const flite = createFakeEngine()
const voiceList = createVoiceList(undefined, new Map([['flite', flite]]))
const failures: unknown[] = []
const app = createTestApp(flite, (error) => failures.push(error), voiceList, {
  apiKey: keys.service,
})

async function request(path: string, method = 'GET', body?: Buffer<ArrayBuffer>) {
  const response = await app.request(path, {
    method,
    headers: { authorization: `Basic ${keys.service}` },
    ...(body && { body }),
  })
  const text = await response.text()
  expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
  expect(text).not.toContain(keys.service)
  return { status: response.status, text }
}

it('a voice file of any content is rejected with a reason, or becomes a voice that speaks and can be saved again', async () => {
  const anna = makeClonedVoice('anna', { displayName: 'Anna', tags: ['calm'] })
  await voiceList.clones.add(anna)
  const { text } = await request(`/local/v1/voices/${anna.voice.voiceId}:export`)
  const file = JSON.parse(text)
  const recorded = { ...file, recording: { audioData: 'UklGRg==', text: 'Hello.' } }
  const content = fc
    .oneof(
      { weight: 10, arbitrary: mutated(file, 1).map((json) => JSON.stringify(json) ?? '') },
      { weight: 3, arbitrary: damaged(text, 1) },
      { weight: 1, arbitrary: anyJson.map((json) => JSON.stringify(json) ?? '') },
    )
    .map((given) => Buffer.from(given, 'utf8'))
  const outcomes = new Set<number>()
  const check = async (given: Buffer<ArrayBuffer>) => {
    const { status, text: reason } = await request('/local/v1/voices:import', 'POST', given)
    outcomes.add(status)
    expect([200, 400, 413], reason).toContain(status)
    if (status !== 200) {
      expect(JSON.parse(reason).message).toMatch(/^.{5,2000}$/su)
      return
    }
    const { voiceId } = JSON.parse(reason)
    const speech = { ...speechRequest, text: 'Hi.', voiceId }
    const spoken = await request('/tts/v1/voice', 'POST', Buffer.from(JSON.stringify(speech)))
    expect(spoken, spoken.text).toMatchObject({ status: 200 })
    expect(await request(`/local/v1/voices/${voiceId}:export`)).toMatchObject({ status: 200 })
    expect(await request(`/voices/v1/voices/${voiceId}`, 'DELETE')).toMatchObject({ status: 200 })
  }
  await fuzz(content, check, { lanes: 2 })
  // Each recording is decoded in a process.
  const recordings = mutated(recorded, 1).map((json) => Buffer.from(JSON.stringify(json) ?? ''))
  await fuzz(recordings, check, { share: 0.02 })
  expect([...outcomes].sort()).toEqual(expect.arrayContaining([200, 400]))
  expect(voiceList.clones.list()).toHaveLength(1)
  expect(failures).toEqual([])
})
