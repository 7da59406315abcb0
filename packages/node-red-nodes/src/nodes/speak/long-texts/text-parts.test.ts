import { countTurns } from '@parlando/test-support/watch/event-loop'
import { expect, it } from 'vitest'
import { cutIntoParts } from './text-parts.ts'

const { signal } = new AbortController()

it('a text with headings is cut into its chapters, which begin with their titles', async () => {
  const text =
    'A foreword.\n\n# The door\nIt was closed.\n\n## Who was it? ##\nNobody.\n#5 is no heading.'
  expect(await cutIntoParts(text, signal)).toEqual([
    { text: 'A foreword.\n' },
    { title: 'The door', text: 'The door.\n\nIt was closed.\n' },
    { title: 'Who was it?', text: 'Who was it?\n\nNobody.\n#5 is no heading.' },
  ])
})

it('a text with one heading or none stays whole', async () => {
  for (const text of ['# The door\nIt was closed.', 'It was closed.']) {
    expect(await cutIntoParts(text, signal)).toEqual([{ text }])
  }
})

it('a chapter above the limit of a job is cut where a speaker pauses, and keeps one title', async () => {
  const sentence = 'It was a dark night, and nobody was awake. '
  const parts = await cutIntoParts(`# One\n${sentence.repeat(3000)}\n# Two\n${sentence}`, signal)
  expect(parts.flatMap(({ title }) => title ?? [])).toEqual(['One', 'Two'])
  expect(parts[0]!.title).toBe('One')
  for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(20_000)
  for (const { text } of parts) expect(text.trimEnd()).toMatch(/\.$/)
})

it('a book leaves turns of the event loop to others while it is cut', async () => {
  const book = 'It was a dark night, and nobody was awake. '.repeat(5000)
  let count = 0
  const turns = await countTurns(async () => {
    count = (await cutIntoParts(book, signal)).length
  })
  expect(count).toBe(11)
  expect(turns).toBeGreaterThanOrEqual(count)
})

it('a text that is stopped while it is cut ends with the reason', async () => {
  const stopping = new AbortController()
  const cut = cutIntoParts('It was a dark night. '.repeat(5000), stopping.signal)
  stopping.abort(new Error('stopped'))
  await expect(cut).rejects.toThrow('stopped')
})
