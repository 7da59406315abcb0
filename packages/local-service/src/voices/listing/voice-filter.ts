import type { Voice } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { speaks } from '../spoken-languages.ts'

type Test = (voice: Voice) => boolean
type MakeTest = (operator: string, value: string) => Test

const fields = new Map<string, MakeTest>([
  ['voice_id', textTest(({ voiceId }) => voiceId)],
  ['display_name', textTest(({ displayName }) => displayName)],
  ['description', textTest(({ description }) => description)],
  ['gender', textTest(({ gender }) => gender)],
  ['source', textTest(({ source }) => source)],
  ['tags', tagTest],
  ['lang_code', languageTest],
  // The name in the older voice list.
  ['language', languageTest],
])

/**
 * Parses a filter such as `source = "SYSTEM" AND tags:"calm"`. `=` compares the whole text, `:` finds a part of it; both
 * ignore case. `lang_code = "en"` matches every region.
 * @throws {ServiceError} with the problem and its position.
 */
export function readVoiceFilter(filter: string): Test {
  const tests: Test[] = []
  const condition = /\s*(\w+)\s*(=|:)\s*(?:"((?:[^"\\]|\\.)*)"|([\w-]+))\s*(?:(AND)\s+|$)/iy
  while (condition.lastIndex < filter.length || tests.length === 0) {
    const at = condition.lastIndex
    const [, name = '', operator = '', quoted, bare, and] = condition.exec(filter) ?? []
    if (!name || (and && condition.lastIndex === filter.length)) {
      reject(
        `cannot be parsed from character ${at + 1} on; write conditions such as source = "SYSTEM", joined by AND`,
      )
    }
    const makeTest = fields.get(snakeCase(name))
    if (!makeTest) reject(`${name} is not a known field; use ${[...fields.keys()].join(', ')}`)
    tests.push(makeTest(operator, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''))
  }
  return (voice) => tests.every((test) => test(voice))
}

export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

function textTest(textOf: (voice: Voice) => string | null | undefined): MakeTest {
  return (operator, value) => (voice) => {
    const text = textOf(voice) ?? ''
    return operator === '=' ? isSame(text, value) : text.toLowerCase().includes(value.toLowerCase())
  }
}

function languageTest(_operator: string, value: string): Test {
  return (voice) => speaks(voice, value)
}

function tagTest(operator: string, value: string): Test {
  if (operator === '=')
    reject('a voice has several tags: write tags:"calm" for the voices with this tag')
  return ({ tags }) => (tags ?? []).some((tag) => isSame(tag, value))
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function reject(problem: string): never {
  throw new ServiceError('INVALID_ARGUMENT', `filter: ${problem}`)
}
