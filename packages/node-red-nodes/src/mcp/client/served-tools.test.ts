import { describe, expect, it } from 'vitest'
import { type ListedTool, selectTools } from './served-tools.ts'

const tool = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
})

describe('the tools of a server', () => {
  it('have names that language models accept', () => {
    const listed = [tool('weather.today', { description: 'The weather' }), tool('x'.repeat(80))]
    expect(selectTools(listed, []).tools).toEqual([
      {
        ownName: 'weather.today',
        name: 'weather_today',
        description: 'The weather',
        parameters: { type: 'object' },
      },
      expect.objectContaining({ name: 'x'.repeat(64) }),
    ])
  })

  it('are those that the form lists', () => {
    const { tools } = selectTools([tool('a'), tool('b'), tool('c')], ['c', 'a'])
    expect(tools?.map(({ name }) => name)).toEqual(['a', 'c'])
  })

  it.each([
    ['missing', [tool('a')], ['b'], 'b'],
    ['same-name', [tool('a.b'), tool('a/b')], [], 'a/b'],
    ['too-many', Array.from({ length: 101 }, (_, index) => tool(`t${index}`)), [], 101],
    ['too-large', [tool('a', { description: 'x'.repeat(200_001) })], [], 200_000],
  ])('have a problem: %s', (fault, listed, chosen, name) => {
    expect(selectTools(listed, chosen)).toEqual({ problem: { fault, name } })
  })
})
