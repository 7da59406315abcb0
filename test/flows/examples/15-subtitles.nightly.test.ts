import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { useExample } from '@parlando/test-support/node-red/example'
import { expect, it, vi } from 'vitest'

const example = useExample('15 - Subtitles of a recording.json')

it('writes a file of subtitles with the times of a recording', needsRecogniser(), async () => {
  await example.press('make subtitles')
  const [shown] = await example.debugTexts('the subtitles')
  const subtitle = /^\d+\n00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}\n(.+\n){1,2}$/
  const subtitles = shown!.split(/\n(?=\n)/).map((text) => `${text.trim()}\n`)
  // Longer than one subtitle may last. The recogniser writes no full stops, so a sentence need not begin a new one.
  expect(subtitles.length).toBeGreaterThanOrEqual(2)
  for (const text of subtitles) expect(text).toMatch(subtitle)
  await vi.waitFor(async () => expect((await example.read('talk.srt')).toString()).toBe(shown))
})
