import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

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
  [/\b\w*Ears?\b|\bears?[A-Z]\w*|\w-ear\b/g, 'microphone'],
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
/** They list these words. */
const lists = ['docs/glossary.md', 'test/house/docs/words.test.ts']

/** Words that are right in these files, with the reason. */
const exceptions: { words: string[]; reason: string; files: string[] }[] = [
  {
    words: ['refusal'],
    reason: 'a field of the OpenAI API',
    files: [
      'packages/core/src/endpoints/chat/chat.test.ts',
      'packages/core/src/endpoints/chat/message.ts',
      'packages/core/src/wire/chat-completion.ts',
      'packages/local-service/openapi.yaml',
      'packages/local-service/src/chat/echo/format-completion.ts',
      'packages/local-service/src/api/chat/chat.test.ts',
    ],
  },
  {
    words: ['answer'],
    reason: 'SDP has an offer and an answer',
    files: [
      'packages/local-service/openapi.yaml',
      'packages/local-service/src/conversation/calls/accept-call.ts',
      'packages/local-service/src/conversation/calls/call-process.nightly.test.ts',
      'packages/local-service/src/conversation/calls/calls-program.ts',
      'packages/local-service/src/conversation/calls/running-calls.nightly.test.ts',
      'packages/local-service/src/conversation/calls/running-calls.ts',
      'packages/local-service/src/api/realtime/calls.ts',
      'packages/test-support/src/local-service/clients/call-client.ts',
    ],
  },
  {
    words: ['answers', 'Answer'],
    reason: 'a section of a message of DNS',
    files: ['test/fuzz/devices/discovery.nightly.test.ts'],
  },
  {
    words: ['answer', 'answers', 'onAnswer', 'readAnswers'],
    reason: 'people answer questions',
    files: ['packages/node-red-nodes/src/nodes/ask/asked-question.test-case.ts'],
  },
  {
    words: ['refuse', 'Refuse'],
    reason: 'a word that sounds in two ways',
    files: ['packages/local-service/src/engines/hibari/pronunciation/homographs.test-cases.ts'],
  },
]

function isChecked(file: string): boolean {
  if (lists.includes(file) || foreignLocale.test(file)) return false
  if (file.startsWith('examples/') || /\/locales\/en-US\/\w/.test(file)) return true
  return !notOurs.test(file)
}

/** @returns a sentence for each word that has a better one. */
function findWords(file: string): string[] {
  const isProtocol = protocolFolders.some((path) => file.startsWith(path))
  const patterns = isProtocol ? [...words, answer] : words
  const exceptional = exceptions.flatMap(({ files, words }) => (files.includes(file) ? words : []))
  const text = readText(file)
  return patterns.flatMap(([pattern, better]) =>
    [...text.matchAll(pattern)]
      .filter(([word]) => !exceptional.includes(word.trim()))
      .map(({ 0: word, index }) => {
        const line = text.slice(0, index).split('\n').length
        return `${file}:${line}: "${word.trim()}": write ${better}`
      }),
  )
}

/** The guide quotes messages, which are checked in the sources. */
function readText(file: string): string {
  const text = readFileSync(join(repository, file), 'utf8')
  return file === 'docs/troubleshooting.md' ? text.replace(/^> .*$/gm, '') : text
}

const checkedFiles = execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && isChecked(file))

it('the texts of this repository use the words of the field', () => {
  expect(checkedFiles.length).toBeGreaterThan(30)
  expect(checkedFiles.flatMap(findWords)).toEqual([])
})

const exceptionsByFile = exceptions.flatMap(({ files, words }) =>
  files.flatMap((file) => words.map((word) => [file, word] as const)),
)

it.each(exceptionsByFile)('%s still has the exceptional word "%s"', (file, word) => {
  expect(checkedFiles).toContain(file)
  expect(readText(file)).toContain(word)
})
