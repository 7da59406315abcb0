import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { crc32c, Message, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import { acceptCall } from './accept-call.ts'
import { transportsOf } from './ignore-strangers.ts'

const lineOf = (name: string, sdp: string) => new RegExp(`^a=${name}:(\\S+)`, 'm').exec(sdp)![1]!

/** A record of DTLS. */
const record = (type: number, epoch: number, content: number[]) =>
  Buffer.from([type, 254, 253, 0, epoch, 0, 0, 0, 0, 0, 9, 0, content.length, ...content])
const alert = 21
const closeNotify = [1, 0]

/** A client that is connected, and can send any packet in the encrypted connection. */
async function connect() {
  const opus = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 }
  const peer = new RTCPeerConnection({
    codecs: { audio: [new RTCRtpCodecParameters(opus)] },
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
  onTestFinished(() => peer.close())
  const channel = peer.createDataChannel('oai-events')
  peer.addTransceiver('audio', { direction: 'sendrecv' })
  for (const { connection } of peer.iceTransports) connection.stunServer = undefined
  await peer.setLocalDescription(await peer.createOffer())
  const messages: string[] = []
  const call = await acceptCall(peer.localDescription!.sdp, {
    isLocal: true,
    onPacket() {},
    onMessage: (message) => messages.push(message.toString()),
  })
  onTestFinished(call.close)
  await peer.setRemoteDescription({ type: 'answer', sdp: call.answer })
  await call.opened
  await expect.poll(() => channel.readyState).toBe('open')
  const { sctp, dtlsTransport } = peer.sctpTransport!
  const tag = () => (sctp as unknown as { remoteVerificationTag: number }).remoteVerificationTag
  const port = Number(/^a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+) /m.exec(call.answer)?.[1])
  let nextTsn = (sctp as unknown as { localTsn: number }).localTsn
  return {
    call,
    /** Sends a datagram from the address of the client. */
    sendDatagram: (bytes: Buffer) => transportsOf(peer)[0]!.send(bytes, ['127.0.0.1', port]),
    /** A request of ICE with a password. Default: the right one. */
    iceRequest(password = lineOf('ice-pwd', call.answer)) {
      const offered = lineOf('ice-ufrag', peer.localDescription!.sdp)
      const username = `${lineOf('ice-ufrag', call.answer)}:${offered}`
      const request = new Message(1, 0)
      request.setAttribute('USERNAME', username).setAttribute('PRIORITY', 1)
      request.setAttribute('ICE-CONTROLLING', 1n)
      return request.addMessageIntegrity(Buffer.from(password)).addFingerprint().bytes
    },
    port,
    /** Sends bytes instead of a packet of SCTP. */
    sendRaw: (bytes: Buffer) => dtlsTransport.sendData(bytes),
    /** Sends a packet of SCTP with any chunks. */
    sendChunks: (...chunks: Buffer[]) => dtlsTransport.sendData(sctpPacket(tag(), chunks)),
    /** Sends a message, or a part of one, on any stream. */
    sendData: (streamId: number, payloadId: number, payload: Buffer, flags = wholeMessage) => {
      const fields = Buffer.alloc(12)
      fields.writeUInt32BE(nextTsn, 0)
      fields.writeUInt16BE(streamId, 4)
      fields.writeUInt32BE(payloadId, 8)
      nextTsn += 1
      // The client itself must not use the number again.
      Object.assign(sctp, { localTsn: nextTsn })
      const data = chunk(0, Buffer.concat([fields, payload]), flags)
      return dtlsTransport.sendData(sctpPacket(tag(), [data]))
    },
    /** Sends a message, and waits until the service has received it. */
    async confirm(text = 'still here') {
      messages.length = 0
      channel.send(text)
      await expect.poll(() => messages).toEqual([text])
      expect(call.signal.aborted).toBe(false)
    },
  }
}

function chunk(type: number, body: Buffer, flags = 0, length = 4 + body.length): Buffer {
  const header = Buffer.from([type, flags, length >> 8, length & 255])
  const padding = Buffer.alloc((4 - (body.length % 4)) % 4)
  return Buffer.concat([header, body, padding])
}

function sctpPacket(tag: number, chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE(5000, 0)
  header.writeUInt16BE(5000, 2)
  header.writeUInt32BE(tag, 4)
  const packet = Buffer.concat([header, ...chunks])
  packet.writeUInt32LE(crc32c(packet), 8)
  return packet
}

const words = (...numbers: number[]) => {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index)
  return bytes
}
const shorts = (...numbers: number[]) => {
  const bytes = Buffer.alloc(2 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, 2 * index)
  return bytes
}
const wholeMessage = 3
const middleOfMessage = 0
const heartbeat = 4
const selectiveAcknowledgement = 3
const reconfiguration = 130

const handshakeFailure = [2, 40]
const helloVerifyRequest = [3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 254, 253]
/** What ends or restarts a connection, but is not encrypted. Kinds 24 and 30 do not exist in a call. */
const forged = [
  record(alert, 0, []),
  record(alert, 0, closeNotify),
  record(alert, 0, handshakeFailure),
  record(alert, 1, closeNotify),
  record(alert, 1, [...closeNotify, ...new Array(30).fill(0)]),
  record(24, 1, [1, 0]),
  record(30, 0, []),
  record(30, 1, []),
  record(22, 0, helloVerifyRequest),
]

type Client = Awaited<ReturnType<typeof connect>>

describe('a call survives', () => {
  it.each<[string, (client: Client) => Promise<void>]>([
    ['five bytes', ({ sendRaw }) => sendRaw(Buffer.from('hello'))],
    [
      'a packet with a wrong checksum',
      ({ sendRaw }) => sendRaw(Buffer.concat([Buffer.alloc(12, 1), chunk(heartbeat, words(0))])),
    ],
    ['a chunk of an unknown type', ({ sendChunks }) => sendChunks(chunk(77, words(1)))],
    ['a chunk of length 0', ({ sendChunks }) => sendChunks(chunk(heartbeat, words(0), 0, 0))],
    ['a chunk that is too long', ({ sendChunks }) => sendChunks(chunk(heartbeat, words(0), 0, 99))],
    [
      'a parameter of length 0',
      ({ sendChunks }) => sendChunks(chunk(heartbeat, shorts(1, 0, 0, 0))),
    ],
    [
      'a reset that is too short',
      ({ sendChunks }) => sendChunks(chunk(reconfiguration, shorts(13, 6, 0))),
    ],
    ['an empty acknowledgement', ({ sendChunks }) => sendChunks(chunk(3, Buffer.alloc(0)))],
    ['a message of an unknown kind', ({ sendData }) => sendData(1, 99, Buffer.from('hello'))],
    [
      'the acknowledgement of a channel that does not exist',
      ({ sendData }) => sendData(77, 50, Buffer.from([2])),
    ],
    ['a channel without a name', ({ sendData }) => sendData(9, 50, Buffer.from([3]))],
  ])('%s', async (_what, send) => {
    const client = await connect()
    await client.confirm()
    await send(client)
    await client.confirm()
  })

  it('acknowledgements of a billion packets', async () => {
    const client = await connect()
    const gaps = Array.from({ length: 3500 }, () => [0, 65_535]).flat()
    const body = Buffer.concat([words(0, 1e6), shorts(3500, 0, ...gaps)])
    await client.sendChunks(chunk(selectiveAcknowledgement, body))
    await client.confirm()
  }, 15_000)

  it('datagrams of strangers', async () => {
    const { port, confirm } = await connect()
    const stranger = createSocket('udp4')
    for (const bytes of forged) {
      await new Promise((resolve) => stranger.send(bytes, port, '127.0.0.1', resolve))
    }
    stranger.close()
    await once(stranger, 'close')
    await confirm()
  })

  it('datagrams of strangers that have the address of the client', async () => {
    const { sendDatagram, confirm } = await connect()
    for (const bytes of forged) await sendDatagram(bytes)
    await confirm()
  })

  it('requests of strangers who know its name, but not its password', async () => {
    const { port, iceRequest, confirm } = await connect()
    const stranger = createSocket('udp4')
    onTestFinished(() => void stranger.close())
    const responses: Buffer[] = []
    stranger.on('message', (response) => responses.push(response))
    const send = (bytes: Buffer) =>
      new Promise((resolve) => stranger.send(bytes, port, '127.0.0.1', resolve))
    await send(iceRequest('x'.repeat(22)))
    await confirm()
    expect(responses).toEqual([])
    await send(iceRequest())
    await expect.poll(() => responses.length).toBeGreaterThan(0)
  })
})

it('a call asks no server for the address of this machine', async () => {
  const lookup = vi.spyOn(dns, 'lookup')
  onTestFinished(() => lookup.mockRestore())
  await connect()
  expect(lookup).not.toHaveBeenCalled()
})

it('a call ends when the client sends more than it may', async () => {
  const { call, sendData } = await connect()
  const part = Buffer.alloc(1000)
  while (!call.signal.aborted) {
    await sendData(1, 51, part, middleOfMessage)
    await setImmediate()
  }
})
