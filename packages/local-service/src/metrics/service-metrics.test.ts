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
