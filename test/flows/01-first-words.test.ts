import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { readWav } from '@parlando/test-support/audio/read-wav'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it, vi } from 'vitest'

const example = useExample('01 - First words.json')

it('writes its text as speech to a WAV file, and reports the length', async () => {
  await example.press('say it')
  const { payload } = nodeNamed(example.flow, 'say it')
  const { file, facts } = await vi.waitFor(async () => {
    const written = await example.read('first-words.wav')
    const last = JSON.parse((await example.debugTexts('each chunk')).at(-1)!)
    expect(written.length).toBe(last.bytes)
    return { file: written, facts: last }
  }, 60_000)
  expect(readWav(file).sampleRateHertz).toBe(24_000)
  const { seconds } = await expectSpoken(file, payload)
  expect(facts).toMatchObject({ encoding: 'WAV', voiceId: 'Clara', channels: 1 })
  expect(facts.durationSeconds).toBeCloseTo(seconds, 2)
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
