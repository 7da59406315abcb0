import { startProcessorTime } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../errors/service-error.ts'
import { readScript } from './read-script.ts'

function errorFor(text: string): ServiceError {
  try {
    readScript(text)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error(`Not rejected: ${text}`)
}

describe('readScript', () => {
  it.each([
    ['<break time="300ms"/>', 0.3],
    ['<break time="1s"/>', 1],
    ["<BREAK time = '1.5s' />", 1.5],
    ['<break time="10s"></break>', 10],
    ['<break time="0s">', 0],
  ])('turns %s into silence', (tag, silenceSeconds) => {
    const script = [{ text: 'One ' }, { silenceSeconds }, { text: ' two' }]
    expect(readScript(`One ${tag} two`)).toEqual(script)
  })

  it('keeps breaks at either end and next to each other', () => {
    const tag = '<break time="1s"/>'
    expect(readScript(`${tag}One${tag} ${tag}`)).toEqual([
      { silenceSeconds: 1 },
      { text: 'One' },
      { silenceSeconds: 1 },
      { silenceSeconds: 1 },
    ])
  })

  it.each(['<break/>', '<break time="1"/>', '<break time="-1s"/>', '<break time="10.1s"/>'])(
    'rejects %s and says what to write',
    (tag) => {
      const { code, message } = errorFor(`One ${tag} two`)
      expect(code).toBe('INVALID_ARGUMENT')
      expect(message).toContain(`${tag} is not a valid break; write <break time="300ms"/>`)
    },
  )

  it('accepts at most a hundred breaks', () => {
    const tags = 'a <break time="1s"/>'
    expect(readScript(tags.repeat(100)).length).toBe(200)
    expect(errorFor(tags.repeat(101)).message).toMatch(/101 breaks.*100/)
  })

  it.each([
    ['<verbatim>', 'Say <verbatim>A1</verbatim>'],
    ['[laugh]', 'So [laugh] what'],
    ['[clear throat]', '[clear throat] Hello'],
    ['[say it softly, please]', '[say it softly, please] Hello'],
    ['[laughs]', 'So [laughs] what'],
    ['[laughing softly]', '[laughing softly] Hello'],
    ['[sigh, then laugh]', '[sigh, then laugh] Hello'],
    ['[breathes in]', '[breathes in] Hello'],
    ['[hums]', '[hums] Hello'],
    ['[whispering]', '[whispering] Hello'],
    ['[speaking slowly]', '[speaking slowly] Hello'],
    ['[read with joy]', '[read with joy] Hello'],
    ['[pause]', 'One [pause] two'],
    ['[happy]', '[happy] Hello'],
    ['[softly]', '[softly] Hello'],
    ['[slow and sad]', '[slow and sad] Hello'],
    ['[sad voice]', '[sad voice] Hello'],
    ['[in a deep voice]', '[in a deep voice] Hello'],
    ['[with a warm tone]', '[with a warm tone] Hello'],
    ['/kæt/', 'A /kæt/ sat'],
    ['/həˈloʊ wɜːld/', 'Say /həˈloʊ wɜːld/.'],
  ])('rejects %s and names it', (markup, text) => {
    const { code, message } = errorFor(text)
    expect(code).toBe('UNIMPLEMENTED')
    expect(message).toContain(markup)
  })

  it.each([
    'Due 11/21 or 11/21/2026',
    'this and/or that, he/she/they',
    'See https://example.org/a/b and /usr/local/bin/ and /kat/',
    'As shown [1], [2, 3] and a[i+1]',
    'a < b > c, <3',
    'an open [bracket and 1/2',
  ])('leaves plain text unchanged: %s', (text) => {
    expect(readScript(text)).toEqual([{ text }])
  })

  it.each([
    ['[ALERT] Water in the cellar', 'ALERT Water in the cellar'],
    ['[front door] is open', 'front door is open'],
    ['[humidity] sensor is offline', 'humidity sensor is offline'],
    ['[reading lamp] is on', 'reading lamp is on'],
    ['[speaker] lost its WiFi', 'speaker lost its WiFi'],
    ['TV [paused]', 'TV paused'],
    ['[softener] is empty', 'softener is empty'],
    ['[clear night] tonight', 'clear night tonight'],
    ['[warm water] is off', 'warm water is off'],
    ['[quiet hours] begin', 'quiet hours begin'],
    ['[slow cooker] is done', 'slow cooker is done'],
    ['[singing bowl] is here', 'singing bowl is here'],
    ['[cough syrup] is empty', 'cough syrup is empty'],
    ['[read only] mode', 'read only mode'],
    ['[happiness] is here', 'happiness is here'],
    ['Mail [in a stone house]', 'Mail in a stone house'],
    ['Milk [with voicemail]', 'Milk with voicemail'],
    ['A <b>bold</b> word', 'A bold word'],
    ['<speak><prosody rate="slow" pitch="-2st">Hello</prosody></speak>', '\n\nHello\n\n'],
    ['<mstts:express-as style="sad">No</mstts:express-as>', ' No '],
    ['<p>One</p><p>Two</p>', '\n\nOne\n\n\n\nTwo\n\n'],
    ['A <!-- note --> B', 'A   B'],
    ['Press <Enter>', 'Press  Enter '],
    ['Salt &amp; pepper, 21&#176;C', 'Salt & pepper, 21°C'],
    ['This is **very** nice', 'This is very nice'],
    ['Read [the manual](https://example.org)', 'Read the manual'],
  ])('reads only the text of %s', (text, spoken) => {
    expect(readScript(text)).toEqual([{ text: spoken }])
  })

  it('drops [reset], because directions have no effect', () => {
    expect(readScript('One [reset] two')).toEqual([{ text: 'One   two' }])
  })

  it('is fast on text that is almost markup', () => {
    const usedMs = startProcessorTime()
    const texts = ['[', '/', '<break ', '[a ', '/æ ', ' /æ', '<break'].map((piece) =>
      piece.repeat(20_000),
    )
    for (const text of texts) expect(readScript(text)).toEqual([{ text }])
    for (const piece of [
      '\n',
      ' ',
      '\n ',
      '<',
      '<a',
      '</a',
      '<a>',
      '&#',
      '**',
      '`',
      '[a](',
      '<!',
      '_a ',
    ]) {
      readScript(`x${piece.repeat(20_000)}`)
    }
    expect(usedMs()).toBeLessThan(2000)
  })
})
