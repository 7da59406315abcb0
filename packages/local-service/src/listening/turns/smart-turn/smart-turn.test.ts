import { fileURLToPath } from 'node:url'
import { fallingVoice } from '@parlando/test-support/audio/computed-sounds'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { afterAll, expect, it } from 'vitest'
import { toInt16 } from '../../../audio/pcm.ts'
import { openSmartTurn } from './smart-turn.ts'

const warnings: string[] = []
const weights = fileURLToPath(
  import.meta.resolve('@parlando/voices/smart-turn/weights.safetensors'),
)
const warn = (message: string) => warnings.push(message)
const model = openSmartTurn({ weights, warn })!
afterAll(() => model.close())

const complete = toInt16(fallingVoice(3, 20))
const incomplete = toInt16(fallingVoice(3, 0))

it('needs its weights', () => {
  expect(openSmartTurn({ weights: undefined, warn })).toBeUndefined()
  expect(openSmartTurn({ weights: `${weights}.none`, warn })).toBeUndefined()
})

it('judges several speakers in parallel', async () => {
  await model.prepare()
  expect(warnings).toEqual([])
  const judged = [complete, incomplete].map((samples) => model.isComplete(samples))
  expect(await Promise.all(judged)).toEqual([true, false])
})

it('judges nothing if its process ends, and starts again for the next pause', async () => {
  const judged = model.isComplete(complete)
  await expect.poll(runningChildProcesses).toHaveLength(1)
  for (const child of runningChildProcesses()) child.kill('SIGKILL')
  expect(await judged).toBeUndefined()
  expect(warnings).toEqual(['The end-of-turn model failed: its process ended'])
  await expect.poll(runningChildProcesses).toEqual([])
  expect(await model.isComplete(complete)).toBe(true)
})
