import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { keys } from '@parlando/test-support/secrets/keys'
import type { Done, Status } from '../setups/watched-messages.ts'

/** Must not appear in an error, status or log. */
export const key = keys.service

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
  const wrong = ['undefined', '[object ', '\n    at ', key].filter((part) =>
    unquoted.includes(part),
  )
  if (text.length > 1500) wrong.push(`${text.length} characters`)
  return wrong.map((part) => `the sentence contains ${part}: ${text.slice(0, 300)}`)
}

/** Whether the status of a node shows that it is idle. */
export function isQuiet(status: Status | undefined): boolean {
  return (
    !status?.fill ||
    ['green dot', 'grey ring', 'yellow dot', 'yellow ring', 'red ring'].includes(
      `${status.fill} ${status.shape}`,
    )
  )
}

export const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Waits for a condition. The default limit only ends tests that hang. @returns whether the condition became true. */
export async function until(isSo: () => boolean, limitMs = 60_000): Promise<boolean> {
  const end = Date.now() + limitMs
  while (!isSo()) {
    if (Date.now() > end) return false
    // Without a pause, the loop takes processor time from the nodes that it waits for.
    await setTimeout(1)
  }
  return true
}
