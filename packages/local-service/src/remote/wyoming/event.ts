/** A message of the Wyoming protocol, which Home Assistant uses for speech. */
export interface WyomingEvent {
  type: string
  data: Readonly<Record<string, unknown>>
  /** Audio. Empty in most events. */
  payload: Uint8Array
}

/** What an event needs to be sent. */
export interface WyomingMessage {
  type: string
  data?: Readonly<Record<string, unknown>>
  payload?: Uint8Array
}

/** An event that does not follow the protocol, or exceeds a limit. Its message may be sent to the other side. */
export class InvalidEventError extends Error {}

/** The audio that is sent, and that Home Assistant sends: mono, 16 bits. */
export function audioFormat(rateHertz: number): Readonly<Record<string, number>> {
  return { rate: rateHertz, width: 2, channels: 1 }
}

/**
 * Encodes an event: a line of JSON, the data, and the payload. The data is not part of the line, because readers in
 * Python fail on lines above 64 KiB.
 */
export function encodeEvent({
  type,
  data = {},
  payload = new Uint8Array(),
}: WyomingMessage): Buffer {
  const hasData = Object.keys(data).length > 0
  const dataBytes = Buffer.from(hasData ? JSON.stringify(data) : '')
  const head = JSON.stringify({
    type,
    ...(hasData && { data_length: dataBytes.length }),
    ...(payload.length > 0 && { payload_length: payload.length }),
  })
  return Buffer.concat([Buffer.from(`${head}\n`), dataBytes, payload])
}
