import { describe, expect, it } from 'vitest'
import { pageName } from './page-name.ts'

describe('the name of a page', () => {
  it.each([
    ['Kitchen', 'kitchen'],
    [' Living  room ', 'living-room'],
    ['Küche', 'küche'],
    ['a/b\\c?d#e%f', 'a-b-c-d-e-f'],
    ['x'.repeat(100), 'x'.repeat(80)],
    [`${'x'.repeat(79)}😀`, 'x'.repeat(79)],
  ])('of %j is short and can be typed', (name, expected) => {
    expect(pageName(name)).toBe(expected)
  })
})
