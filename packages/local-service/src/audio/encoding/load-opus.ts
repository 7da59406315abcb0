/** The used parts of the package's WebAssembly entry. Unlike the main entry, it has no native code, but also no types. */
export interface OpusModule {
  Encoder: new (options: OpusOptions & { application: 'audio' }) => OpusEncoder
  Decoder: new (options: OpusOptions) => OpusDecoder
}

interface OpusOptions {
  channels: 1
  sample_rate: number
}

export interface OpusEncoder {
  ctl(request: number, value?: number): number
  /** @param samples 16-bit PCM of one packet. */
  encode(samples: Int16Array | Uint8Array): Uint8Array
  drop(): void
}

export interface OpusDecoder {
  /** @returns 16-bit PCM. @throws {Error} if the packet is malformed. */
  decode(packet: Uint8Array): Uint8Array
  drop(): void
}

/** A request of the encoder, as libopus numbers them. In bits per second. */
export const setBitRate = 4002

export async function loadOpus(): Promise<OpusModule> {
  // @ts-expect-error: this entry of the package has no types; the parts in use are declared above.
  const module = await import('@evan/opus/wasm/index.mjs')
  return module as OpusModule
}
