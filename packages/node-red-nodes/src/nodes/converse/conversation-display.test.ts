import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { describe, expect, it } from 'vitest'
import type { Heard } from '../../speakers/display.ts'
import { createConversationDisplay } from './conversation-display.ts'

function createPage() {
  const speaker = createFakeSpeaker('kitchen')
  const shown: Heard[] = []
  speaker.driver.display = {
    showQuestion() {},
    hideQuestion() {},
    showHeard: (heard) => void shown.push(heard),
  }
  return { speaker, shown }
}

describe('a conversation', () => {
  it('is shown on the page that plays it, from the first response on', () => {
    const { speaker, shown } = createPage()
    const display = createConversationDisplay()
    display.showUser('What time is it?')
    display.showResponse('Half past six.')
    expect(shown).toEqual([])
    display.playsOn([speaker, createFakeSpeaker('radio')])
    const first = { text: 'What time is it?', isUnderstood: true, response: 'Half past six.' }
    expect(shown).toEqual([first])
    display.showUser('Thank you.')
    display.showUser('')
    display.playsOn([speaker])
    expect(shown.slice(1)).toEqual([
      { text: 'Thank you.', isUnderstood: true },
      { text: '', isUnderstood: false },
    ])
  })

  it('moves to another page with its sound', () => {
    const [one, other] = [createPage(), createPage()]
    const display = createConversationDisplay()
    display.playsOn([one.speaker])
    display.playsOn([other.speaker])
    display.showUser('Hello.')
    expect(one.shown).toHaveLength(1)
    expect(other.shown.at(-1)).toEqual({ text: 'Hello.', isUnderstood: true })
  })
})
