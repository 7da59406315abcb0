import { expect, it, vi } from 'vitest'
import { nodeNamed, useExample } from '../support/example.ts'
import { expectSpoken } from '../support/hearing.ts'
import { readSound } from '../support/sound.ts'

const example = useExample('01 - First words.json')

it('speaks its text into a WAV file, and says how long that is', async () => {
  await example.press('say it')
  const { payload } = nodeNamed(example.flow, 'say it')
  const facts = await vi.waitFor(async () => {
    const shown = await example.shown('each chunk', 2)
    const last = JSON.parse(shown.at(-1)!)
    expect(last.usage).toBeDefined()
    return last
  }, 15_000)
  const file = await vi.waitFor(async () => {
    const written = await example.read('first-words.wav')
    expect(written.length).toBe(facts.bytes)
    return written
  })
  expect(readSound(file).sampleRateHertz).toBe(24_000)
  const { seconds } = await expectSpoken(file, payload)
  expect(facts).toMatchObject({ encoding: 'WAV', voiceId: 'Clara', channels: 1 })
  expect(facts.durationSeconds).toBeCloseTo(seconds, 2)
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
