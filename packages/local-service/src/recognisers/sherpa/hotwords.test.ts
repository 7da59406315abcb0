import { describe, expect, it } from 'vitest'
import { hasCapitalsOnly, readTokens, toHotwords, toVocabulary } from './hotwords.ts'

const tokens = readTokens('<blk> 0\n<unk> 1\n▁ 2\n▁MIL 3\nD 4\nRED 5\n')

describe('the tokens of a recogniser', () => {
  it('are read from tokens.txt', () => {
    expect(tokens).toEqual(['<blk>', '<unk>', '▁', '▁MIL', 'D', 'RED'])
    expect(readTokens('a b 7\r\n\nbroken')).toEqual(['a b'])
  })

  it('show whether a model has capital letters only', () => {
    expect(hasCapitalsOnly(tokens)).toBe(true)
    expect(hasCapitalsOnly(['<blk>', '▁Mil'])).toBe(false)
    expect(hasCapitalsOnly(['<blk>', '开'])).toBe(false)
  })

  it('give a vocabulary with scores in their order', () => {
    expect(toVocabulary(tokens)).toBe('<blk>\t0\n<unk>\t0\n▁\t0\n▁MIL\t-1\nD\t-2\nRED\t-3\n')
    expect(toVocabulary(['<blk>', '开', '灯'])).toBeUndefined()
    expect(toVocabulary(['<blk>', '▁on', '灯'])).toBeUndefined()
  })
})

describe('toHotwords', () => {
  it('writes words as the model does, without characters that have a meaning for sherpa-onnx', () => {
    expect(toHotwords(['Mildred', 'mil/d', 'd :9', ''], tokens)).toEqual(['MILDRED', 'MIL D'])
  })

  it('spells accents as the model does', () => {
    expect(toHotwords(['Käthe'.normalize('NFD')], readTokens('▁ 0\n▁Kä 1\nthe 2\n'))).toEqual([
      'Käthe',
    ])
  })

  it('omits words that the model cannot spell', () => {
    expect(toHotwords(['Mildred', 'Zigbee', 'Mildred Zigbee', 'Łódź'], tokens)).toEqual(['MILDRED'])
  })
})
