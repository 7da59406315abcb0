import { isDtls, parseMessage, type RTCPeerConnection, type UdpTransport } from 'werift'

/** Kinds of records: alerts, and the first and the last kind that a call has. */
const alert = 21
const [changeCipher, data] = [20, 23]
const recordHeaderBytes = 13

/** What proves that a request comes from the client: only the client and the service know both. */
export interface IceCredentials {
  /** Both halves. */
  username: string
  /** That of the service. */
  password: string
}

/**
 * Drops the datagrams of strangers before werift reads them: it believes an alert without encryption, also after the
 * handshake, takes a record of an unknown kind for one, and does not check the integrity of a request.
 */
export function ignoreStrangers(peer: RTCPeerConnection, credentials: IceCredentials): void {
  const key = Buffer.from(credentials.password)
  for (const transport of transportsOf(peer)) {
    const known = new Set<string>()
    const receive = transport.onData
    transport.onData = (datagram, address) => {
      const sender = address.join(' ')
      if (isRequest(datagram)) {
        if (!datagram.includes(credentials.username) || !parseMessage(datagram, key)) return
        known.add(sender)
      }
      if (!known.has(sender) || isForged(datagram, peer)) return
      receive(datagram, address)
    }
  }
}

/** The UDP sockets of a call. */
export function transportsOf(peer: RTCPeerConnection): UdpTransport[] {
  return peer.iceTransports.flatMap(({ connection }) => {
    const { protocols } = connection as unknown as { protocols: { transport: UdpTransport }[] }
    return protocols.map(({ transport }) => transport)
  })
}

/** A binding request of STUN. */
function isRequest(datagram: Buffer): boolean {
  return datagram.length >= 20 && datagram.readUInt16BE(0) === 1
}

/** Whether a record of DTLS may come from somebody who only knows the address of the client. */
function isForged(datagram: Buffer, peer: RTCPeerConnection): boolean {
  if (!isDtls(datagram)) return false
  const isEncrypted = peer.dtlsTransports.every(({ state }) => state === 'connected')
  let position = 0
  while (position + recordHeaderBytes <= datagram.length) {
    const end = position + recordHeaderBytes + datagram.readUInt16BE(position + 11)
    const record = datagram.subarray(position, end)
    const kind = record[0]!
    const isPlain = record.readUInt16BE(3) === 0
    if (kind < changeCipher || kind > data) return true
    if (isPlain ? isEncrypted || kind === alert : kind === alert && !isAuthentic(record, peer)) {
      return true
    }
    position = end
  }
  return false
}

/** Whether the client has encrypted a record: only it knows the key. */
function isAuthentic(record: Buffer, { dtlsTransports }: RTCPeerConnection): boolean {
  const recordLayerHeader = {
    contentType: record[0]!,
    protocolVersion: { major: record[1]!, minor: record[2]! },
    epoch: record.readUInt16BE(3),
    sequenceNumber: record.readUIntBE(5, 6),
    contentLen: record.readUInt16BE(11),
  }
  const packet = { recordLayerHeader, fragment: record.subarray(recordHeaderBytes) }
  return dtlsTransports.some(({ dtls }) => {
    try {
      return dtls !== undefined && dtls.cipher.decryptPacket(packet as never).length > 0
    } catch {
      return false
    }
  })
}
