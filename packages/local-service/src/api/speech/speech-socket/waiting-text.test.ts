import { describe, expect, it } from 'vitest'
import { createWaitingText } from './waiting-text.ts'

describe('waiting text', () => {
  it('is spoken from the threshold on, after a word, and keeps the rest with its space', () => {
    const text = createWaitingText({ bufferCharThreshold: 20 })
    expect(text.push('The laundry is ')).toEqual([])
    expect(text.push('done and dry ')).toEqual(['The laundry is done'])
    expect(text.push('now.')).toEqual([])
    expect(text.flush()).toEqual(['and dry now.'])
    expect(text.flush()).toEqual([])
  })

  it('is spoken at once if its length is the threshold', () => {
    const text = createWaitingText({ bufferCharThreshold: 5 })
    expect(text.push('Done. ')).toEqual(['Done.'])
    expect(text.push('Done.')).toEqual([])
    expect(text.push('net is a name. ')).toEqual(['Done.net is', 'a', 'name.'])
  })

  it('waits for 1,000 characters by default', () => {
    const text = createWaitingText({})
    expect(text.push('a '.repeat(499))).toEqual([])
    expect(text.push('b c.')).toHaveLength(1)
  })

  it('is spoken at once in auto mode, but not if it has no letter and no digit', () => {
    const text = createWaitingText({ autoMode: true, bufferCharThreshold: 100 })
    expect(text.push(' Two boats came in.')).toEqual([' Two boats came in.'])
    expect(text.push(' … ')).toEqual([])
    expect(text.flush()).toEqual([])
  })

  it('is cut into sentences for SENTENCE_BOUNDARY', () => {
    const text = createWaitingText({ autoMode: true, autoModeStrategy: 'SENTENCE_BOUNDARY' })
    expect(text.push('One. Two')).toEqual(['One.'])
    expect(text.push('. — Three')).toEqual(['Two.'])
    expect(text.flush()).toEqual(['— Three'])
  })
})
