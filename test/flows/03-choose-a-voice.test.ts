import { expect, it } from 'vitest'
import { useExample } from '../support/example.ts'
import { expectSpoken } from '../support/hearing.ts'

const example = useExample('03 - Choose a voice.json')

it('lists the voices that fit, and speaks with each into a file of its own', async () => {
  await example.press('only Scottish ones')
  expect(await example.shown('written')).toEqual(['voice-Angus.wav'])
  await example.press('all voices')
  const names = (await example.shown('written', 5)).slice(1)
  const voices = (await example.shown('each voice', 5)).map((voice) => JSON.parse(voice)).slice(1)
  expect(names).toEqual(voices.map(({ voiceId }) => `voice-${voiceId}.wav`))
  const files = await Promise.all(names.map((name) => example.read(name)))
  const heard = []
  for (const [index, { displayName }] of voices.entries()) {
    const text = `Hello, my name is ${displayName}. Shall I read the news to you?`
    heard.push(await expectSpoken(files[index]!, text))
  }
  // Each is a voice of its own.
  expect(new Set(heard.map(({ samples }) => samples.length)).size).toBe(voices.length)
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
