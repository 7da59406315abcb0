import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { expect, it } from 'vitest'
import { echoLanguageModel } from './echo-language-model.ts'

it('the echo looks for the name of a tool once in what was said, however many tools there are', async () => {
  const tools = Array.from({ length: 1900 }, (_, number) => {
    return { type: 'function' as const, name: `switch_light_${number}` }
  })
  const held = await measureHold(async () => {
    const response = echoLanguageModel.respond({
      messages: [{ role: 'user', content: 'light switch '.repeat(80_000) }],
      tools,
      toolChoice: 'auto',
      maxTokens: 'inf',
      temperature: null,
      signal: new AbortController().signal,
    })
    const types = new Set<string>()
    for await (const { type } of response) types.add(type)
    expect(types).toEqual(new Set(['text', 'end']))
  })
  expect(held).toBeLessThan(maxHoldMs)
})

it('the echo hears the name of a tool, whichever way its accents are written', async () => {
  const tool = { type: 'function' as const, name: 'café'.normalize('NFC') }
  const response = echoLanguageModel.respond({
    messages: [{ role: 'user', content: 'Au café !'.normalize('NFD') }],
    tools: [tool],
    toolChoice: 'auto',
    maxTokens: 'inf',
    temperature: null,
    signal: new AbortController().signal,
  })
  const types: string[] = []
  for await (const { type } of response) types.push(type)
  expect(types).toEqual(['toolCall', 'end'])
})
