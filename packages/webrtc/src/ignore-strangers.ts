import { isDtls, type RTCPeerConnection, type UdpTransport } from 'werift'

const alert = 21
const recordHeaderBytes = 13

/**
 * Drops the datagrams of strangers before werift reads them: it believes an alert without encryption, and lets a request
 * of anybody change its role.
 * @param username of the call. Only the client and the service know both of its halves.
 */
export function ignoreStrangers(peer: RTCPeerConnection, username: string): void {
  const isEncrypted = () => peer.dtlsTransports.every(({ state }) => state === 'connected')
  for (const transport of transportsOf(peer)) {
    const known = new Set<string>()
    const receive = transport.onData
    transport.onData = (datagram, address) => {
      const sender = address.join(' ')
      if (isRequest(datagram)) {
        if (!datagram.includes(username)) return
        known.add(sender)
      }
      if (!known.has(sender) || isForged(datagram, isEncrypted())) return
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

/**
 * Whether a record of DTLS may come from somebody who only knows the address of the client: one without encryption after the
 * handshake, or an alert without it.
 */
function isForged(datagram: Buffer, isEncrypted: boolean): boolean {
  if (!isDtls(datagram)) return false
  let position = 0
  while (position + recordHeaderBytes <= datagram.length) {
    const kind = datagram[position]
    const epoch = datagram.readUInt16BE(position + 3)
    if (epoch === 0 && (isEncrypted || kind === alert)) return true
    position += recordHeaderBytes + datagram.readUInt16BE(position + 11)
  }
  return false
}
