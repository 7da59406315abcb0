import { randomBytes } from 'node:crypto'

/** Tokens of which each opens one connection. */
export interface Tokens {
  issue(): string
  /** @returns whether the token is valid. It is not valid again. */
  redeem(token: string): boolean
}

const lifetimeMs = 30_000
/** Many more than the pages that connect again after a restart. */
const maxTokens = 1000

export function createTokens(now = () => performance.now()): Tokens {
  // In the order of their age.
  const expiries = new Map<string, number>()
  return {
    issue() {
      const [oldest] = expiries.keys()
      if (expiries.size >= maxTokens) expiries.delete(oldest!)
      const token = randomBytes(16).toString('base64url')
      expiries.set(token, now() + lifetimeMs)
      return token
    },
    redeem(token) {
      const expiry = expiries.get(token)
      expiries.delete(token)
      return expiry !== undefined && now() < expiry
    },
  }
}
