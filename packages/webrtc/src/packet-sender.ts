import { type RTCRtpSender, RtpHeader, RtpPacket } from 'werift'

const samplesPerMs = 48
const packetMs = 20

/** Sends packets of 20 ms. @param positionMs of the sound, since the start of the call. */
export type SendPacket = (payload: Uint8Array, positionMs: number) => void

/** Numbers the packets. The receiver plays silence for positions without a packet. */
export function createPacketSender(sender: RTCRtpSender): SendPacket {
  let sequenceNumber = 0
  let nextMs = 0
  return (payload, positionMs) => {
    const header = new RtpHeader({
      sequenceNumber,
      timestamp: (positionMs * samplesPerMs) % 2 ** 32,
      // The first packet after a silence: the receiver may adapt its delay there.
      marker: positionMs !== nextMs,
    })
    sequenceNumber = (sequenceNumber + 1) & 0xffff
    nextMs = positionMs + packetMs
    // A lost connection ends the call elsewhere.
    sender.sendRtp(new RtpPacket(header, Buffer.from(payload))).catch(() => {})
  }
}
