import { useSpeakerPage } from '@parlando/test-support/speakers/use-speaker-page'
import { describe, expect, it, vi } from 'vitest'

describe('each browser that has opened a page', () => {
  const { driver, openSocket, press } = useSpeakerPage()

  it('shows alarms, and can acknowledge or postpone one of them', async () => {
    const pressed: string[] = []
    const show = (...ids: string[]) =>
      driver().showAlarms!(
        ids.map((id) => ({ id, text: `Water, ${id}` })),
        (id, action) => pressed.push(`${action} ${id}`),
      )
    show('cellar', 'attic')
    const browser = await openSocket('tablet')
    const alarms = ['cellar', 'attic'].map((id) => ({ id, text: `Water, ${id}` }))
    await vi.waitFor(() => expect(browser.messages).toEqual([{ type: 'alarms', alarms }]))
    const [tablet, stranger] = [{ player: 'tablet' }, { player: 'stranger' }]
    expect(await press('acknowledge', { id: 'attic', ...stranger })).toBe(404)
    expect(await press('later', { id: 'attic', ...stranger })).toBe(404)
    expect(await press('acknowledge', { id: 'other', ...tablet })).toBe(404)
    expect(await press('later', { id: 'cellar', ...tablet })).toBe(204)
    expect(await press('acknowledge', { id: 'attic', ...tablet })).toBe(204)
    expect(pressed).toEqual(['later cellar', 'acknowledge attic'])
    show('cellar')
    const left = { type: 'alarms', alarms: alarms.slice(0, 1) }
    await vi.waitFor(() => expect(browser.messages.at(-1)).toEqual(left))
    browser.close()
  })

  it('shows a question, and can answer it with a button', async () => {
    const chosen: number[] = []
    const question = { id: 'q', text: 'Tea or coffee?', buttons: ['tea', 'coffee'] }
    driver().display!.showQuestion(question, (index) => chosen.push(index))
    const browser = await openSocket('tablet')
    await vi.waitFor(() => expect(browser.messages).toEqual([{ type: 'question', question }]))
    const answer = (id: string, index: string, player = 'tablet') =>
      press('answer', { id, index, player })
    const rejected = [
      answer('other', '0'),
      answer('q', '2'),
      answer('q', ''),
      answer('q', '-1'),
      answer('q', '0', 'stranger'),
    ]
    expect(await Promise.all(rejected)).toEqual([404, 404, 404, 404, 404])
    expect(await answer('q', '1')).toBe(204)
    expect(chosen).toEqual([1])
    driver().display!.hideQuestion('q')
    await vi.waitFor(() => expect(browser.messages.at(-1)).toEqual({ type: 'question' }))
    browser.close()
  })

  it('shows the text that is read aloud, and can pause and skip it', async () => {
    const pressed: string[] = []
    const reading = { id: 'r', text: 'One came.', sentence: 1, sentences: 3, isPaused: false }
    const display = driver().readingDisplay!
    display.showReading(reading, (action) => pressed.push(action))
    display.showReading({ ...reading, id: 'other', isPaused: true }, () => {})
    const browser = await openSocket('tablet')
    await vi.waitFor(() => expect(browser.messages).toEqual([{ type: 'reading', reading }]))
    const control = (id: string, action: string, player = 'tablet') =>
      press('reading', { id, action, player })
    const rejected = [
      control('none', 'pause'),
      control('r', 'stop'),
      control('r', 'back', 'stranger'),
    ]
    expect(await Promise.all(rejected)).toEqual([404, 404, 404])
    expect(await control('r', 'forward')).toBe(204)
    expect(pressed).toEqual(['forward'])
    display.hideReading('other')
    display.hideReading('r')
    await vi.waitFor(() => expect(browser.messages.at(-1)).toEqual({ type: 'reading' }))
    browser.close()
  })

  it('shows up to 2,000 whole characters of what was heard', async () => {
    const browser = await openSocket('tablet')
    driver().display!.showHeard({ text: `${'x'.repeat(1999)}👍`, isUnderstood: true })
    const heard = { text: 'x'.repeat(1999), isUnderstood: true }
    await vi.waitFor(() => expect(browser.messages).toEqual([{ type: 'heard', heard }]))
    browser.close()
  })
})
