import { describe, expect, it } from 'vitest'
import { endsClause, unspacedClauseEnds } from './clauses.ts'

describe('endsClause', () => {
  it.each([
    'Yes,',
    'this:',
    'one –',
    'well…',
    'well...',
    'he said,”',
    'نعم،',
    'Why?"',
    'it is late.',
    'gone!)',
  ])('is true for %j', (text) => {
    expect(endsClause(text)).toBe(true)
  })

  it.each(['Yes', 'Yes.', 'Prof.', 'approx.', 'a,b', ''])('is false for %j', (text) => {
    expect(endsClause(text)).toBe(false)
  })
})

it('unspacedClauseEnds finds the positions after marks and their closing brackets', () => {
  expect(unspacedClauseEnds('東京、大阪，「京都；」です')).toEqual([3, 6, 11])
})
