import { randomBytes } from 'node:crypto'

const lifetimeMs = 30_000
/** Many more than the pages that connect again after a restart. */
const maxTokens = 1000

/** Tokens of which each opens one connection. */
export function createTokens(now = () => performance.now()) {
  // The oldest token comes first.
  const expiries = new Map<string, number>()
  return {
    issue() {
      const [oldest] = expiries.keys()
      if (expiries.size >= maxTokens) expiries.delete(oldest!)
      const token = randomBytes(16).toString('base64url')
      expiries.set(token, now() + lifetimeMs)
      return token
    },
    /** @returns whether the token is valid. It is not valid again. */
    redeem(token: string) {
      const expiry = expiries.get(token)
      expiries.delete(token)
      return expiry !== undefined && now() < expiry
    },
  }
}
