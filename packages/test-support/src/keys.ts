/** What every key of the tests is known by. None is written down whole, not even here. */
const mark = 'parlando-test'

/**
 * A key as a service gives one out: base64 of a name and a secret, here with every character that changes when it is
 * written into an address.
 */
function makeKey(purpose: string): string {
  return Buffer.from(`${mark}:${purpose}>>>???>`).toString('base64')
}

/** Every key that a test uses. No test makes up one of its own: when all have run, these are searched for everywhere. */
export const keys = {
  /** Of the service under test. */
  service: makeKey('service'),
  /** Refused by each of them. */
  wrong: makeKey('wrong'),
  /** Typed into a form in the place of one that is stored. */
  typed: makeKey('typed'),
  /** Of a service behind the one under test, with what JSON escapes. */
  upstream: `sk-${mark}-"upstream"\\key`,
}
