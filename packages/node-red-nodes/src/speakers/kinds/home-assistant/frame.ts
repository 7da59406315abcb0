import { objectOf, parseJson } from '../../network/json.ts'

/** The list of a house with a thousand players takes 200 KB. Reading the largest frame takes less than 10 ms. */
export const maxFrameBytes = 512 * 1024
const maxErrorCharacters = 200

/** What the driver reads of a message of Home Assistant. */
export interface HomeAssistantFrame {
  type: string
  id: number
  /** The version of Home Assistant, in `auth_ok`. */
  version: string
  event?: unknown
  result?: unknown
  /** Why a command failed. */
  error?: string
}

/** @returns `undefined` for what is not a message of the WebSocket API. */
export function readFrame(text: string): HomeAssistantFrame | undefined {
  const message = objectOf(parseJson(text))
  const { type, id, ha_version: version, event, result, success } = message
  if (typeof type !== 'string') return undefined
  return {
    type,
    id: typeof id === 'number' ? id : 0,
    version: typeof version === 'string' ? version.slice(0, 20) : '',
    event,
    result,
    ...(type === 'result' && success !== true && { error: errorOf(message['error']) }),
  }
}

function errorOf(error: unknown): string {
  const { message, code } = objectOf(error)
  const text = [message, code].find((each) => typeof each === 'string' && each.trim() !== '')
  return typeof text === 'string' ? text.slice(0, maxErrorCharacters) : '?'
}
