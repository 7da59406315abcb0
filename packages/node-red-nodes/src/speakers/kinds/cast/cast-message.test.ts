import { describe, expect, it } from 'vitest'
import { decodeMessage, encodeMessage, namespaces } from './cast-message.ts'

const ping = {
  source: 'sender-0',
  destination: 'receiver-0',
  namespace: namespaces.heartbeat,
  payload: { type: 'PING' },
}
/** As Google's library for Protocol Buffers encodes it (protobuf 7.36 for Python). */
const head =
  '0800120873656e6465722d301a0a72656365697665722d30' +
  '222775726e3a782d636173743a636f6d2e676f6f676c652e636173742e74702e6865617274626561742800'
const encodedPing = `${head}320f7b2274797065223a2250494e47227d`

const decodeHex = (hex: string) => decodeMessage(Buffer.from(hex, 'hex'))

describe('a message of Cast', () => {
  it('is encoded as Protocol Buffers are', () => {
    expect(encodeMessage(ping).toString('hex')).toBe(encodedPing)
    const long = { ...ping, payload: { type: 'é'.repeat(100) } }
    const payload = `7b2274797065223a22${'c3a9'.repeat(100)}227d`
    expect(encodeMessage(long).toString('hex')).toBe(`${head}32d301${payload}`)
  })

  it('is decoded, in any order of its fields, and with others', () => {
    expect(decodeHex(encodedPing)).toEqual(ping)
    const others = '3a02ffff' + '410102030405060708' + '4d01020304' + '50ffffffffffffffff7f'
    expect(decodeHex(`${others}${encodedPing.slice(4)}`)).toEqual(ping)
  })

  it.each([
    ['{"a":', {}],
    ['7', {}],
    ['null', {}],
    ['', {}],
  ])('has the fields of the payload %j', (payload, expected) => {
    const length = payload.length.toString(16).padStart(2, '0')
    const hex = Buffer.from(payload).toString('hex')
    expect(decodeHex(`${head}32${length}${hex}`)?.payload).toEqual(expected)
  })

  it.each([
    ['cut', encodedPing.slice(0, -2)],
    ['cut within a number', `${encodedPing}80`],
    ['longer than it is', `${encodedPing}32ff7f`],
    ['a number without an end', `${encodedPing}50${'ff'.repeat(11)}`],
    ['an encoding that does not exist', `${encodedPing}33`],
    ['without a sender', encodedPing.replace('120873656e6465722d30', '')],
    ['empty', ''],
  ])('is none if it is %s', (_what, hex) => {
    expect(decodeHex(hex)).toBeUndefined()
  })
})
