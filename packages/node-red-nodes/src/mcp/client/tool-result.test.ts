import { describe, expect, it } from 'vitest'
import { readToolResult } from './tool-result.ts'

describe('the result of a tool', () => {
  it.each([
    [{ content: [{ type: 'text', text: 'It rains.' }] }, 'It rains.'],
    [
      {
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'Two' },
        ],
      },
      'One\nTwo',
    ],
    [{ content: [], structuredContent: { degrees: 4 } }, '{"degrees":4}'],
    [{ content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }, '(image, image/png)'],
    [
      { content: [{ type: 'resource', resource: { uri: 'file:a', text: 'The file' } }] },
      'The file',
    ],
    [{ content: [{ type: 'resource_link', uri: 'file:a', name: 'a' }] }, 'file:a'],
    [
      { content: [{ type: 'text', text: 'no power' }], isError: true },
      'The tool reports an error: no power',
    ],
    [{}, 'The tool has returned nothing.'],
    [{ content: [null, 4, 'text', {}] }, 'The tool has returned nothing.'],
    [{ content: 'text' }, 'The tool has returned nothing.'],
  ])('is text: %j', (output, text) => {
    expect(readToolResult(output)).toBe(text)
  })

  it('is cut after 20,000 characters, and not in the middle of one', () => {
    const text = `${'a'.repeat(19_999)}😀${'b'.repeat(100)}`
    const result = readToolResult({ content: [{ type: 'text', text }] })
    expect(result).toMatch(/^a{19999}\n\(The rest of 20101 characters is left out\.\)$/)
  })
})
