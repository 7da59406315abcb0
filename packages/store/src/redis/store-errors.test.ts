import { expect, it } from 'vitest'
import { isRejectedForNow, isRejectedWhenFull } from './store-errors.ts'

const oom = "OOM command not allowed when used memory > 'maxmemory'."
/** The reply to a script of Redis 6.2 of which a command has failed. */
const inScript = (text: string) =>
  `ERR Error running script (call to f_0c58a6dc6c0ce1a1): @user_script:9: @user_script: 9: -${text}`

it.each([oom, `${oom} script: 0c58a6dc, on @user_script:9.`, inScript(oom)])(
  'a server is full if it replies %s',
  (reply) => {
    expect(isRejectedWhenFull(new Error(reply))).toBe(true)
    expect(isRejectedForNow(new Error(reply))).toBe(false)
  },
)

it('a server that rejects a command for now is not full, also in a script', () => {
  const reply = 'READONLY You can not write against a read only replica.'
  for (const text of [reply, inScript(reply)]) {
    expect(isRejectedForNow(new Error(text))).toBe(true)
    expect(isRejectedWhenFull(new Error(text))).toBe(false)
  }
})

it.each(['ERR unknown command', inScript('WRONGTYPE Operation against a key'), 'ERR OOM '])(
  'another error is neither: %s',
  (reply) => {
    expect(isRejectedForNow(new Error(reply))).toBe(false)
    expect(isRejectedWhenFull(new Error(reply))).toBe(false)
  },
)
