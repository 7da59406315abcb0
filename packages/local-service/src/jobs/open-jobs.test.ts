import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { expect, it, onTestFinished } from 'vitest'
import { createEncoderPool } from '../audio/encoding/encoder-pool.ts'
import { createVoiceList } from '../voices/voice-list.ts'
import { openJobs } from './open-jobs.ts'

it('openJobs uses a folder that it could not read before', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'parlando-data-'))
  onTestFinished(() => rmSync(dataFolder, { recursive: true }))
  const engines = new Map([['flite', createFakeEngine()]])
  const service = {
    engines,
    voiceList: createVoiceList(undefined, engines),
    encoders: createEncoderPool(),
  }
  const warnings: string[] = []
  const open = () =>
    openJobs({ dataFolder, service, warn: (message) => warnings.push(message), onFailure() {} })
  // A folder in place of a document.
  const document = join(dataFolder, 'jobs', 'a', 'job.json')
  mkdirSync(document, { recursive: true })
  await expect(open()).rejects.toMatchObject({ code: 'EISDIR' })
  rmSync(document, { recursive: true })
  const jobs = await open()
  onTestFinished(() => jobs.close())
  expect(warnings).toEqual([])
})
