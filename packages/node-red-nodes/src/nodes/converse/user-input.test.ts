import { expect, it } from 'vitest'
import { NodeInputError } from '../../runtime/failure.ts'
import { createAudioCollector } from '../../sounds/incoming-audio.ts'
import type { ConverseMessage } from './conversation-messages.ts'
import { createUserInput } from './user-input.ts'

const RED = { _: (key: string) => key }

it('rejects a message when 1,000 others wait for the connection', () => {
  const collector = createAudioCollector(RED)
  const input = createUserInput(RED, collector, undefined)
  for (let count = 0; count < 1000; count++) input.take({ payload: 'Hello' } as ConverseMessage)
  expect(() => input.take({ payload: 'Hello' } as ConverseMessage)).toThrow(NodeInputError)

  const chunk = (index: number) =>
    ({ payload: Buffer.alloc(320), parts: { id: 'r', index } }) as unknown as ConverseMessage
  const first = chunk(0)
  expect(collector.takeChunk(first)).toBe(false)
  expect(() => input.take(first)).toThrow(/too-many-waiting/)
  // The rest of a rejected recording is not an error for each chunk.
  expect(collector.takeChunk(chunk(1))).toBe(true)
})
