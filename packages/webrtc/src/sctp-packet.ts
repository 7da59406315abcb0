const headerBytes = 12
const chunkHeaderBytes = 4
const selectiveAcknowledgement = 3
/** Where the parameters of a chunk begin: of INIT, INIT ACK, HEARTBEAT, HEARTBEAT ACK, ABORT, ERROR and RE-CONFIG. */
const parameterOffsets: Record<number, number> = { 1: 16, 2: 16, 4: 0, 5: 0, 6: 0, 9: 0, 130: 0 }
/** The service has far fewer packets under way. */
const maxAcknowledgedPackets = 65_536

/**
 * Whether the lengths in a packet of SCTP are possible. werift reads a chunk or a parameter of length 0 for ever, and
 * follows an acknowledgement of any number of packets. It rejects all else that is malformed.
 */
export function isReadable(packet: Buffer): boolean {
  for (const { kind, body } of partsOf(packet.subarray(headerBytes), 1)) {
    if (!body) return false
    const offset = parameterOffsets[kind]
    const parameters = offset === undefined ? [] : partsOf(body.subarray(offset), 2)
    for (const parameter of parameters) if (!parameter.body) return false
    const isAcknowledgement = kind === selectiveAcknowledgement
    if (isAcknowledgement && acknowledged(body) > maxAcknowledgedPackets) return false
  }
  return true
}

interface Part {
  kind: number
  /** Absent if the length is impossible. */
  body?: Buffer
}

/** Chunks and parameters begin with their kind and their length, and are padded to four bytes. */
function* partsOf(bytes: Buffer, kindBytes: 1 | 2): Generator<Part> {
  let position = 0
  while (position + chunkHeaderBytes <= bytes.length) {
    const kind = bytes.readUIntBE(position, kindBytes)
    const length = bytes.readUInt16BE(position + 2)
    const isPossible = length >= chunkHeaderBytes && position + length <= bytes.length
    if (!isPossible) return yield { kind }
    yield { kind, body: bytes.subarray(position + chunkHeaderBytes, position + length) }
    position += length + (-length & 3)
  }
}

/** How many packets the blocks of an acknowledgement name. */
function acknowledged(body: Buffer): number {
  const blocks = body.length < 12 ? 0 : body.readUInt16BE(8)
  let packets = 0
  for (let block = 0; block < blocks && 12 + 4 * block + 4 <= body.length; block++) {
    const start = body.readUInt16BE(12 + 4 * block)
    const end = body.readUInt16BE(14 + 4 * block)
    packets += Math.max(0, end - start + 1)
  }
  return packets
}
