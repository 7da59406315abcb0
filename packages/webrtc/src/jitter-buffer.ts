/** A packet with encoded sound, mostly of 20 ms. */
export interface OpusPacket {
  /** Counts the packets, modulo 2¹⁶. */
  sequenceNumber: number
  /** The first sample of the packet, at 48 kHz, modulo 2³². */
  timestamp: number
  payload: Uint8Array
}

/** Brings the packets of a stream into order. */
export interface JitterBuffer {
  /**
   * Takes a packet as it arrives.
   * @returns the packets that are due. Packets in order are due at once: a recogniser needs the order, but no even pace.
   * A missing packet is lost when too many wait for it. The timestamps show the gap.
   */
  push(packet: OpusPacket): OpusPacket[]
}

/** 100 ms of sound. */
const maxWaiting = 5
/** A larger step in the numbers begins a new stream. */
const maxStep = 100

export function createJitterBuffer(): JitterBuffer {
  const waiting = new Map<number, OpusPacket>()
  let next: number | undefined

  /** How many packets after the next one; negative for one that is late or repeated. */
  const stepTo = (sequenceNumber: number) => ((sequenceNumber - next! + 0x1_8000) & 0xffff) - 0x8000
  const takeDue = (): OpusPacket[] => {
    const due: OpusPacket[] = []
    for (let packet = waiting.get(next!); packet; packet = waiting.get(next!)) {
      waiting.delete(next!)
      due.push(packet)
      next = (next! + 1) & 0xffff
    }
    return due
  }

  return {
    push(packet) {
      const { sequenceNumber } = packet
      next ??= sequenceNumber
      if (Math.abs(stepTo(sequenceNumber)) > maxStep) {
        waiting.clear()
        next = sequenceNumber
      }
      if (stepTo(sequenceNumber) < 0) return []
      waiting.set(sequenceNumber, packet)
      if (waiting.size > maxWaiting) {
        const [first] = [...waiting.keys()].sort((one, other) => stepTo(one) - stepTo(other))
        next = first
      }
      return takeDue()
    },
  }
}
