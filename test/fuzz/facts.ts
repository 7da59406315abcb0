import { readFileSync } from 'node:fs'
import { keys } from '@parlando/test-support/keys'
import type { Done, Status } from './live-node-red.ts'

/** Stands in no error, status or log. */
export const key = keys.service

const documentedCodes = new Set(
  readFileSync(new URL('../../docs/nodes.md', import.meta.url), 'utf8').match(/`[A-Z_]{3,}`/g),
)

/** What is not as documented in the error with which a node was done. */
export function problemsOfError({ error }: Done): string[] {
  if (!error) return []
  const { message, code, cause, stack } = error
  const facts = cause as { retryable: unknown; status?: unknown; requestId?: unknown }
  return [
    ...(documentedCodes.has(`\`${String(code)}\``) ? [] : [`the code ${code} is not documented`]),
    ...problemsOfText(message),
    ...(stack === undefined ? [] : ['there is a stack']),
    ...(typeof facts.retryable === 'boolean' ? [] : ['retryable is no boolean']),
    ...(['number', 'undefined'].includes(typeof facts.status) ? [] : ['the status is no number']),
    ...(['string', 'undefined'].includes(typeof facts.requestId) ? [] : ['the id is no text']),
  ]
}

/** What does not belong into a sentence for people. */
function problemsOfText(text: unknown): string[] {
  if (typeof text !== 'string' || text.trim() === '') return [`no sentence: ${String(text)}`]
  // Node-RED's copy of an object that inherits from a Buffer fails in these words, which are those of the language.
  const told = text.replace(
    /of type undefined|\(undefined\)|incompatible receiver \[object \w+\]/g,
    '',
  )
  const wrong = ['undefined', '[object ', '\n    at ', key].filter((part) => told.includes(part))
  if (text.length > 1500) wrong.push(`${text.length} characters`)
  return wrong.map((part) => `the sentence has ${part}: ${text.slice(0, 300)}`)
}

/** Whether a node shows that it rests. */
export function isQuiet(status: Status | undefined): boolean {
  return !status?.fill || ['green dot', 'red ring'].includes(`${status.fill} ${status.shape}`)
}

export const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Waits for something that is to happen soon. @returns whether it did. */
export async function until(isSo: () => boolean, limitMs = 20_000): Promise<boolean> {
  const end = Date.now() + limitMs
  while (!isSo()) {
    if (Date.now() > end) return false
    await turn()
  }
  return true
}
