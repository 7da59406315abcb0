import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { post, speechRequest } from '@parlando/test-support/local-service/test-app'
import { expect, it } from 'vitest'
import { EngineError } from '../../errors/engine-error.ts'
import { openService } from './long-text-service.test-case.ts'

/** Submits a batch to a service whose engine is away for some texts. @returns the attempts to speak each text, in order. */
async function attemptsOf(texts: readonly string[], isAway: (text: string) => boolean) {
  const flite = createFakeEngine()
  const { speakPhrase } = flite.engine
  flite.engine.speakPhrase = async (phrase) => {
    if (isAway(phrase.text)) throw new EngineError('unavailable', 'The engine is away')
    return speakPhrase(phrase)
  }
  // It makes up to two further attempts.
  const service = await openService({ flite })
  const items = texts.map((text) => ({ customId: text, request: { ...speechRequest, text } }))
  const { name } = await (
    await post(service.app, '/tts/v1/voice:synthesizeBatch', { items })
  ).json()
  await service.ended(name)
  const operation = await service.read(name)
  expect(operation.metadata.state).toBe('SUCCEEDED')
  const { failedItems } = await (await service.request(operation.response.resultsUri)).json()
  return { spoken: service.spoken, failedItems }
}

it('the texts of a batch whose voice stays away share their further attempts', async () => {
  expect(await attemptsOf(['One.', 'Two.', 'Three.'], () => true)).toEqual({
    spoken: ['One.', 'One.', 'One.', 'Two.', 'Three.'],
    failedItems: 3,
  })
})

it('a batch whose voice is back has further attempts again', async () => {
  const isAway = (text: string) => text !== 'Two.'
  expect(await attemptsOf(['One.', 'Two.', 'Three.'], isAway)).toEqual({
    spoken: ['One.', 'One.', 'One.', 'Two.', 'Three.', 'Three.', 'Three.'],
    failedItems: 2,
  })
})

it('a text of a batch has its own warnings', async () => {
  const flite = createFakeEngine()
  flite.engine.skippedCharacters = (text) => [...text.matchAll(/猫/g)].map(([cat]) => cat)
  const service = await openService({ flite })
  const items = ['A 猫.', 'A dog.'].map((text) => ({
    customId: text,
    request: { ...speechRequest, text },
  }))
  const { name } = await (
    await post(service.app, '/tts/v1/voice:synthesizeBatch', { items })
  ).json()
  await service.ended(name)
  const { resultsUri } = (await service.read(name)).response
  const { results } = await (await service.request(resultsUri)).json()
  const warning = { code: 'skipped-characters', characters: '猫' }
  expect(results).toMatchObject([{ warnings: [warning] }, { customId: 'A dog.' }])
  expect(results[1]).not.toHaveProperty('warnings')
})
