import { inspect } from 'node:util'
import { ParlandoError } from '../../../core/src/errors.ts'
import { saveRecord } from '../secrets/records.ts'

/** The error with which a call of the client fails. It becomes part of the records. */
export async function failureOf(promise: Promise<unknown>): Promise<ParlandoError> {
  const error = await promise.then(
    () => new Error('the promise did not reject'),
    (reason: unknown) => reason,
  )
  if (!ParlandoError.isInstance(error)) throw error
  saveRecord('errors', inspect(error, { depth: 9, showHidden: true }))
  return error
}
