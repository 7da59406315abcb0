/** A part of every test key. No key is written down whole, not even here. */
const mark = 'parlando-test'

/**
 * A key in the format of a service: base64 of a name and a secret, here with every character that URL encoding changes.
 */
function makeKey(purpose: string): string {
  return Buffer.from(`${mark}:${purpose}>>>???>`).toString('base64')
}

/** Every key that the tests use. Tests must not invent others: after all tests, a search looks for these everywhere. */
export const keys = {
  /** Of the service under test. */
  service: makeKey('service'),
  /** Rejected by each service. */
  wrong: makeKey('wrong'),
  /** Entered into a form to replace a stored key. */
  typed: makeKey('typed'),
  /** For an upstream service, with characters that JSON escapes. */
  upstream: `sk-${mark}-"upstream"\\key`,
}
