import { describe, expect, it } from 'vitest'
import { parseTools } from './parse-tools.ts'

describe('the tools of a form', () => {
  it('are one per line, with choices and types', () => {
    const text = [
      'light: switches a light | room = kitchen, living room | state = on, off',
      '',
      'volume: sets the volume | level = number | song',
      'time: reports the time',
    ].join('\n')
    expect(parseTools(text).tools).toEqual([
      {
        type: 'function',
        name: 'light',
        description: 'switches a light',
        parameters: {
          type: 'object',
          properties: {
            room: { type: 'string', enum: ['kitchen', 'living room'] },
            state: { type: 'string', enum: ['on', 'off'] },
          },
          required: ['room', 'state'],
        },
      },
      {
        type: 'function',
        name: 'volume',
        description: 'sets the volume',
        parameters: {
          type: 'object',
          properties: { level: { type: 'number' }, song: { type: 'string' } },
          required: ['level', 'song'],
        },
      },
      {
        type: 'function',
        name: 'time',
        description: 'reports the time',
        parameters: { type: 'object', properties: {}, required: [] },
      },
    ])
  })

  it('can be JSON, as for the chat API or for the realtime API', () => {
    const parameters = { type: 'object', properties: {} }
    const tool = { type: 'function', name: 'time', description: 'Reports the time', parameters }
    const { type, ...inner } = tool
    for (const entry of [tool, { type, function: inner }]) {
      expect(parseTools(JSON.stringify([entry], null, 2)).tools).toEqual([tool])
    }
  })

  it.each([
    ['time: reports the time\nthe light: switches a light', 'name', 2],
    ['time', 'description', 1],
    ['light: switches a light | = on, off', 'parameter', 1],
    ['light: switches a light | state = ', 'parameter', 1],
    ['time: a\ntime: b', 'twice', 2],
    ['[{', 'json', 1],
    ['[{"name":""}]', 'name', 1],
    ['[null]', 'name', 1],
  ])('have a problem that names the line: %j', (text, problem, line) => {
    expect(parseTools(text).problem).toEqual({ problem, line })
  })
})
