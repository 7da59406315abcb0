import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** What this project writes instead: one word for one thing of the domain. Flags: g, and i where capitals do not matter. */
const words: [pattern: RegExp, better: string][] = [
  [/\b(?:refus(?:e|es|ed|ing|als?)\b|Refusal)/gi, 'reject, rejection, ServiceError'],
  [/loud-?speakers?/gi, 'speaker'],
  [/\bseams?\b/gi, 'joiner'],
  [/\bhandover\b/gi, 'queue'],
  [/\bleava(?:ble|bles)\b|\bleaver\b/gi, 'abortable'],
  [/\b(?:loans?|lends?|lent|borrow(?:s|ed|er|ers|ing)?|giveBack)\b/gi, 'acquire, release'],
  [/\b(?:most|least)[A-Z]\w*/g, 'maxX, minX'],
  [/\bSpeech(?:Order|Menu)\b/g, 'SynthesisRequest, ServiceContext'],
  [/\bhas not the\b|\bhave not the\b/gi, 'does not match'],
  [/\bholds itself\b/gi, 'circular reference'],
]

/** An HTTP server sends a response. Only people and language models answer. */
const answer: [RegExp, string] = [/\b\w*answer(?:s|ed|ing)?\b|Answer/gi, 'response, respond']
const protocolFolders = [
  'bench/',
  'packages/core/',
  'packages/local-service/',
  'packages/test-support/',
  'scripts/',
  'test/contract/',
  'test/fuzz/',
  'test/load/',
]

const notOurs =
  /(?:^|\/)(?:LICENSE|NOTICE|package-lock\.json)$|\.(?:png|svg|wav|mp3|wasm|bin|json)$/
const foreignLocale = /\/locales\/(?!en-US\/)/
const self = 'test/house/words.test.ts'

/** A word that is right where it is. */
const allowed: { file: string; word: string; reason: string }[] = [
  ...[
    'packages/core/src/endpoints/chat/chat.test.ts',
    'packages/core/src/endpoints/chat/message.ts',
    'packages/core/src/wire/chat-completion.ts',
    'packages/local-service/openapi.yaml',
    'packages/local-service/src/chat/completion.ts',
    'packages/local-service/src/api/chat.test.ts',
  ].map((file) => ({ file, word: 'refusal', reason: 'a field of the OpenAI API' })),
  ...[
    'packages/local-service/openapi.yaml',
    'packages/local-service/src/conversation/calls/accept-call.ts',
    'packages/local-service/src/conversation/calls/call-process.slow.test.ts',
    'packages/local-service/src/conversation/calls/calls-program.ts',
    'packages/local-service/src/conversation/calls/running-calls.slow.test.ts',
    'packages/local-service/src/conversation/calls/running-calls.ts',
    'packages/local-service/src/api/calls.ts',
    'packages/test-support/src/local-service/call-client.ts',
  ].map((file) => ({ file, word: 'answer', reason: 'SDP has an offer and an answer' })),
  ...['answers', 'Answer'].map((word) => ({
    file: 'test/fuzz/discovery.slow.test.ts',
    word,
    reason: 'a section of a message of DNS',
  })),
  ...['refuse', 'Refuse'].map((word) => ({
    file: 'packages/local-service/src/engines/hibari/pronunciation/homographs.test-cases.ts',
    word,
    reason: 'a word that sounds in two ways',
  })),
]

function isChecked(file: string): boolean {
  if (file === self || foreignLocale.test(file)) return false
  if (file.startsWith('examples/') || /\/locales\/en-US\/\w/.test(file)) return true
  return !notOurs.test(file)
}

function findWords(file: string): string[] {
  const isProtocol = protocolFolders.some((path) => file.startsWith(path))
  const patterns = isProtocol ? [...words, answer] : words
  const lines = readFileSync(join(repository, file), 'utf8').split('\n')
  // The guide quotes messages, which are checked in the sources.
  const isQuote = (line: string) => file === 'docs/troubleshooting.md' && line.startsWith('> ')
  return lines.flatMap((line, index) =>
    (isQuote(line) ? [] : patterns).flatMap(([pattern, better]) =>
      [...line.matchAll(pattern)]
        .map(([word]) => word.trim())
        .filter((word) => !allowed.some((one) => one.file === file && one.word === word))
        .map((word) => `${file}:${index + 1}: "${word}": write ${better}`),
    ),
  )
}

const files = execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && isChecked(file))

it('the texts of this repository use the words of the field', () => {
  expect(files.length).toBeGreaterThan(30)
  expect(files.flatMap(findWords)).toEqual([])
})

it('every allowed word is still there', () => {
  const isGone = ({ file, word }: (typeof allowed)[number]) =>
    !files.includes(file) || !readFileSync(join(repository, file), 'utf8').includes(word)
  expect(allowed.filter(isGone)).toEqual([])
})
