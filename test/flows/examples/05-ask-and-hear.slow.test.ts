import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const example = useExample('05 - Ask and hear the answer.json', (flow) => {
  // Long enough for "stop" to arrive in the middle.
  const ask = nodeNamed(flow, 'ask')
  flow.push({
    ...ask,
    id: 'long',
    name: 'ask long',
    payload: `${ask['payload']} And then? `.repeat(60),
  })
})

// Someone listens, so that every sentence can be played.
let editor: ReturnType<typeof example.openEditor>
beforeAll(() => {
  editor = example.openEditor()
})
afterAll(() => editor.close())

const answerFile = () => join(example.nodeRed.folder, 'answer.mp3')

it('stops in the middle of an answer without writing a file', async () => {
  await example.press('ask long')
  await example.debugTexts('audio of each sentence')
  await example.press('stop')
  const idle = ''
  await vi.waitFor(() => expect(example.statuses('speak').at(-1)).toBe(idle), 60_000)
  expect((await example.debugTexts('audio of each sentence')).length).toBeLessThan(60)
  await expect(access(answerFile())).rejects.toThrow('ENOENT')
})

it('speaks the answer sentence by sentence, and joins the audio into one file', async () => {
  const before = (await example.debugTexts('audio of each sentence')).length
  const sentencesBefore = (await example.debugTexts('each sentence')).length
  await example.press('ask')
  const audio = (await example.debugTexts('audio of each sentence', before + 4)).slice(before)
  expect(audio).toEqual(Array(4).fill(expect.stringMatching(/^\d+(\.\d)? s of audio$/)))
  const sentences = (await example.debugTexts('each sentence', sentencesBefore + 4)).slice(
    sentencesBefore,
  )
  expect(sentences).toEqual([
    // The start of the first sentence, so that speech begins early.
    'This is the echo of this device,',
    'not a language model.',
    'You said: How long should I boil an egg?',
    'I like it soft.',
  ])
  await example.expectSpoken('answer.mp3', sentences.join(' '))
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
