import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LanguageModel, ModelOutput, ModelRequest } from '../../chat/language-model.ts'
import { createEarlyResponse } from './early-response.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const request: Omit<ModelRequest, 'signal'> = {
  messages: [{ role: 'user', content: 'Hi.' }],
  tools: [],
  toolChoice: 'auto',
  maxTokens: 'inf',
  temperature: null,
}

/** A model that says the second sentence of its response when `finish` is called. */
function createSlowModel() {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const signals: AbortSignal[] = []
  const model: LanguageModel = {
    async *respond({ signal }) {
      signals.push(signal)
      yield { type: 'text', text: 'One. ' }
      await finished
      signal.throwIfAborted()
      yield { type: 'text', text: 'Two.' }
    },
  }
  return { model, signals, finish }
}

async function read(outputs: AsyncIterable<ModelOutput>): Promise<string[]> {
  const texts: string[] = []
  for await (const output of outputs) if (output.type === 'text') texts.push(output.text)
  return texts
}

describe('an early response', () => {
  it('ends after five seconds in which nobody takes it', async () => {
    const { model, signals, finish } = createSlowModel()
    createEarlyResponse().begin(model, request)
    await vi.advanceTimersByTimeAsync(5500)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    finish()
  })

  it('is not the response of a request that comes later', async () => {
    const { model, signals, finish } = createSlowModel()
    const early = createEarlyResponse()
    early.begin(model, request)
    await vi.advanceTimersByTimeAsync(61_000)
    finish()
    const { signal } = new AbortController()
    expect(await read(early.respond(model, { ...request, signal }))).toEqual(['One. ', 'Two.'])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it('ends with the text that a response can have, although nobody reads it', async () => {
    let sentences = 0
    const endless: LanguageModel = {
      async *respond() {
        for (; sentences < 1000; sentences++) yield { type: 'text', text: 'x'.repeat(1000) }
      },
    }
    const early = createEarlyResponse()
    early.begin(endless, request)
    const { signal } = new AbortController()
    const texts = await read(early.respond(endless, { ...request, signal }))
    expect(texts.join('')).toHaveLength(20_000)
    expect(sentences).toBeLessThan(21)
  })

  it('lasts as long as the request that takes it', async () => {
    const { model, signals, finish } = createSlowModel()
    const early = createEarlyResponse()
    early.begin(model, request)
    const taking = new AbortController()
    const outputs = early.respond(model, { ...request, signal: taking.signal })
    await vi.advanceTimersByTimeAsync(61_000)
    finish()
    expect(await read(outputs)).toEqual(['One. ', 'Two.'])
    taking.abort()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('is not the response if it has failed before the request', async () => {
    let attempts = 0
    const recovering: LanguageModel = {
      async *respond() {
        attempts++
        if (attempts === 1) throw new Error('Busy')
        yield { type: 'text', text: 'One.' }
      },
    }
    const early = createEarlyResponse()
    early.begin(recovering, request)
    await vi.advanceTimersByTimeAsync(100)
    const { signal } = new AbortController()
    expect(await read(early.respond(recovering, { ...request, signal }))).toEqual(['One.'])
  })

  it('is not the response of another model', async () => {
    const { model, signals, finish } = createSlowModel()
    const early = createEarlyResponse()
    early.begin(model, request)
    const other: LanguageModel = {
      async *respond() {
        yield { type: 'text', text: 'Other.' }
      },
    }
    const { signal } = new AbortController()
    expect(await read(early.respond(other, { ...request, signal }))).toEqual(['Other.'])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    finish()
  })
})
