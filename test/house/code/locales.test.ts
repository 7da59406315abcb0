import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { languageOf } from '@parlando/core/text'
import { describe, expect, it } from 'vitest'
import { numberWords } from '../../../packages/node-red-nodes/src/grammars/by-language.ts'

const folder = fileURLToPath(new URL('../../../packages/node-red-nodes/src/', import.meta.url))
const nodes = readdirSync(join(folder, 'nodes'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const languages = readdirSync(join(folder, 'locales')).filter((name) => name !== 'en-US')
const pairs = nodes.flatMap((node) => languages.map((language) => ({ node, language })))
/** The files of texts: one for each node, one for all forms, one for the studio, one for what nodes share, one for the pages. */
const catalogues = [...nodes, 'editor', 'studio', 'shared', 'pages']
const files = catalogues.flatMap((catalogue) =>
  languages.map((language) => ({ catalogue, language })),
)

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')
const helpOf = (node: string, language: string) => read('locales', language, `${node}.html`)

/** The texts of a file by their keys, in the order of the file. */
function textsOf(catalogue: string, language: string): Record<string, string> {
  const texts: Record<string, string> = {}
  const collect = (entry: unknown, key: string) => {
    if (typeof entry === 'string') {
      texts[key] = entry
      return
    }
    for (const [part, inner] of Object.entries(entry as object)) collect(inner, `${key}.${part}`)
  }
  const entries = JSON.parse(read('locales', language, `${catalogue}.json`))
  for (const [key, entry] of Object.entries(entries)) collect(entry, key)
  return texts
}

const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([found]) => found)
const placeholdersIn = (text: string) =>
  [...allOf(text, /__\w+?__/g), ...allOf(text, /\$\{SPEECH_\w+\}/g)].sort()

/** Texts that are the same in every language: an address, a model, encodings, and the name of a node. */
const sameEverywhere = [
  'service.label.redisUrl',
  'speaker.label.snapcast',
  ...['pcma', 'pcmu', 'opus', 'aac'].map((name) => `speaker.label.go2rtcCodec-${name}`),
  'service.placeholder.baseUrl',
  'service.label.megabytes',
  ...['address', 'command', 'variables'].map((name) => `mcp-server.placeholder.${name}`),
  'chat.placeholder.model',
  'converse.placeholder.model',
  'address.player.dashboard-2',
]
/** A text that is only a property or a placeholder. */
const nothingToTranslate = /^(msg\.\w+|__\w+__)$/

/** Words that a language shares with English. */
function sameAsEnglish(language: string): string[] {
  const file = join('locales', language, 'same-as-english.json')
  return existsSync(join(folder, file)) ? JSON.parse(read(file)) : []
}

/** Synonyms of words that the forms, the pages and the help use, with the word to use. */
const synonyms: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  de: { Ansage: /durchsage/i, bestätigen: /quittier/i },
}

describe.each(languages)('the texts in %s', (language) => {
  it('have one word for each thing', () => {
    const texts = catalogues.flatMap((catalogue) => Object.values(textsOf(catalogue, language)))
    const helps = nodes.map((node) => helpOf(node, language))
    for (const [word, synonym] of Object.entries(synonyms[language] ?? {})) {
      expect(
        [...texts, ...helps].filter((text) => synonym.test(text)),
        word,
      ).toEqual([])
    }
  })
})

describe.each(files)('the texts of $catalogue in $language', ({ catalogue, language }) => {
  const english = textsOf(catalogue, 'en-US')
  const texts = textsOf(catalogue, language)
  const same = sameAsEnglish(language)

  it('have the keys of the English ones', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(english))
  })

  it('have the same placeholders', () => {
    for (const [key, text] of Object.entries(english)) {
      expect(placeholdersIn(texts[key]!), key).toEqual(placeholdersIn(text))
    }
  })

  it('are neither empty nor English', () => {
    const left = Object.keys(texts).filter((key) => {
      const text = texts[key]!
      const isShared =
        sameEverywhere.includes(key) || same.includes(text) || nothingToTranslate.test(text)
      return text.trim() === '' || (text === english[key] && !isShared)
    })
    expect(left).toEqual([])
  })
})

const sharedName = /^editor\.(?:row\.|models\.more-)/

/** The names of the settings and links that several forms have. */
function sharedNames(language: string): Record<string, string> {
  const texts = Object.entries(textsOf('editor', language))
  return Object.fromEntries(texts.filter(([key]) => sharedName.test(key)))
}

/** Tags, and code with its contents. */
const marks = /<code>.*?<\/code>|<\/?\w[^>]*>/gs
const namedInHelp = /<(?:dt|b|i)\b[^>]*>([^<]*)/g

describe.each(pairs)('the help of $node in $language', ({ node, language }) => {
  const english = helpOf(node, 'en-US')
  const help = helpOf(node, language)

  it('has the tags and properties of the English help, in the same order', () => {
    expect(allOf(help, marks)).toEqual(allOf(english, marks))
  })

  it('uses the setting names of the form, and the original names of nodes and properties', () => {
    const texts = { ...sharedNames(language), ...textsOf(node, language) }
    const entries = Object.entries({ ...sharedNames('en-US'), ...textsOf(node, 'en-US') })
    const names = [...help.matchAll(namedInHelp)].map(([, name]) => name!.trim())
    const englishNames = [...english.matchAll(namedInHelp)].map(([, name]) => name!.trim())
    for (const [index, name] of englishNames.entries()) {
      // Three settings in one line.
      if (name.startsWith('Voice, ')) continue
      expect(names[index], name).not.toBe('')
      const isOfForm = /^[A-Z]|^(a|one) message /.test(name)
      const [key] = entries.find(([, text]) => isOfForm && text.startsWith(name)) ?? []
      if (key) expect(texts[key]!.startsWith(names[index]!), `${key}: ${names[index]}`).toBe(true)
      else expect(names[index]).toBe(name)
    }
  })

  it('has no English sentence', () => {
    const partsOf = (text: string) => text.split(marks).map((part) => part.trim())
    const translated = partsOf(help)
    const left = partsOf(english).filter((part, index) => part === translated[index])
    // Names of nodes and types may stay as they are.
    expect(left.filter((part) => / \w+ \w/.test(part))).toEqual([])
  })
})

/** The sources of the nodes and their forms. */
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|html)$/.test(path) && !/\.test\.ts$|^locales[\\/]/.test(path))
  .map((path) => read(path))

/** What a function adds to the key that it gets. */
const beginnings: Readonly<Record<string, string>> = {
  text: 'editor.',
  label: 'editor.',
  studioText: 'studio.',
  sharedText: 'shared.',
  sharedKey: 'shared.',
}
const calls = new RegExp(`(?<!\\.)\\b(${Object.keys(beginnings).join('|')})\\([^()]*`, 'g')

/** The keys that the sources use; one that ends with a dot or a hyphen is a prefix. */
function keysInSources(): string[] {
  // Not the name of a file, such as `speaker.html`.
  const names = catalogues.join('|')
  const whole = new RegExp(`["'\`\\]:]((?:${names})\\.(?!(?:html|js|css)\\b)[\\w.-]+)`, 'g')
  const keys = new Set<string>()
  for (const source of sources) {
    for (const [, key] of source.matchAll(whole)) keys.add(key!)
    for (const [call, name] of source.matchAll(calls)) {
      const [first] = call.replace(/\bRED, /, '').split(',')
      for (const [, key] of first!.matchAll(/['`]([\w.-]+)/g))
        keys.add(`${beginnings[name!]}${key}`)
    }
  }
  return [...keys]
}

describe('the keys of texts', () => {
  const asked = keysInSources()
  const keys = catalogues.flatMap((catalogue) => Object.keys(textsOf(catalogue, 'en-US')))
  const isMeant = (asked: string, key: string) =>
    /[.-]$/.test(asked) ? key.startsWith(asked) : key === asked
  // A page has its texts as an object, whose keys TypeScript checks.
  const isOfPage = (key: string) => {
    const name = new RegExp(`[.'\`]${key.split('.').at(-1)}\\b`)
    return sources.some((source) => name.test(source))
  }

  it('exist for every use in the sources', () => {
    expect(asked.filter((one) => !keys.some((key) => isMeant(one, key)))).toEqual([])
  })

  it('are all used', () => {
    const isUsed = (key: string) =>
      key.startsWith('pages.') ? isOfPage(key) : asked.some((one) => isMeant(one, key))
    expect(keys.filter((key) => !isUsed(key))).toEqual([])
  })
})

/** Languages that say numbers and times in English, because `grammars` has no folder for them. */
const withoutGrammar: readonly string[] = []

describe.each(['en-US', ...languages])('what is spoken in %s', (language) => {
  const spoken = textsOf('spoken', language)
  const kindOf = (key: string) => key.replace(/\.\d+$/, '')
  const kinds = (texts: Record<string, string>) => [...new Set(Object.keys(texts).map(kindOf))]

  it('has words of every kind, each once', () => {
    expect(kinds(spoken)).toEqual(kinds(textsOf('spoken', 'en-US')))
    for (const kind of kinds(spoken)) {
      const words = Object.keys(spoken).filter((key) => kindOf(key) === kind)
      const texts = words.map((key) => spoken[key]!.trim())
      expect(new Set(texts).size, kind).toBe(texts.length)
      expect(texts, kind).not.toContain('')
    }
  })

  it('includes a sample of its voices', () => {
    const samples = JSON.parse(read('editor/fields/sample-sentences.json'))
    expect(samples[languageOf(language)], 'a line in sample-sentences.json').toBeTypeOf('string')
  })

  it('has rules for numbers and times, or is a known exception', () => {
    const hasGrammar = numberWords(12, language).length > 0
    const advice = `Add a folder to grammars, or ${language} to withoutGrammar.`
    expect(hasGrammar, advice).toBe(!withoutGrammar.includes(language))
    const form = read('nodes/remind/remind.html')
    expect(form.includes(`<option value="${language}">`), 'an option in remind.html').toBe(
      hasGrammar,
    )
  })
})
