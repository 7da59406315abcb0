import { expect, it } from 'vitest'
import { createVoiceList } from '../voices/voice-list.ts'
import { createMetrics } from './service-metrics.ts'

it('the metrics count the jobs that wait or run, and how they ended', async () => {
  let countUnfinished = async () => 7
  const jobs = {
    running: 1,
    ended: { done: 5, failed: 2 },
    countUnfinished: () => countUnfinished(),
  }
  const metrics = createMetrics({ engines: new Map(), voiceList: createVoiceList(), jobs })
  const read = async () => (await metrics.write()).text.split('\n')
  expect(await read()).toEqual(
    expect.arrayContaining([
      'parlando_unfinished_jobs 7',
      'parlando_running_jobs 1',
      'parlando_done_jobs_total 5',
      'parlando_failed_jobs_total 2',
    ]),
  )
  countUnfinished = () => Promise.reject(new Error('away'))
  expect(await read()).toContain('parlando_unfinished_jobs Nan')
})
