/** Part of every test key. No complete key appears in any file, not even in this one. */
const mark = 'parlando-test'

/**
 * A key in the format of the hosted service: base64 of a name and a secret. It contains every base64 character that URL
 * encoding changes.
 */
function makeKey(purpose: string): string {
  return Buffer.from(`${mark}:${purpose}>>>???>`).toString('base64')
}

/** All keys of the tests. Tests must not use any other: the project `secrets` searches all output for these keys only. */
export const keys = {
  /** The valid key of the service under test. */
  service: makeKey('service'),
  /** Rejected by every service. */
  wrong: makeKey('wrong'),
  /** Entered into a form to replace a stored key. */
  typed: makeKey('typed'),
  /** For an upstream service, with characters that JSON escapes. */
  upstream: `sk-${mark}-"upstream"\\key`,
  /** The password of a Redis server, also in its address. */
  redis: `${mark}-redis-password`,
}
