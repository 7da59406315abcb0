import { parseJson } from '@parlando/core/wire'
import { ServiceError } from '../errors/service-error.ts'
import { outlineJson } from '../requests/outline-json.ts'

/** The body of a chat request. Only the name of its model is known: a body for the upstream may be too large to parse. */
export interface ChatBody {
  bytes: Uint8Array
  model: string
  /** @returns the same body with another name of the model. */
  withModel(name: string): Uint8Array<ArrayBuffer>
}

/** @throws {ServiceError} if the body is not a JSON object, or does not name one model. */
export async function readChatBody(bytes: Uint8Array): Promise<ChatBody> {
  const { isComplete, isObject, members } = await outlineJson(bytes, 'model')
  if (!isComplete) reject('The body is not JSON')
  if (!isObject) reject('The body must be a JSON object')
  // The upstream could read another one than this service.
  if (members.length > 1) reject('model must not be repeated')
  const [place] = members
  const { start, end } = place ?? { start: 0, end: 0 }
  const model = parseJson(Buffer.from(bytes.subarray(start, end)).toString())
  if (typeof model !== 'string' || model === '') reject('model must be a non-empty string')
  return {
    bytes,
    model,
    withModel(name) {
      const named = Buffer.from(JSON.stringify(name))
      return Buffer.concat([bytes.subarray(0, start), named, bytes.subarray(end)])
    },
  }
}

function reject(message: string): never {
  throw new ServiceError('INVALID_ARGUMENT', message)
}
