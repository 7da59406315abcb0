/**
 * The error code of a failure, or its text if the code says nothing.
 * @param {Error | { code: string }} failure an Error, or what Parlando nodes pass to Catch: a text, which has no `message`.
 */
export function failureName(failure) {
  const { code } = failure
  if (code && code !== 'FAILED') return code
  return failure instanceof Error ? failure.message : String(failure)
}
