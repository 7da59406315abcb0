import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { damaged } from '../inputs/bytes.ts'
import { anyJson, mutated } from '../inputs/json.ts'

export function toText(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

/** The text of a message: a valid one in most cases, and otherwise one that is damaged or something else. */
export function anyMessage(valid: readonly object[]): fc.Arbitrary<string> {
  return fc
    .constantFrom<object>(...valid)
    .chain((one) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constant(one).map(toText) },
        { weight: 2, arbitrary: mutated(one, 1).map(toText) },
        { weight: 2, arbitrary: damaged(toText(one), 1) },
        { weight: 1, arbitrary: anyJson.map(toText) },
        { weight: 1, arbitrary: damaged('') },
      ),
    )
}

/** A text, and whether it is sent as a binary message. */
export type SentMessage = readonly [text: string, binary: boolean]

export interface SocketOutcome {
  received: string[]
  code: number
}

/** Sends all messages to a socket of the service, and ends the stream. */
export async function converse(
  baseUrl: string,
  path: string,
  messages: readonly SentMessage[],
): Promise<SocketOutcome> {
  const url = `${baseUrl.replace('http', 'ws')}${path}`
  const headers = { authorization: `Basic ${keys.service}` }
  const webSocket = new WebSocket(url, { headers })
  const received: string[] = []
  webSocket.on('message', (data) => received.push(String(data)))
  webSocket.on('error', () => {})
  webSocket.once('open', () => {
    for (const [text, binary] of messages) webSocket.send(Buffer.from(text, 'latin1'), { binary })
    webSocket.send('{"closeStream":{}}')
  })
  const code = await new Promise<number>((resolve) => webSocket.once('close', resolve))
  return { received, code }
}

/** Expects results, and one error at most, which ends the stream. @param resultAt what the result at a position is called. */
export function expectOutcome(
  { received, code }: SocketOutcome,
  resultAt: (index: number) => unknown,
): void {
  for (const [index, text] of received.entries()) {
    expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
    expect(text).not.toContain(keys.service)
    const { result, error } = JSON.parse(text)
    if (result) {
      expect(Object.keys(result)).toEqual([resultAt(index)])
      continue
    }
    expect(index).toBe(received.length - 1)
    expect(error).toEqual({
      code: expect.any(Number),
      message: expect.stringMatching(/^.{5,2000}$/su),
      details: [],
    })
    expect(code).toBe(1008)
  }
  // 1007: text that is not UTF-8, which the library rejects.
  expect([1000, 1007, 1008]).toContain(code)
}
