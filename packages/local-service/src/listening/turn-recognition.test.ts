import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { expect, it } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import { createTurnRecognition } from './turn-recognition.ts'

it('releases the slot of a recogniser that rejects the sound of a turn', async () => {
  const recogniser = createFakeRecogniser()
  recogniser.onWork = (work) => {
    if (work === 'write') throw new EngineError('input', 'The sound is too long')
  }
  const { signal } = new AbortController()
  const request = { modelId: 'fake/model', withWords: false, signal }
  const turn = createTurnRecognition({ recogniser, request })
  turn.write(new Int16Array(160))
  await expect(turn.end(0)).rejects.toThrow('too long')
  expect(recogniser.running).toBe(0)
})
