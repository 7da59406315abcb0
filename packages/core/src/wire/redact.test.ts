import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import { createRedactor, longestSpelling } from './redact.ts'

const numbers = (key: string, length: number, start: string, upper = true) =>
  Array.from(key, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(length, '0')
    return start + (upper ? hex.toUpperCase() : hex)
  }).join('')

const json = (key: string) => JSON.stringify(key).slice(1, -1)

const spellings: Record<string, (key: string) => string> = {
  verbatim: (key) => key,
  'as JSON requires': json,
  'with escaped slashes': (key) => json(key).replaceAll('/', '\\/'),
  'as numbers of JSON': (key) => numbers(key, 4, '\\u'),
  'as lower-case numbers of JSON': (key) => numbers(key, 4, '\\u', false),
  'as a JSON string inside JSON': (key) => json(json(key).replaceAll('/', '\\/')),
  'as JSON numbers inside JSON': (key) => json(numbers(key, 4, '\\u')),
  'as a part of a URL': encodeURIComponent,
  'as numbers of a URL': (key) => numbers(key, 2, '%', false),
  'as numbers of HTML': (key) => numbers(key, 2, ';&#x').slice(1).concat(';'),
}

const secrets = [keys.service, keys.upstream, 'a/b+c=d\\\\e\\', '\\\\uu00/=+', '====////++++']

describe('a redactor', () => {
  it.each(Object.keys(spellings))('removes a key that is written %s', (spelling) => {
    for (const secret of secrets) {
      const redact = createRedactor(['another-key', secret])
      const text = spellings[spelling]!(secret)
      expect(redact(`{"a":"Bad key ${text}!"}`)).toBe('{"a":"Bad key ***!"}')
    }
  })

  it('leaves other text unchanged', () => {
    const text = `{"a":"\\u002B${keys.service.slice(1)} ${keys.service.slice(0, -1)}\\n"}`
    expect(createRedactor([keys.service])(text)).toBe(text)
    expect(createRedactor([])(text)).toBe(text)
  })

  it.each(['', 'wrong', 'ollama', '1234567'])(
    'ignores the key "%s", which may be part of any sentence',
    (key) => {
      const text = `The key is missing or wrong. Try ollama at 1234567.`
      expect(createRedactor([key])(text)).toBe(text)
      expect(createRedactor([key, keys.service])(keys.service)).toBe('***')
    },
  )

  it('keeps JSON valid after escaped characters', () => {
    const redact = createRedactor(['+my-key+'])
    for (const start of ['\\\\', '\\n', '\\"', '\\u00e9']) {
      expect(() => JSON.parse(redact(`"${start}\\u002Bmy-key\\u002B"`))).not.toThrow()
    }
  })

  it('knows how long a secret can be', () => {
    for (const secret of secrets) {
      const text = json(numbers(secret, 4, '\\u'))
      expect(text.length).toBeLessThanOrEqual(longestSpelling(secret))
    }
  })

  it.each(['\\', 'a', 'a\\', '%61', '\\u0061', '&#x0061;'])(
    'takes linear time for a row of %s',
    (part) => {
      const redact = createRedactor(['aaaaaaaa\\aaaaaaaa', 'a\\\\a\\b'])
      const text = part.repeat(1_000_000 / part.length)
      const before = process.cpuUsage()
      redact(text)
      const { user, system } = process.cpuUsage(before)
      // Quadratic work takes minutes.
      expect((user + system) / 1000).toBeLessThan(1000)
    },
  )
})
