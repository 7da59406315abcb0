import { expect, it, vi } from 'vitest'
import { useExample } from '../support/example.ts'
import { expectSpoken, type HeardSound } from '../support/hearing.ts'

const example = useExample('03 - Choose a voice.json')

it('lists the voices that fit, and speaks with each into a file of its own', async () => {
  await example.press('only Scottish ones')
  expect(await example.shown('written')).toEqual(['voice-Angus.wav'])
  await example.press('all voices')
  const listed = await vi.waitFor(() => {
    const [, count] =
      example
        .statuses('list the voices')
        .at(-1)
        ?.match(/^(\d+) voices$/) ?? []
    expect(Number(count)).toBeGreaterThan(1)
    return Number(count)
  }, 10_000)
  const names = (await example.shown('written', 1 + listed)).slice(1)
  const voices = (await example.shown('each voice', 1 + listed))
    .slice(1)
    .map((voice) => JSON.parse(voice))
  expect(names).toEqual(voices.map(({ voiceId }) => `voice-${voiceId}.wav`))
  const files = await Promise.all(names.map((name) => example.read(name)))
  const heard: HeardSound[] = []
  for (const [index, { displayName }] of voices.entries()) {
    const text = `Hello, my name is ${displayName}. Shall I read the news to you?`
    heard.push(await expectSpoken(files[index]!, text))
  }
  // Each is a voice of its own.
  const sounds = heard.map(({ samples }) => Buffer.from(samples.buffer).toString('base64'))
  expect(new Set(sounds).size).toBe(listed)
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
