import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { expect, it } from 'vitest'
import type { EngineModel } from '../engines/engine.ts'
import { createVoiceList } from '../voices/voice-list.ts'
import { createMetrics } from './service-metrics.ts'

it('metrics forget a model that was removed', async () => {
  const models: EngineModel[] = [{ name: 'anna', isLoaded: true, memoryBytes: 1 }]
  const fake = createFakeEngine()
  const engines = new Map([['sherpa', { ...fake, engine: { ...fake.engine, models } }]])
  const metrics = createMetrics({ engines, voiceList: createVoiceList() })
  expect((await metrics.write()).text).toContain(
    'parlando_model_loaded{engine="sherpa",model="anna"}',
  )
  models.pop()
  expect((await metrics.write()).text).not.toContain('anna')
})

it('metrics count the texts that are being spoken, and those that were rejected', async () => {
  const fake = createFakeEngine()
  const metrics = createMetrics({
    engines: new Map([['flite', fake]]),
    voiceList: createVoiceList(),
  })
  const clock = { add() {}, lastsUntilMs: Number.POSITIVE_INFINITY }
  const wanted = { caller: 'a', voice: 'slt', characters: 10_000, clock }
  const admitAll = () => {
    for (;;) fake.scheduler.admit(wanted)
  }
  expect(admitAll).toThrow('make gaps')
  const { admitted } = fake.scheduler.load
  const lines = (await metrics.write()).text.split('\n')
  expect(lines).toContain(`parlando_speaking_texts{engine="flite"} ${admitted}`)
  expect(lines).toContain('parlando_rejected_texts_total{engine="flite"} 1')
})
