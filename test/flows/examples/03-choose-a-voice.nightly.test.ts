import {
  type DecodedAudio,
  decodeAudio,
  expectSpoken,
} from '@parlando/test-support/audio/expect-spoken'
import { useExample } from '@parlando/test-support/node-red/example'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const example = useExample('03 - Choose a voice.json')

// Someone listens, so that every voice can be heard.
let editor: ReturnType<typeof example.openEditor>
beforeAll(() => {
  editor = example.openEditor()
})
afterAll(() => editor.close())

/** The result of one press of a button: the voices and the written files. */
async function pressed(button: string) {
  const before = (await example.debugTexts('written', 0)).length
  const shownBefore = example.statuses('list the voices').length
  await example.press(button)
  const count = await vi.waitFor(() => {
    const news = example.statuses('list the voices').slice(shownBefore).at(-1)
    const [, listed] = news?.match(/^(\d+) voices$/) ?? []
    expect(Number(listed)).toBeGreaterThan(0)
    return Number(listed)
  }, 60_000)
  const names = (await example.debugTexts('written', before + count)).slice(before)
  const voices = (await example.debugTexts('each voice', before + count)).slice(before)
  return { names, voices: voices.map((voice) => JSON.parse(voice)) }
}

it('speaks only with the voices that the message asks for', async () => {
  const { names, voices } = await pressed('only Scottish ones')
  expect(names).toContain('voice-Angus.wav')
  for (const { tags } of voices) expect(tags).toContain('scottish')
  await vi.waitFor(() => expect(example.statuses('hear it').at(-1)).toMatch(/^played/), 60_000)
})

it('lists all voices, and saves the speech of each to its own file', async () => {
  const { names, voices } = await pressed('all voices')
  expect(names.length).toBeGreaterThan(3)
  expect(names).toEqual(voices.map(({ voiceId }) => `voice-${voiceId}.wav`))
  const files = await Promise.all(names.map((name) => example.read(name)))
  const decoded: DecodedAudio[] = []
  for (const [index, { displayName, langCode }] of voices.entries()) {
    const text = `Hello, my name is ${displayName}. Shall I read the news to you?`
    // The recogniser understands English by voices of English only.
    const isEnglish = langCode.startsWith('EN')
    decoded.push(
      isEnglish ? await expectSpoken(files[index]!, text) : await decodeAudio(files[index]!),
    )
  }
  // All voices differ.
  const sounds = decoded.map(({ samples }) => Buffer.from(samples.buffer).toString('base64'))
  expect(new Set(sounds).size).toBe(voices.length)
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
