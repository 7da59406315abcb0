import type { Voice } from '@parlando/core/wire'
import { expect, it } from 'vitest'
import { findDefaultVoices, preferredVoices } from './default-voices.ts'

const find = (voices: readonly Voice[]) => findDefaultVoices(voices).map(({ voiceId }) => voiceId)

const [natural = '', simple = ''] = preferredVoices.EN_US!
const voices: Voice[] = [{ voiceId: 'other' }, { voiceId: simple }, { voiceId: natural }]

it('prefers the first voice of the row, wherever it is listed', () => {
  expect(find(voices)[0]).toBe(natural)
})

it('takes the next one if a voice is missing, or cannot speak', () => {
  expect(find(voices.slice(0, 2))).toEqual([simple])
  for (const reason of ['unavailableReason', 'notDefaultReason']) {
    const unfit = { voiceId: natural, [reason]: 'This machine is too slow' }
    expect(find([...voices.slice(0, 2), unfit])).toEqual([simple])
  }
})

it('finds none among other voices', () => {
  expect(find([{ voiceId: 'other' }])).toEqual([])
})
