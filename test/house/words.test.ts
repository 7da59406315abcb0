import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** What this project writes instead. Flags: g, and i where capitals do not matter. */
const words: [pattern: RegExp, better: string][] = [
  [/\b(?:refus(?:e|es|ed|ing|als?)\b|Refusal)/gi, 'reject, rejection, ServiceError'],
  [/\b(?:tells?|told|telling)\b/gi, 'report, notify, say'],
  [/\bhears\b|\bhears? of\b/gi, 'receives, is notified'],
  [/\bbesides?\b/gi, 'next to; in parallel'],
  [/\balone\b/gi, 'only'],
  [/\b(?:whoever|whatever|thereof|foremost)\b/gi, 'a sentence that names the actor'],
  [/\bseams?\b/gi, 'joiner'],
  [/\bhandover\b/gi, 'queue'],
  [/\bleava(?:ble|bles)\b|\bleaver\b/gi, 'abortable'],
  [/\b(?:loans?|lends?|lent|borrow(?:s|ed|er|ers|ing)?|giveBack)\b/gi, 'acquire, release'],
  [/\b(?:forgetful|befalls?|mend(?:s|ed|ing)?)\b/gi, 'memory store; happens; fix'],
  [/\b(?:most|least)[A-Z]\w*/g, 'maxX, minX'],
  [/\bSpeech(?:Order|Menu)\b/g, 'SynthesisRequest, ServiceContext'],
  [/\bhas not the\b|\bhave not the\b/gi, 'does not match'],
  [/\bholds itself\b/gi, 'circular reference'],
  [/\bmakes? no sense\b/gi, 'violates the protocol, is invalid'],
  [/(?<!\bthere )\bis no (?!longer\b)/gi, 'is not a'],
  [/\bare no (?:ones|more)\b/gi, 'are not'],
  [/\band nothing else\b/gi, 'only'],
  [/\bwhat (?:came|comes|has come|is said|stands|follows it)\b/gi, 'a noun'],
  [/\bwho (?:asks|leaves|ends|keeps|wants)\b/gi, 'a noun'],
  [/\bstands (?:for|in|before|alone|there|below|above|with)\b/gi, 'is, means'],
  [/\b(?:as|just as) it (?:came|stands)\b/gi, 'unchanged'],
  [/\b(?:go|goes|went) before\b/gi, 'overrides; comes first'],
  [/\b(?:comes?|came|brings?|go|goes|went) along\b/gi, 'is included'],
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

const notOurs = /(?:^|\/)(?:LICENSE|NOTICE|package-lock\.json)$|\.(?:png|svg|wav|mp3|wasm|json)$/
const foreignLocale = /\/locales\/(?!en-US\/)/
const self = 'test/house/words.test.ts'

/** A word that is right where it is. */
const allowed: { file: string; word: string; reason: string }[] = [
  { file: 'bench/shared/sentences.js', word: 'and nothing else', reason: 'a sentence to speak' },
  ...[
    'packages/core/src/endpoints/chat/chat.test.ts',
    'packages/core/src/endpoints/chat/message.ts',
    'packages/core/src/wire/chat.ts',
    'packages/local-service/openapi.yaml',
    'packages/local-service/src/api/chat/completion.ts',
    'packages/local-service/src/api/chat/route.test.ts',
  ].map((file) => ({ file, word: 'refusal', reason: 'a field of the OpenAI API' })),
  ...[
    'packages/local-service/openapi.yaml',
    'packages/local-service/src/api/realtime/calls/accept-call.ts',
    'packages/local-service/src/api/realtime/calls/call-process.test.ts',
    'packages/local-service/src/api/realtime/calls/calls-program.ts',
    'packages/local-service/src/api/realtime/calls/calls.test.ts',
    'packages/local-service/src/api/realtime/calls/calls.ts',
    'packages/local-service/src/api/realtime/calls/operation.ts',
    'packages/local-service/src/api/realtime/calls/route.ts',
    'packages/test-support/src/local-service/call-client.ts',
  ].map((file) => ({ file, word: 'answer', reason: 'SDP has an offer and an answer' })),
  {
    file: 'packages/node-red-nodes/src/nodes/speak/speak-busy.test.ts',
    word: 'beside',
    reason: 'a setting of an earlier version',
  },
  {
    file: 'packages/node-red-nodes/src/shared/saved-choice.ts',
    word: 'beside',
    reason: 'a setting of an earlier version',
  },
  {
    file: 'test/contract/voices.test.ts',
    word: 'is no',
    reason: 'quotes a message of the service',
  },
  { file: 'test/editor/forms.test.ts', word: 'beside', reason: 'a setting of an earlier version' },
  { file: 'test/flows/04-clone-a-voice.test.ts', word: 'came along', reason: 'a fable to speak' },
  { file: 'test/flows/04-clone-a-voice.test.ts', word: 'is no', reason: 'a text to speak' },
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
