import type { RTCPeerConnection } from 'werift'
import { isReadable } from './sctp-packet.ts'

/** The parts of werift's association that have no public name. */
interface Association {
  handleData(packet: Buffer): Promise<void>
  /** How much the client may send before the service has taken something. */
  advertisedRwnd: number
  /** The numbers of packets that have overtaken others. */
  sackMisOrdered: Set<number>
  inboundStreams: Record<number, { reassembly: readonly unknown[] }>
}
type Receive = (streamId: number, payloadId: number, data: Buffer) => Promise<void>

/** A message has at most 240 parts, and the window a thousand. */
const maxWaitingParts = 4096

/**
 * Keeps what the client sends over the data channel from ending the process: werift does not catch its own errors there. A
 * packet with an error is lost, as RFC 9260 demands of one with a wrong checksum.
 * @param onFlood called when the client sends more than it may, all of which werift would keep.
 */
export function guardMessages({ sctpTransport }: RTCPeerConnection, onFlood: () => void): void {
  if (!sctpTransport) return
  const { sctp } = sctpTransport
  const association = sctp as unknown as Association
  sctp.transport.onData = (packet) => {
    if (!isReadable(packet)) return
    association.handleData(packet).catch(() => {})
    if (isFlooded(association)) onFlood()
  }
  const { datachannelReceive } = sctpTransport as unknown as { datachannelReceive: Receive }
  sctp.onReceive.allUnsubscribe()
  sctp.onReceive.subscribe((...message) => {
    datachannelReceive(...message).catch(() => {})
  })
}

function isFlooded({ advertisedRwnd, sackMisOrdered, inboundStreams }: Association): boolean {
  const streams = Object.values(inboundStreams)
  const waiting = streams.reduce((sum, { reassembly }) => sum + reassembly.length, 0)
  return advertisedRwnd < 0 || Math.max(sackMisOrdered.size, waiting) > maxWaitingParts
}
