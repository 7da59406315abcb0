import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { expect, it } from 'vitest'
import { createEarlyRecognition } from './turn-recognition.ts'

const samples = new Int16Array(1600)

function start() {
  const recogniser = createFakeRecogniser({ finalSilenceMs: 0 })
  const { signal } = new AbortController()
  const request = { modelId: 'fake/model', withWords: false, signal }
  return { recogniser, turn: createEarlyRecognition({ recogniser, request }) }
}

it('recognises a turn that ends in a pause once, up to the pause', async () => {
  const { recogniser, turn } = start()
  turn.write(samples)
  const early = turn.pause(200)
  turn.write(samples)
  expect(await turn.end(300)).toBe(await early)
  expect(await early).toMatchObject({ text: '100 ms' })
  expect(recogniser.requests).toHaveLength(1)
})

it('recognises a turn that goes on again, from its start, and also after a second pause', async () => {
  const { recogniser, turn } = start()
  for (const _pause of [1, 2]) {
    turn.write(samples)
    await turn.pause(200)
    turn.write(samples)
    turn.resume()
  }
  expect(await turn.end(300)).toMatchObject({ text: '400 ms' })
  expect(recogniser.requests).toHaveLength(3)
  expect(recogniser.running).toBe(0)
})

it('leaves nothing running when it is cancelled in a pause', async () => {
  const { recogniser, turn } = start()
  recogniser.onWork = (work) => (work === 'end' ? new Promise(() => {}) : undefined)
  turn.write(samples)
  await turn.taken()
  void turn.pause(200)
  turn.cancel()
  expect(recogniser.running).toBe(0)
})
