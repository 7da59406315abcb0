import { readFileSync } from 'node:fs'
import { keys } from '@parlando/test-support/secrets/keys'
import type { Done } from '../setups/watched-messages.ts'

const documentedCodes = new Set(
  readFileSync(new URL('../../../docs/nodes.md', import.meta.url), 'utf8').match(/`[A-Z_]{3,}`/g),
)

/** Finds deviations from the documentation in the error of a node's `done`. */
export function problemsOfError({ error }: Done): string[] {
  if (!error) return []
  const { code, cause, stack } = error
  const facts = cause as { retryable: unknown; status?: unknown; requestId?: unknown }
  return [
    ...(documentedCodes.has(`\`${String(code)}\``) ? [] : [`the code ${code} is not documented`]),
    ...problemsOfText(String(error)),
    ...(stack === undefined ? [] : ['the error has a stack']),
    ...(typeof facts.retryable === 'boolean' ? [] : ['retryable is not a boolean']),
    ...(['number', 'undefined'].includes(typeof facts.status)
      ? []
      : ['the status is not a number']),
    ...(['string', 'undefined'].includes(typeof facts.requestId) ? [] : ['the id is not a string']),
  ]
}

/** Finds parts that do not belong in a sentence for users. */
function problemsOfText(text: unknown): string[] {
  if (typeof text !== 'string' || text.trim() === '') return [`not a sentence: ${String(text)}`]
  // Node-RED's clone of an object that inherits from a Buffer fails with this message of the JavaScript engine.
  const unquoted = text.replace(
    /of type undefined|\(undefined\)|incompatible receiver \[object \w+\]/g,
    '',
  )
  const wrong = ['undefined', '[object ', '\n    at ', keys.service].filter((part) =>
    unquoted.includes(part),
  )
  if (text.length > 1500) wrong.push(`${text.length} characters`)
  return wrong.map((part) => `the sentence contains ${part}: ${text.slice(0, 300)}`)
}
